package thingsync.wire;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.Buffer;
import okio.BufferedSink;

/**
 * Writes the generated client's requests as a server of the interface takes them; to be added to the OkHttpClient of an
 * ApiClient, to which the access token is given as its bearer token. No body follows a redirect, because that could send a
 * password or token to another server. An error that comes with a success status gets the status 400.
 */
public final class WireInterceptor implements Interceptor {
  /** How bodies are written: FORM works with every server, JSON only where the server's document offers it. */
  public enum Bodies { FORM, JSON }

  /** Where the access token goes: a header (PAIR is access_token=T), the query, or the body (of a GET: the query). */
  public enum Token { BEARER, PAIR, QUERY, BODY }

  private static final MediaType JSON_TYPE = MediaType.get("application/json");

  private final Bodies bodies;
  private final Token token;

  public WireInterceptor() {
    this(Bodies.FORM, Token.BEARER);
  }

  public WireInterceptor(Bodies bodies, Token token) {
    this.bodies = bodies;
    this.token = token;
  }

  @Override
  public Response intercept(Chain chain) throws IOException {
    Request given = chain.request();
    Request.Builder request = given.newBuilder();
    JsonObject fields = readFields(given.body());
    placeToken(given, request, fields);
    if (fields != null) {
      request.method(given.method(), once(bodies == Bodies.FORM ? writeForm(fields) : writeJson(fields)));
      request.removeHeader("Content-Type");
    } else if (given.body() != null) {
      request.method(given.method(), once(given.body()));
    }
    Response response = chain.proceed(request.build());
    if (!response.isSuccessful()) {
      return response;
    }
    // OkHttp follows some redirects of a POST with a GET, which uploads nothing.
    if (!response.request().method().equals(given.method())) {
      response.close();
      throw new ProtocolException("the server redirects uploads; use the URL behind the redirect as base path");
    }
    // Errors are short; a longer text is cut here, and cannot be parsed.
    String start = response.peekBody(65536).string();
    if (start.isEmpty() && !given.url().encodedPath().endsWith("/revoke")) {
      response.close();
      throw new ProtocolException("the response has no body");
    }
    return isError(start) ? response.newBuilder().code(400).build() : response;
  }

  // OkHttp sends such a body to no other URL.
  private static RequestBody once(RequestBody body) {
    return new RequestBody() {
      @Override
      public MediaType contentType() {
        return body.contentType();
      }

      @Override
      public long contentLength() throws IOException {
        return body.contentLength();
      }

      @Override
      public boolean isOneShot() {
        return true;
      }

      @Override
      public void writeTo(BufferedSink sink) throws IOException {
        body.writeTo(sink);
      }
    };
  }

  private static boolean isError(String text) {
    try {
      JsonElement body = JsonParser.parseString(text);
      JsonElement error = body.isJsonObject() ? body.getAsJsonObject().get("error") : null;
      return error != null && error.isJsonPrimitive() && error.getAsJsonPrimitive().isString();
    } catch (JsonParseException unreadable) {
      return false; // the client reports it
    }
  }

  /**
   * The fields as a form of interface 4.3: objects as JSON text, several things as one JSON array, several ids repeated,
   * maps as name[key].
   */
  public static FormBody writeForm(JsonObject fields) {
    FormBody.Builder form = new FormBody.Builder(StandardCharsets.UTF_8);
    for (Map.Entry<String, JsonElement> field : fields.entrySet()) {
      String name = field.getKey();
      JsonElement value = field.getValue();
      if (value.isJsonArray()) {
        writeList(form, name, value.getAsJsonArray());
      } else if (value.isJsonObject()) {
        for (Map.Entry<String, JsonElement> member : value.getAsJsonObject().entrySet()) {
          form.add(name + "[" + member.getKey() + "]", asText(member.getValue()));
        }
      } else {
        form.add(name, asText(value));
      }
    }
    return form.build();
  }

  private static void writeList(FormBody.Builder form, String name, JsonArray items) {
    boolean areTexts = true;
    for (JsonElement item : items) {
      areTexts &= item.isJsonPrimitive() && item.getAsJsonPrimitive().isString();
    }
    if (items.size() == 1) {
      form.add(name, asText(items.get(0)));
    } else if (areTexts) {
      for (JsonElement item : items) {
        form.add(name + "[]", asText(item));
      }
    } else {
      form.add(name, items.toString());
    }
  }

  private static String asText(JsonElement value) {
    if (!value.isJsonPrimitive()) {
      return value.toString();
    }
    boolean isNumber = value.getAsJsonPrimitive().isNumber();
    return isNumber ? value.getAsBigDecimal().stripTrailingZeros().toPlainString() : value.getAsString();
  }

  private static JsonObject readFields(RequestBody body) throws IOException {
    if (body == null || body.contentType() == null || !body.contentType().subtype().equals("json")) {
      return null;
    }
    Buffer text = new Buffer();
    body.writeTo(text);
    return JsonParser.parseString(text.readUtf8()).getAsJsonObject();
  }

  // From bytes, because OkHttp would add a charset to the type of a text.
  private static RequestBody writeJson(JsonObject fields) {
    return RequestBody.create(fields.toString().getBytes(StandardCharsets.UTF_8), JSON_TYPE);
  }

  private void placeToken(Request given, Request.Builder request, JsonObject fields) {
    String header = given.header("Authorization");
    if (header == null) {
      return;
    }
    String accessToken = header.replaceFirst("^Bearer ", "");
    request.removeHeader("Authorization");
    if (token == Token.BEARER) {
      request.header("Authorization", "Bearer " + accessToken);
    } else if (token == Token.PAIR) {
      request.header("Authorization", "access_token=" + accessToken);
    } else if (token == Token.BODY && fields != null) {
      fields.addProperty("access_token", accessToken);
    } else {
      HttpUrl url = given.url().newBuilder().setQueryParameter("access_token", accessToken).build();
      request.url(url);
    }
  }
}
