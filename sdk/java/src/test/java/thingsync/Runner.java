package thingsync;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import okhttp3.OkHttpClient;
import thingsync.client.ApiClient;
import thingsync.client.ApiException;
import thingsync.client.JSON;
import thingsync.client.ThingsyncApi;
import thingsync.client.model.DeviceRegistration;
import thingsync.client.model.DeviceRemoval;
import thingsync.client.model.SyncRequest;
import thingsync.client.model.ThingAddition;
import thingsync.client.model.ThingChange;
import thingsync.client.model.ThingDeletion;
import thingsync.client.model.TokenPair;
import thingsync.client.model.TokenRevocation;
import thingsync.client.model.Webhook;
import thingsync.wire.WireInterceptor;

/** Makes the calls that `npm run sdk:test` sends as lines of JSON, with the generated client, and answers each with a line. */
public final class Runner {
  private static final OkHttpClient HTTP = new OkHttpClient();

  public static void main(String[] args) throws IOException {
    BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      out.println(answer(JsonParser.parseString(line).getAsJsonObject()));
    }
    HTTP.dispatcher().executorService().shutdown();
    HTTP.connectionPool().evictAll();
  }

  private static JsonObject answer(JsonObject request) {
    JsonObject answer = new JsonObject();
    try {
      answer.add("value", call(openApi(request), request.get("call").getAsString(), request.getAsJsonObject("with")));
    } catch (ApiException error) {
      // A body that breaks off comes with the status of its head, and without a text.
      if (error.getCode() == 0 || error.getResponseBody() == null) {
        answer.addProperty("failure", error.toString());
        if (error.getCause() instanceof IOException) {
          answer.addProperty("kind", "network");
        }
      } else {
        answer.addProperty("status", error.getCode());
        answer.add("error", readError(error.getResponseBody()));
      }
    } catch (JsonParseException | IllegalArgumentException error) { // JSON that cannot be read, or that lacks members
      answer.addProperty("failure", error.toString());
      answer.addProperty("kind", "unexpected_response");
    } catch (RuntimeException error) {
      answer.addProperty("failure", error.toString());
    }
    return answer;
  }

  private static JsonElement readError(String text) {
    try {
      return JsonParser.parseString(text);
    } catch (JsonParseException unreadable) {
      return new JsonPrimitive(text);
    }
  }

  private static ThingsyncApi openApi(JsonObject request) {
    JsonObject options = request.getAsJsonObject("wire");
    WireInterceptor.Bodies bodies = WireInterceptor.Bodies.valueOf(upper(options.get("bodies")));
    WireInterceptor.Token token = WireInterceptor.Token.valueOf(upper(options.get("token")));
    OkHttpClient http = HTTP.newBuilder().addInterceptor(new WireInterceptor(bodies, token)).build();
    ApiClient client = new ApiClient(http).setBasePath(request.get("base_url").getAsString());
    if (request.has("token")) {
      client.setBearerToken(request.get("token").getAsString());
    }
    return new ThingsyncApi(client);
  }

  private static String upper(JsonElement word) {
    return word.getAsString().toUpperCase(Locale.ROOT);
  }

  private static JsonElement call(ThingsyncApi api, String name, JsonObject with) throws ApiException {
    Gson gson = JSON.getGson();
    switch (name) {
      case "grantToken":
        TokenPair pair = api.grantToken(text(with, "grant_type"), text(with, "client_id"), text(with, "client_secret"),
            text(with, "username"), text(with, "password"), text(with, "refresh_token"), null, null, null);
        JsonObject tree = gson.toJsonTree(pair).getAsJsonObject();
        tree.add("scope", gson.toJsonTree(pair.getScope())); // Gson leaves null out
        return tree;
      case "getSync":
        return gson.toJsonTree(api.getSync(whole(with, "from"), whole(with, "skip"), whole(with, "limit"), texts(with, "skip_id")));
      case "getTest":
        return gson.toJsonTree(api.getTest());
      case "getUser":
        return gson.toJsonTree(api.getUser());
      case "getTags":
        return gson.toJsonTree(api.getTags(null));
      case "getThings":
        return gson.toJsonTree(api.getThings(text(with, "archived"), text(with, "tag"), null, null));
      case "postSync":
        return gson.toJsonTree(api.postSync(gson.fromJson(with, SyncRequest.class)));
      case "addThing":
        return gson.toJsonTree(api.addThing(gson.fromJson(with, ThingAddition.class)));
      case "changeThing":
        return gson.toJsonTree(api.changeThing(gson.fromJson(with, ThingChange.class)));
      case "deleteThing":
        return gson.toJsonTree(api.deleteThing(gson.fromJson(with, ThingDeletion.class)));
      case "registerDevice":
        return gson.toJsonTree(api.registerDevice(gson.fromJson(with, DeviceRegistration.class)));
      case "unregisterDevice":
        return gson.toJsonTree(api.unregisterDevice(gson.fromJson(with, DeviceRemoval.class)));
      case "registerWebhook":
        return gson.toJsonTree(api.registerWebhook(gson.fromJson(with, Webhook.class)));
      case "unregisterWebhook":
        return gson.toJsonTree(api.unregisterWebhook(gson.fromJson(with, Webhook.class)));
      case "revokeToken":
        return gson.toJsonTree(api.revokeToken(gson.fromJson(with, TokenRevocation.class)));
      default:
        throw new UnsupportedOperationException(name + ": no such call");
    }
  }

  private static String text(JsonObject with, String name) {
    return with.has(name) ? with.get(name).getAsString() : null;
  }

  private static List<String> texts(JsonObject with, String name) {
    if (!with.has(name)) {
      return null;
    }
    List<String> texts = new ArrayList<>();
    with.getAsJsonArray(name).forEach(item -> texts.add(item.getAsString()));
    return texts;
  }

  private static Long whole(JsonObject with, String name) {
    return with.has(name) ? with.get(name).getAsLong() : null;
  }
}
