// sample: imports
import okhttp3.OkHttpClient
import thingsync.client.apis.ThingsyncApi
import thingsync.client.models.*
import thingsync.wire.WireInterceptor
// end

// sample: open
fun open(accessToken: String? = null): ThingsyncApi {
    val http = OkHttpClient.Builder().addInterceptor(WireInterceptor(accessToken)).build()
    return ThingsyncApi("http://127.0.0.1:8484/v1", http)
}
// end

/** Every operation once, with the installed artifact: the code samples of the API reference and of the README. */
fun main() {
    // sample: grantToken
    val (id, secret) = "app1" to "s3cret"
    var pair = open().grantToken("password", id, secret, username = "anna", password = "correct horse")
    var api = open(pair.accessToken)
    // end
    // sample: getTest
    val userName = api.getTest().user
    // end
    println("signed in as $userName")
    // sample: getSync
    val first = api.getSync()
    // end
    // sample: postSync
    val newThing = listOf(ThingCreate(localId = "n1", title = "Buy milk"))
    val response = api.postSync(SyncRequest(from = first.pos, newThing = newThing))
    val thingId = response.things!!.new!!.getValue("n1")
    // end
    // sample: addThing
    val added = api.addThing(ThingAddition(title = "Call Bert", tags = "phone", url = "https://example.com/"))
    // end
    println("added ${added.title} ${added.url}")
    // sample: changeThing
    val changed = api.changeThing(ThingChange(id = thingId, title = "Buy oat milk"))
    // end
    println("changed ${changed.title}")
    // sample: getThings
    api.getThings(archived = "include", tag = "phone").forEach { println("listed ${it.title}") }
    // end
    // sample: previewLink
    val preview = api.previewLink(url = "https://page.example.com/")
    // end
    println("title ${preview.title}")
    // sample: getTags
    val counts = api.getTags()
    // end
    println("tags ${counts.other.keys.joinToString(" ")}")
    // sample: getUser
    val user = api.getUser()
    // end
    println("things ${user.thingCount}")
    // sample: paging
    var skip = 0L
    var total = 1L
    while (skip < total) {
        val page = api.getSync(from = first.pos, skip = skip, limit = 500)
        total = page.thingCount ?: 0
        skip += 500
    }
    // end
    println("paged $total")
    // sample: deleteThing
    val deleted = api.deleteThing(ThingDeletion(id = thingId))
    // end
    println("deleted ${deleted.deletedThing == thingId}")
    // sample: registerWebhook
    val hook = api.registerWebhook(Webhook(targetUrl = "https://hooks.example.org/", event = "any"))
    // end
    println("hook ${hook.registered}")
    // sample: listWebhooks
    val hooks = api.listWebhooks()
    // end
    println("hooks ${hooks.size}")
    // sample: unregisterWebhook
    api.unregisterWebhook(Webhook(targetUrl = "https://hooks.example.org/", event = "any"))
    // end
    // sample: getDeviceKey
    val key = api.getDeviceKey().key
    // end
    println("key ${key.length}")
    // sample: registerDevice
    val endpoint = "https://push.example.org/x"
    api.registerDevice(DeviceRegistration("webpush", "phone", endpoint = endpoint, p256dh = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", auth = "BTBZMqHH6r4Tts7J_aSIgg"))
    // end
    // sample: listDevices
    val devices = api.listDevices()
    // end
    println("devices ${devices.size}")
    // sample: unregisterDevice
    api.unregisterDevice(DeviceRemoval(type = "webpush", id = "phone"))
    // end
    // sample: refresh
    pair = open().grantToken("refresh_token", id, secret, refreshToken = pair.requestToken)
    api = open(pair.accessToken)
    // end
    println("refreshed as ${api.getTest().user}")
    open().grantToken("password", id, secret, username = "anna", password = "correct horse")
    // sample: listSessions
    val sessions = api.listSessions()
    // end
    println("sessions ${sessions.size}")
    // sample: revokeSession
    sessions.filterNot { it.current }.forEach { api.revokeSession(SessionRevocation(it.id)) }
    // end
    println("left ${api.listSessions().size}")
    // sample: revokeToken
    open().revokeToken(TokenRevocation(token = pair.requestToken, clientId = id, clientSecret = secret))
    // end
    // OkHttp keeps its threads for a while.
    kotlin.system.exitProcess(0)
}
