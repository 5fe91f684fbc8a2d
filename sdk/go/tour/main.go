// Command tour calls every operation once, with the installed module: the code samples of the API reference and of the README.
package main

// sample: imports
import (
	"context"
	"fmt"
	"net/http"

	"thingsync.example/sdk/thingsync"
	"thingsync.example/sdk/wire"
)

// end

// sample: open
func open() *thingsync.ThingsyncAPIService {
	configuration := thingsync.NewConfiguration()
	configuration.Servers[0].URL = "http://127.0.0.1:8484/v1"
	configuration.HTTPClient = &http.Client{Transport: wire.Transport{}}
	return thingsync.NewAPIClient(configuration).ThingsyncAPI
}

func withToken(token string) context.Context {
	return context.WithValue(context.Background(), thingsync.ContextAccessToken, token)
}

// end

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	// sample: grantToken
	api := open()
	pair, _, err := api.GrantToken(context.Background()).GrantType("password").
		ClientId("app1").ClientSecret("s3cret").Username("anna").Password("correct horse").Execute()
	if err != nil {
		panic(err)
	}
	ctx := withToken(pair.AccessToken)
	// end
	// sample: getTest
	test, _, err := api.GetTest(ctx).Execute()
	// end
	check(err)
	fmt.Println("signed in as", test.User)
	// sample: getSync
	first, _, err := api.GetSync(ctx).Execute()
	// end
	check(err)
	// sample: postSync
	thing := thingsync.NewThingCreate("n1", "Buy milk")
	upload := thingsync.SyncRequest{From: &first.Pos, NewThing: []thingsync.ThingCreate{*thing}}
	response, _, err := api.PostSync(ctx).Body(upload).Execute()
	id := response.Things.GetNew()["n1"]
	// end
	check(err)
	// sample: addThing
	addition := thingsync.NewThingAddition("Call Bert")
	addition.SetTags("phone")
	addition.SetUrl("https://example.com/")
	added, _, err := api.AddThing(ctx).Body(*addition).Execute()
	// end
	check(err)
	fmt.Println("added", added.Title, added.GetUrl())
	// sample: changeThing
	change := thingsync.NewThingChange(id)
	change.SetTitle("Buy oat milk")
	changed, _, err := api.ChangeThing(ctx).Body(*change).Execute()
	// end
	check(err)
	fmt.Println("changed", changed.Title)
	// sample: getThings
	things, _, err := api.GetThings(ctx).Archived("include").Tag("phone").Execute()
	// end
	check(err)
	for _, thing := range things {
		fmt.Println("listed", thing.Title)
	}
	// sample: previewLink
	preview, _, err := api.PreviewLink(ctx).Url("https://page.example.com/").Execute()
	// end
	check(err)
	fmt.Println("title", preview.GetTitle())
	// sample: getTags
	counts, _, err := api.GetTags(ctx).Execute()
	// end
	check(err)
	for name := range counts.Other {
		fmt.Println("tags", name)
	}
	// sample: getUser
	user, _, err := api.GetUser(ctx).Execute()
	// end
	check(err)
	fmt.Println("things", user.ThingCount)
	// sample: paging
	total := int64(1)
	for skip := int64(0); skip < total; skip += 500 {
		page, _, err := api.GetSync(ctx).From(first.Pos).Skip(skip).Limit(500).Execute()
		if err != nil {
			panic(err)
		}
		total = page.GetThingCount()
	}
	// end
	fmt.Println("paged", total)
	// sample: deleteThing
	deleted, _, err := api.DeleteThing(ctx).Body(*thingsync.NewThingDeletion(id)).Execute()
	// end
	check(err)
	fmt.Println("deleted", deleted.DeletedThing == id)
	// sample: registerWebhook
	hook, _, err := api.RegisterWebhook(ctx).Body(*thingsync.NewWebhook("https://hooks.example.org/", "any")).Execute()
	// end
	check(err)
	fmt.Println("hook", hook.Registered)
	// sample: listWebhooks
	hooks, _, err := api.ListWebhooks(ctx).Execute()
	// end
	check(err)
	fmt.Println("hooks", len(hooks))
	// sample: unregisterWebhook
	_, _, err = api.UnregisterWebhook(ctx).Body(*thingsync.NewWebhook("https://hooks.example.org/", "any")).Execute()
	// end
	check(err)
	// sample: getDeviceKey
	serverKey, _, err := api.GetDeviceKey(ctx).Execute()
	// end
	check(err)
	fmt.Println("key", len(serverKey.Key))
	// sample: registerDevice
	device := thingsync.NewDeviceRegistration("webpush", "phone")
	device.SetEndpoint("https://push.example.org/x")
	device.SetP256dh("BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4")
	device.SetAuth("BTBZMqHH6r4Tts7J_aSIgg")
	_, _, err = api.RegisterDevice(ctx).Body(*device).Execute()
	// end
	check(err)
	// sample: listDevices
	devices, _, err := api.ListDevices(ctx).Execute()
	// end
	check(err)
	fmt.Println("devices", len(devices))
	// sample: unregisterDevice
	_, _, err = api.UnregisterDevice(ctx).Body(*thingsync.NewDeviceRemoval("webpush", "phone")).Execute()
	// end
	check(err)
	// sample: refresh
	pair, _, err = api.GrantToken(context.Background()).GrantType("refresh_token").
		ClientId("app1").ClientSecret("s3cret").RefreshToken(pair.RequestToken).Execute()
	if err != nil {
		panic(err)
	}
	ctx = withToken(pair.AccessToken)
	// end
	test, _, err = api.GetTest(ctx).Execute()
	check(err)
	fmt.Println("refreshed as", test.User)
	_, _, err = api.GrantToken(context.Background()).GrantType("password").
		ClientId("app1").ClientSecret("s3cret").Username("anna").Password("correct horse").Execute()
	check(err)
	// sample: listSessions
	sessions, _, err := api.ListSessions(ctx).Execute()
	// end
	check(err)
	fmt.Println("sessions", len(sessions))
	// sample: revokeSession
	for _, session := range sessions {
		if session.Current {
			continue
		}
		_, _, err = api.RevokeSession(ctx).Body(*thingsync.NewSessionRevocation(session.Id)).Execute()
		if err != nil {
			panic(err)
		}
	}
	// end
	sessions, _, err = api.ListSessions(ctx).Execute()
	check(err)
	fmt.Println("left", len(sessions))
	// sample: revokeToken
	revocation := thingsync.NewTokenRevocation(pair.RequestToken)
	revocation.SetClientId("app1")
	revocation.SetClientSecret("s3cret")
	_, _, err = api.RevokeToken(context.Background()).Body(*revocation).Execute()
	// end
	check(err)
}
