package app.client;

import jakarta.xml.ws.BindingProvider;
import jakarta.xml.ws.Dispatch;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.soap.SOAPBinding;
import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.namespace.QName;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Source;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;

/**
 * SOAP over JAX-WS, which is {@code HttpURLConnection}. Whatever the method is said to be, an envelope is posted; the
 * payload is as long as the body would be.
 */
public final class Soap extends Program {
    private static final QName PORT = new QName("urn:app", "port");

    private Soap() {}

    /** Starts it. */
    public static void main(String[] args) throws Exception {
        new Soap().run();
    }

    @Override
    protected String call(String method, String url, byte[] body, int timeoutMillis) throws Exception {
        Service service = Service.create(new QName("urn:app", "service"));
        service.addPort(PORT, SOAPBinding.SOAP11HTTP_BINDING, url);
        Dispatch<Source> dispatch = service.createDispatch(PORT, Source.class, Service.Mode.PAYLOAD);
        if (timeoutMillis > 0) {
            ((BindingProvider) dispatch).getRequestContext().put("com.sun.xml.ws.request.timeout", timeoutMillis);
        }
        StringBuilder text = new StringBuilder();
        for (int i = 0; body != null && i < body.length; i++) {
            text.append((char) ('a' + i % 26));
        }
        Source answer =
                dispatch.invoke(new StreamSource(new StringReader("<ask xmlns=\"urn:app\">" + text + "</ask>")));
        return "200 " + text(answer) + " " + url;
    }

    /** What stands in the answer's element. */
    private static String text(Source answer) throws Exception {
        Transformer transformer = TransformerFactory.newInstance().newTransformer();
        transformer.setOutputProperty(OutputKeys.OMIT_XML_DECLARATION, "yes");
        StringWriter out = new StringWriter();
        transformer.transform(answer, new StreamResult(out));
        return out.toString().replaceAll("<[^>]*>", "");
    }
}
