import io.fairlead.LoadBalancer
import io.fairlead.LoadBalancers
import io.fairlead.okhttp.LoadBalancingInterceptor
import okhttp3.OkHttpClient
import okhttp3.Request

fun ask(vararg servers: String): String {
    val orders = LoadBalancer.builder("orders")
        .apply { servers.forEach { endpoint(it) } }
        .strategy("peak-ewma")
        .build()
    return LoadBalancers.of(orders).use { balancers ->
        val client = OkHttpClient.Builder()
            .addInterceptor(LoadBalancingInterceptor.of(balancers))
            .build()
        val request = Request.Builder().url("http://orders/items/7").build()
        client.newCall(request).execute().use { it.body!!.string() }
    }
}
