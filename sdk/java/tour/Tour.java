// sample: imports
import java.util.List;
import okhttp3.OkHttpClient;
import thingsync.client.*;
import thingsync.client.model.*;
import thingsync.wire.WireInterceptor;
// end

/** Every operation once, with the installed artifact: the code samples of the API reference and of the README. */
public final class Tour {
  // sample: open
  static ThingsyncApi open(String accessToken) {
    OkHttpClient http = new OkHttpClient.Builder().addInterceptor(new WireInterceptor()).build();
    ApiClient client = new ApiClient(http).setBasePath("http://127.0.0.1:8484/v1");
    if (accessToken != null) client.setBearerToken(accessToken);
    return new ThingsyncApi(client);
  }
  // end

  public static void main(String[] args) throws ApiException {
    // sample: grantToken
    TokenPair pair = open(null).grantToken(
        "password", "app1", "s3cret", "anna", "correct horse", null, null, null, null);
    ThingsyncApi api = open(pair.getAccessToken());
    // end
    // sample: getTest
    String userName = api.getTest().getUser();
    // end
    System.out.println("signed in as " + userName);
    // sample: getSync
    SyncResponse first = api.getSync(null, null, null, null);
    // end
    // sample: postSync
    ThingCreate thing = new ThingCreate().localId("n1").title("Buy milk");
    SyncResponse response = api.postSync(new SyncRequest().from(first.getPos()).addNewThingItem(thing));
    String id = response.getThings().getNew().get("n1");
    // end
    // sample: addThing
    AddedThing added =
        api.addThing(new ThingAddition().title("Call Bert").tags("phone").url("https://example.com/"));
    // end
    System.out.println("added " + added.getTitle() + " " + added.getUrl());
    // sample: changeThing
    Thing changed = api.changeThing(new ThingChange().id(id).title("Buy oat milk"));
    // end
    System.out.println("changed " + changed.getTitle());
    // sample: getThings
    for (Thing listed : api.getThings("include", "phone", null, null)) {
      System.out.println("listed " + listed.getTitle());
    }
    // end
    // sample: previewLink
    LinkPreview preview = api.previewLink("https://page.example.com/");
    // end
    System.out.println("title " + preview.getTitle());
    // sample: getTags
    TagCounts counts = api.getTags(null);
    // end
    System.out.println("tags " + String.join(" ", counts.getOther().keySet()));
    // sample: getUser
    UserInfo user = api.getUser();
    // end
    System.out.println("things " + user.getThingCount());
    // sample: paging
    long total = 1;
    for (long skip = 0; skip < total; skip += 500) {
      SyncResponse page = api.getSync(first.getPos(), skip, 500L, null);
      total = page.getThingCount() == null ? 0 : page.getThingCount();
    }
    // end
    System.out.println("paged " + total);
    // sample: deleteThing
    DeletedThing deleted = api.deleteThing(new ThingDeletion().id(id));
    // end
    System.out.println("deleted " + deleted.getDeletedThing().equals(id));
    // sample: registerWebhook
    RegisteredWebhook hook =
        api.registerWebhook(new Webhook().targetUrl("https://hooks.example.org/").event("any"));
    // end
    System.out.println("hook " + hook.getRegistered());
    // sample: listWebhooks
    List<WebhookInfo> hooks = api.listWebhooks();
    // end
    System.out.println("hooks " + hooks.size());
    // sample: unregisterWebhook
    api.unregisterWebhook(new Webhook().targetUrl("https://hooks.example.org/").event("any"));
    // end
    // sample: getDeviceKey
    String key = api.getDeviceKey().getKey();
    // end
    System.out.println("key " + key.length());
    // sample: registerDevice
    api.registerDevice(new DeviceRegistration().type("webpush").id("phone")
        .endpoint("https://push.example.org/x").p256dh("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4").auth("BTBZMqHH6r4Tts7J_aSIgg"));
    // end
    // sample: listDevices
    List<DeviceInfo> devices = api.listDevices();
    // end
    System.out.println("devices " + devices.size());
    // sample: unregisterDevice
    api.unregisterDevice(new DeviceRemoval().type("webpush").id("phone"));
    // end
    // sample: refresh
    pair = open(null).grantToken(
        "refresh_token", "app1", "s3cret", null, null, pair.getRequestToken(), null, null, null);
    api = open(pair.getAccessToken());
    // end
    System.out.println("refreshed as " + api.getTest().getUser());
    open(null).grantToken("password", "app1", "s3cret", "anna", "correct horse", null, null, null, null);
    // sample: listSessions
    List<SessionInfo> sessions = api.listSessions();
    // end
    System.out.println("sessions " + sessions.size());
    // sample: revokeSession
    for (SessionInfo session : sessions) {
      if (!session.getCurrent()) api.revokeSession(new SessionRevocation().id(session.getId()));
    }
    // end
    System.out.println("left " + api.listSessions().size());
    // sample: revokeToken
    open(null).revokeToken(
        new TokenRevocation().token(pair.getRequestToken()).clientId("app1").clientSecret("s3cret"));
    // end
    // OkHttp keeps its threads for a while.
    System.exit(0);
  }
}
