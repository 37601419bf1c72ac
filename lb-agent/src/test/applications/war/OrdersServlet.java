package shop.web;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import javax.servlet.annotation.WebServlet;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;

/** Calls a URL by one of two clients and answers what that was answered. */
@WebServlet({"/url", "/apache"})
public final class OrdersServlet extends HttpServlet {
    private final CloseableHttpClient client = HttpClients.createDefault();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String url = request.getParameter("to");
        response.getWriter()
                .print(
                        request.getServletPath().equals("/apache")
                                ? client.execute(new HttpGet(url), answer -> EntityUtils.toString(answer.getEntity()))
                                : text(url));
    }

    private static String text(String url) throws IOException {
        try (InputStream in = new URL(url).openStream()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int b = in.read(); b >= 0; b = in.read()) {
                bytes.write(b);
            }
            return bytes.toString("UTF-8");
        }
    }
}
