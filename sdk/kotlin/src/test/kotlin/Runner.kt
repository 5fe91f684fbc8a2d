import com.squareup.moshi.JsonDataException
import com.squareup.moshi.JsonEncodingException
import okhttp3.OkHttpClient
import thingsync.client.apis.ThingsyncApi
import thingsync.client.infrastructure.ClientError
import thingsync.client.infrastructure.ClientException
import thingsync.client.infrastructure.Serializer
import thingsync.client.infrastructure.ServerError
import thingsync.client.infrastructure.ServerException
import thingsync.client.models.*
import thingsync.wire.Bodies
import thingsync.wire.Token
import thingsync.wire.WireInterceptor

private val http = OkHttpClient()
private val anything = Serializer.moshi.adapter(Any::class.java)

private typealias Fields = Map<*, *>

private fun Fields.text(name: String) = this[name] as String?

private fun Fields.position(name: String) = (this[name] as Double?)?.toLong()

private fun Fields.texts(name: String) = (this[name] as List<*>?)?.map { it as String }

private inline fun <reified Model> Fields.read(): Model =
    Serializer.moshi.adapter(Model::class.java).fromJsonValue(this)!!

/** Moshi leaves out what is null; the `scope` of a token is null and there. */
private fun writeJson(value: Any): String = when (value) {
    is List<*> -> value.joinToString(",", "[", "]") { writeJson(it!!) }
    is Map<*, *> -> anything.toJson(value)
    is TokenPair -> Serializer.moshi.adapter(TokenPair::class.java).serializeNulls().toJson(value)
    else -> Serializer.moshi.adapter<Any>(value::class.java).toJson(value)
}

private fun open(request: Fields): ThingsyncApi {
    val wire = request["wire"] as Fields
    val bodies = Bodies.valueOf(wire.text("bodies")!!.uppercase())
    val token = Token.valueOf(wire.text("token")!!.uppercase())
    val client = http.newBuilder().addInterceptor(WireInterceptor(request.text("token"), bodies, token)).build()
    return ThingsyncApi(request.text("base_url")!!, client)
}

private fun call(api: ThingsyncApi, name: String, given: Fields): Any = when (name) {
    "grantToken" -> api.grantToken(
        given.text("grant_type")!!, given.text("client_id"), given.text("client_secret"), given.text("username"),
        given.text("password"), given.text("refresh_token"),
    )
    "getSync" -> api.getSync(given.position("from"), given.position("skip"), given.position("limit"), given.texts("skip_id"))
    "getTest" -> api.getTest()
    "getUser" -> api.getUser()
    "getTags" -> api.getTags()
    "getThings" -> api.getThings(given.text("archived"), given.text("tag"))
    "postSync" -> api.postSync(given.read())
    "addThing" -> api.addThing(given.read())
    "changeThing" -> api.changeThing(given.read())
    "deleteThing" -> api.deleteThing(given.read())
    "registerDevice" -> api.registerDevice(given.read())
    "unregisterDevice" -> api.unregisterDevice(given.read())
    "registerWebhook" -> api.registerWebhook(given.read())
    "unregisterWebhook" -> api.unregisterWebhook(given.read())
    "revokeToken" -> api.revokeToken(given.read())
    else -> error("$name: no such call")
}

private fun refusal(status: Int, body: Any?): String {
    val text = body?.toString() ?: ""
    val error = try {
        anything.fromJson(text)
    } catch (_: java.io.IOException) { // not JSON
        text
    }
    return anything.toJson(mapOf("status" to status, "error" to error))
}

private fun failure(error: Exception, kind: String): String =
    anything.toJson(mapOf("failure" to error.stackTraceToString(), "kind" to kind))

private fun answer(request: Fields): String =
    try {
        """{"value":${writeJson(call(open(request), request.text("call")!!, request["with"] as Fields))}}"""
    } catch (error: ClientException) {
        refusal(error.statusCode, (error.response as ClientError<*>).body)
    } catch (error: ServerException) {
        refusal(error.statusCode, (error.response as ServerError<*>).body)
    } catch (error: JsonDataException) {
        failure(error, "unexpected_response")
    } catch (error: JsonEncodingException) {
        failure(error, "unexpected_response")
    } catch (error: UnsupportedOperationException) { // a redirect, or a body that is not JSON
        failure(error, "unexpected_response")
    } catch (error: java.io.IOException) {
        failure(error, "network")
    } catch (error: Exception) { // whatever else goes wrong is what the scenario has to show
        anything.toJson(mapOf("failure" to error.stackTraceToString()))
    }

/** Makes the calls that `npm run sdk:test` sends as lines of JSON, with the generated client, and answers each with a line. */
fun main() {
    System.setOut(java.io.PrintStream(System.out, true, "UTF-8"))
    for (line in generateSequence { readlnOrNull() }) println(answer(anything.fromJson(line) as Fields))
    kotlin.system.exitProcess(0)
}
