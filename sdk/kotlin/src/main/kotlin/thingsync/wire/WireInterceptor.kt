package thingsync.wire

import com.squareup.moshi.JsonDataException
import com.squareup.moshi.JsonEncodingException
import com.squareup.moshi.Moshi
import java.io.EOFException
import java.math.BigDecimal
import java.net.ProtocolException
import okhttp3.FormBody
import okhttp3.Interceptor
import okhttp3.MediaType.Companion.toMediaType
import okhttp3.Request
import okhttp3.RequestBody
import okhttp3.RequestBody.Companion.toRequestBody
import okhttp3.Response
import okio.Buffer
import okio.BufferedSink

/** How bodies are written: [FORM] works with every server, [JSON] only where the server's document offers it. */
enum class Bodies { FORM, JSON }

/** Where the access token goes: a header ([PAIR] is `access_token=T`), the query, or the body (of a GET: the query). */
enum class Token { BEARER, PAIR, QUERY, BODY }

/**
 * Writes the generated client's requests as a server of the interface takes them; to be added to the OkHttpClient of a
 * ThingsyncApi. The access token is its own, since the generated client has one for the whole program. No body follows a
 * redirect, because that could send a password or token to another server. An error that comes with a success status gets the
 * status 400.
 */
class WireInterceptor(
    private val accessToken: String? = null,
    private val bodies: Bodies = Bodies.FORM,
    private val token: Token = Token.BEARER,
) : Interceptor {
    override fun intercept(chain: Interceptor.Chain): Response {
        val given = chain.request()
        val request = given.newBuilder()
        val fields = readFields(given.body)
        if (accessToken != null) placeToken(given, request, fields, accessToken)
        if (fields != null) {
            request.method(given.method, Once(if (bodies == Bodies.FORM) writeForm(fields) else writeJson(fields)))
            request.removeHeader("Content-Type")
        } else {
            given.body?.let { request.method(given.method, Once(it)) }
        }
        val response = chain.proceed(request.build())
        if (!response.isSuccessful) return response
        // OkHttp follows some redirects of a POST with a GET, which uploads nothing.
        if (response.request.method != given.method) {
            response.close()
            throw ProtocolException("the server redirects uploads; use the URL behind the redirect as base path")
        }
        // Errors are short; a longer text is cut here, and cannot be parsed.
        val start = response.peekBody(65536).string()
        if (start.isEmpty() && !given.url.encodedPath.endsWith("/revoke")) {
            response.close()
            throw ProtocolException("the response has no body")
        }
        return if (isError(start)) response.newBuilder().code(400).build() else response
    }

    /** A body that OkHttp sends to no other URL. */
    private class Once(private val body: RequestBody) : RequestBody() {
        override fun contentType() = body.contentType()

        override fun contentLength() = body.contentLength()

        override fun isOneShot() = true

        override fun writeTo(sink: BufferedSink) = body.writeTo(sink)
    }

    private fun placeToken(given: Request, request: Request.Builder, fields: MutableMap<String, Any?>?, text: String) {
        when {
            token == Token.BEARER -> request.header("Authorization", "Bearer $text")
            token == Token.PAIR -> request.header("Authorization", "access_token=$text")
            token == Token.BODY && fields != null -> fields["access_token"] = text
            else -> request.url(given.url.newBuilder().setQueryParameter("access_token", text).build())
        }
    }

    companion object {
        private val json = "application/json".toMediaType()
        private val anything = Moshi.Builder().build().adapter(Any::class.java)

        /**
         * The fields as a form of interface 4.3: objects as JSON text, several things as one JSON array, several ids repeated,
         * maps as `name[key]`.
         */
        fun writeForm(fields: Map<String, Any?>): FormBody {
            val form = FormBody.Builder(Charsets.UTF_8)
            for ((name, value) in fields) {
                when (value) {
                    null -> Unit
                    is Map<*, *> -> value.forEach { (key, member) -> form.add("$name[$key]", asText(member)) }
                    is List<*> -> writeList(form, name, value)
                    else -> form.add(name, asText(value))
                }
            }
            return form.build()
        }

        private fun writeList(form: FormBody.Builder, name: String, items: List<*>) {
            when {
                items.size == 1 -> form.add(name, asText(items[0]))
                items.all { it is String } -> items.forEach { form.add("$name[]", asText(it)) }
                else -> form.add(name, asText(items))
            }
        }

        private fun isError(text: String): Boolean =
            try {
                (anything.fromJson(text) as? Map<*, *>)?.get("error") is String
            } catch (_: JsonEncodingException) {
                false
            } catch (_: JsonDataException) {
                false
            } catch (_: EOFException) {
                false
            }

        private fun asText(value: Any?): String = value as? String ?: anything.toJson(value)

        private fun writeJson(fields: Map<String, Any?>): RequestBody =
            anything.toJson(fields).toByteArray().toRequestBody(json)

        @Suppress("UNCHECKED_CAST")
        private fun readFields(body: RequestBody?): MutableMap<String, Any?>? {
            if (body?.contentType()?.subtype != "json") return null
            val text = Buffer().also { body.writeTo(it) }.readUtf8()
            return plain(anything.fromJson(text)) as MutableMap<String, Any?>
        }

        /** Moshi reads every number as a double: whole ones are whole again, others keep their shortest digits. */
        private fun plain(value: Any?): Any? = when (value) {
            is Map<*, *> -> value.entries.associateTo(LinkedHashMap()) { (name, member) -> name to plain(member) }
            is List<*> -> value.map { plain(it) }
            is Double -> if (value % 1.0 == 0.0) BigDecimal.valueOf(value).toLong() else value
            else -> value
        }
    }
}
