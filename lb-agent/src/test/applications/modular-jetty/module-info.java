/** An application of modules whose client is one, too. */
module shop.jetty {
    requires org.eclipse.jetty.client;
}
