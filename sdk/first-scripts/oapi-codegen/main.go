package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"example.org/first-script/client"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

// The answer of an operation, or the end of the script with what the server said instead.
func answer[T any](body *T, raw []byte) *T {
	if body == nil {
		log.Fatalf("refused: %s", raw)
	}
	return body
}

func main() {
	clientID, clientSecret := os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET")
	username, password := os.Getenv("USERNAME"), os.Getenv("PASSWORD")
	ctx := context.Background()
	accessToken := ""
	addToken := func(_ context.Context, request *http.Request) error {
		if accessToken != "" {
			request.Header.Set("Authorization", "Bearer "+accessToken)
		}
		return nil
	}
	api := must(client.NewClientWithResponses(os.Getenv("BASE_URL"), client.WithRequestEditorFn(addToken)))
	grant := func(form client.TokenGrant) *client.TokenPair {
		granted := must(api.GrantTokenWithFormdataBodyWithResponse(ctx, form))
		return answer(granted.JSON200, granted.Body)
	}
	upload := func(body client.SyncRequest) *client.SyncResponse {
		synced := must(api.PostSyncWithResponse(ctx, body))
		return answer(synced.JSON200, synced.Body)
	}
	list := func(from *int64) *client.SyncResponse {
		synced := must(api.GetSyncWithResponse(ctx, &client.GetSyncParams{From: from}))
		return answer(synced.JSON200, synced.Body)
	}

	token := grant(client.TokenGrant{
		GrantType: "password", ClientId: &clientID, ClientSecret: &clientSecret, Username: &username, Password: &password,
	})
	accessToken = token.AccessToken

	start := int64(0)
	uploaded := upload(client.SyncRequest{From: &start, NewThing: &[]client.ThingCreate{{LocalId: "n1", Title: "Buy milk 🥛"}}})
	id := (*uploaded.Things.New)["n1"]
	fmt.Println("created", id)

	listing := list(nil)
	for _, thing := range *listing.Things.Changed {
		fmt.Println("listed", thing.Title)
	}

	upload(client.SyncRequest{
		From: &listing.Pos, ChangedThing: &[]client.ThingUpdate{{UnderscoreId: id, Title: "Buy oat milk"}},
	})
	changes := list(&listing.Pos)
	for _, thing := range *changes.Things.Changed {
		fmt.Println("changed", thing.Title)
	}

	upload(client.SyncRequest{From: &changes.Pos, DeletedThing: &[]string{id}})
	deletion := list(&changes.Pos)
	for _, deleted := range *deletion.Things.Deleted {
		fmt.Println("deleted", deleted)
	}

	accessToken = ""
	renewed := grant(client.TokenGrant{
		GrantType: "refresh_token", ClientId: &clientID, ClientSecret: &clientSecret, RefreshToken: &token.RequestToken,
	})
	accessToken = renewed.AccessToken
	fmt.Println("position", list(&deletion.Pos).Pos)
}
