package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"example.org/first-script/client"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// The access token, asked for by the client with each request that needs one.
type session struct{ accessToken string }

func (s *session) BearerToken(context.Context, client.OperationName) (client.BearerToken, error) {
	return client.BearerToken{Token: s.accessToken}, nil
}

func main() {
	text := client.NewOptString
	clientID, clientSecret := text(os.Getenv("CLIENT_ID")), text(os.Getenv("CLIENT_SECRET"))
	ctx := context.Background()
	signedIn := &session{}
	api := must(client.NewClient(os.Getenv("BASE_URL"), signedIn))
	list := func(from client.OptInt64) *client.SyncResponse {
		return must(api.GetSync(ctx, client.GetSyncParams{From: from}))
	}

	token := must(api.GrantToken(ctx, &client.TokenGrant{
		GrantType: "password", ClientID: clientID, ClientSecret: clientSecret,
		Username: text(os.Getenv("USERNAME")), Password: text(os.Getenv("PASSWORD")),
	}))
	signedIn.accessToken = token.AccessToken

	uploaded := must(api.PostSync(ctx, &client.SyncRequest{
		From: client.NewOptInt64(0), NewThing: []client.ThingCreate{{LocalID: "n1", Title: "Buy milk 🥛"}},
	}))
	id := client.ID(uploaded.Things.Value.New.Value["n1"])
	fmt.Println("created", id)

	listing := list(client.OptInt64{})
	for _, thing := range listing.Things.Value.Changed {
		fmt.Println("listed", thing.Title)
	}

	must(api.PostSync(ctx, &client.SyncRequest{
		From: client.NewOptInt64(listing.Pos), ChangedThing: []client.ThingUpdate{{ID: id, Title: "Buy oat milk"}},
	}))
	changes := list(client.NewOptInt64(listing.Pos))
	for _, thing := range changes.Things.Value.Changed {
		fmt.Println("changed", thing.Title)
	}

	must(api.PostSync(ctx, &client.SyncRequest{From: client.NewOptInt64(changes.Pos), DeletedThing: []client.ID{id}}))
	deletion := list(client.NewOptInt64(changes.Pos))
	for _, deleted := range deletion.Things.Value.Deleted {
		fmt.Println("deleted", deleted)
	}

	renewed := must(api.GrantToken(ctx, &client.TokenGrant{
		GrantType: "refresh_token", ClientID: clientID, ClientSecret: clientSecret, RefreshToken: text(token.RequestToken),
	}))
	signedIn.accessToken = renewed.AccessToken
	fmt.Println("position", list(client.NewOptInt64(deletion.Pos)).Pos)
}
