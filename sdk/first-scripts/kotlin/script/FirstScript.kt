import org.openapitools.client.apis.ThingsyncApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.models.SyncRequest
import org.openapitools.client.models.ThingCreate
import org.openapitools.client.models.ThingUpdate

fun main() {
    val env = System.getenv()
    val api = ThingsyncApi(env.getValue("BASE_URL"))
    val token = api.grantToken(
        grantType = "password",
        clientId = env["CLIENT_ID"],
        clientSecret = env["CLIENT_SECRET"],
        username = env["USERNAME"],
        password = env["PASSWORD"],
    )
    ApiClient.accessToken = token.accessToken

    val uploaded = api.postSync(SyncRequest(from = 0, newThing = listOf(ThingCreate(localId = "n1", title = "Buy milk 🥛"))))
    val id = uploaded.things!!.new!!.getValue("n1")
    println("created $id")

    val listing = api.getSync()
    listing.things?.changed?.forEach { println("listed ${it.title}") }

    api.postSync(SyncRequest(from = listing.pos, changedThing = listOf(ThingUpdate(id = id, title = "Buy oat milk"))))
    val changes = api.getSync(from = listing.pos)
    changes.things?.changed?.forEach { println("changed ${it.title}") }

    api.postSync(SyncRequest(from = changes.pos, deletedThing = listOf(id)))
    val deletion = api.getSync(from = changes.pos)
    deletion.things?.deleted?.forEach { println("deleted $it") }

    val renewed = api.grantToken(
        grantType = "refresh_token",
        clientId = env["CLIENT_ID"],
        clientSecret = env["CLIENT_SECRET"],
        refreshToken = token.requestToken,
    )
    ApiClient.accessToken = renewed.accessToken
    println("position ${api.getSync(from = deletion.pos).pos}")
}
