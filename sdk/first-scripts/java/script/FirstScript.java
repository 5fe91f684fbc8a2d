import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.ThingsyncApi;
import org.openapitools.client.model.SyncResponse;
import org.openapitools.client.model.SyncRequest;
import org.openapitools.client.model.Thing;
import org.openapitools.client.model.ThingCreate;
import org.openapitools.client.model.ThingUpdate;
import org.openapitools.client.model.TokenPair;

public class FirstScript {
    private static ThingsyncApi connect(String token) {
        ApiClient client = new ApiClient().setBasePath(System.getenv("BASE_URL"));
        if (token != null) client.setBearerToken(token);
        return new ThingsyncApi(client);
    }

    public static void main(String[] args) throws ApiException {
        String clientId = System.getenv("CLIENT_ID");
        String clientSecret = System.getenv("CLIENT_SECRET");
        TokenPair token = connect(null).grantToken(
            "password", clientId, clientSecret, System.getenv("USERNAME"), System.getenv("PASSWORD"), null, null,
            null, null);
        ThingsyncApi api = connect(token.getAccessToken());

        ThingCreate newThing = new ThingCreate().localId("n1").title("Buy milk 🥛");
        SyncResponse uploaded = api.postSync(new SyncRequest().from(0L).newThing(List.of(newThing)));
        String id = uploaded.getThings().getNew().get("n1");
        System.out.println("created " + id);

        SyncResponse listing = api.getSync(null, null, null, null);
        for (Thing thing : listing.getThings().getChanged()) System.out.println("listed " + thing.getTitle());

        ThingUpdate changedThing = new ThingUpdate().id(id).title("Buy oat milk");
        api.postSync(new SyncRequest().from(listing.getPos()).changedThing(List.of(changedThing)));
        SyncResponse changes = api.getSync(listing.getPos(), null, null, null);
        for (Thing thing : changes.getThings().getChanged()) System.out.println("changed " + thing.getTitle());

        api.postSync(new SyncRequest().from(changes.getPos()).deletedThing(List.of(id)));
        SyncResponse deletion = api.getSync(changes.getPos(), null, null, null);
        for (String deleted : deletion.getThings().getDeleted()) System.out.println("deleted " + deleted);

        TokenPair renewed = connect(null).grantToken(
            "refresh_token", clientId, clientSecret, null, null, token.getRequestToken(), null, null, null);
        SyncResponse last = connect(renewed.getAccessToken()).getSync(deletion.getPos(), null, null, null);
        System.out.println("position " + last.getPos());
    }
}
