package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"example.org/first-script/client"
)

func must[T any](value *T, _ any, err error) *T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func main() {
	configuration := client.NewConfiguration()
	configuration.Servers = client.ServerConfigurations{{URL: os.Getenv("BASE_URL")}}
	api := client.NewAPIClient(configuration).ThingsyncAPI

	token := must(api.GrantToken(context.Background()).GrantType("password").
		ClientId(os.Getenv("CLIENT_ID")).ClientSecret(os.Getenv("CLIENT_SECRET")).
		Username(os.Getenv("USERNAME")).Password(os.Getenv("PASSWORD")).Execute())
	signedIn := context.WithValue(context.Background(), client.ContextAccessToken, token.AccessToken)

	upload := client.NewSyncRequest()
	upload.SetFrom(0)
	upload.SetNewThing([]client.ThingCreate{*client.NewThingCreate("n1", "Buy milk 🥛")})
	uploaded := must(api.PostSync(signedIn).Body(*upload).Execute())
	id := uploaded.Things.GetNew()["n1"]
	fmt.Println("created", id)

	listing := must(api.GetSync(signedIn).Execute())
	for _, thing := range listing.Things.Changed {
		fmt.Println("listed", thing.Title)
	}

	change := client.NewSyncRequest()
	change.SetFrom(listing.Pos)
	change.SetChangedThing([]client.ThingUpdate{*client.NewThingUpdate(id, "Buy oat milk")})
	must(api.PostSync(signedIn).Body(*change).Execute())
	changes := must(api.GetSync(signedIn).From(listing.Pos).Execute())
	for _, thing := range changes.Things.Changed {
		fmt.Println("changed", thing.Title)
	}

	removal := client.NewSyncRequest()
	removal.SetFrom(changes.Pos)
	removal.SetDeletedThing([]string{id})
	must(api.PostSync(signedIn).Body(*removal).Execute())
	deletion := must(api.GetSync(signedIn).From(changes.Pos).Execute())
	for _, deleted := range deletion.Things.Deleted {
		fmt.Println("deleted", deleted)
	}

	renewed := must(api.GrantToken(context.Background()).GrantType("refresh_token").
		ClientId(os.Getenv("CLIENT_ID")).ClientSecret(os.Getenv("CLIENT_SECRET")).
		RefreshToken(token.RequestToken).Execute())
	again := context.WithValue(context.Background(), client.ContextAccessToken, renewed.AccessToken)
	last := must(api.GetSync(again).From(deletion.Pos).Execute())
	fmt.Println("position", last.Pos)
}
