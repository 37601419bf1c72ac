package app;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;

/** Runs another program of the tests in a loader as application servers and OSGi frameworks have them. */
public final class Loaders {
    private Loaders() {}

    /**
     * Runs it.
     *
     * @param arguments the kind of loader, the class path that it has, and the program
     */
    public static void main(String[] arguments) throws Exception {
        List<URL> urls = new ArrayList<>();
        for (String path : arguments[1].split(File.pathSeparator, -1)) {
            urls.add(new File(path).toURI().toURL());
        }
        URL[] path = urls.toArray(new URL[0]);
        ClassLoader loader;
        switch (arguments[0]) {
            case "isolated":
                loader = new URLClassLoader(
                        path, ClassLoader.getSystemClassLoader().getParent());
                break;
            case "filtering":
                loader = new Filtering(path);
                break;
            case "nested":
                // The class of the loader is one that a loader of the same kind has loaded.
                loader = (ClassLoader) new Filtering(path)
                        .loadClass(Filtering.class.getName())
                        .getConstructor(URL[].class)
                        .newInstance((Object) path);
                break;
            default:
                throw new IllegalArgumentException(arguments[0]);
        }
        Thread.currentThread().setContextClassLoader(loader);
        loader.loadClass(arguments[2]).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    }

    /** Finds what it has itself and the packages of the JDK, and hides everything else, as OSGi does. */
    public static final class Filtering extends URLClassLoader {
        /** With these jars and folders. */
        public Filtering(URL[] path) {
            super(path, null);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                if (name.matches("(java|javax|jdk|sun|org\\.ietf)\\..*")) {
                    return ClassLoader.getSystemClassLoader().getParent().loadClass(name);
                }
                return findClass(name);
            }
        }
    }
}
