// Command runner makes the calls that `npm run sdk:test` sends as lines of JSON, with the generated client, and answers
// each with a line.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"

	"thingsync.example/sdk/thingsync"
	"thingsync.example/sdk/wire"
)

type call struct {
	BaseURL string `json:"base_url"`
	Call    string
	With    json.RawMessage
	Token   string
	Wire    struct{ Bodies, Token string }
}

type parameters struct {
	From, Skip, Limit  *int64
	SkipID             []string `json:"skip_id"`
	Archived, Tag      *string
	GrantType          string `json:"grant_type"`
	ClientID           string `json:"client_id"`
	ClientSecret       string `json:"client_secret"`
	RefreshToken       string `json:"refresh_token"`
	Username, Password string
}

type executed[Answer any] interface {
	Execute() (Answer, *http.Response, error)
}

func finish[Answer any](request executed[Answer]) (any, *http.Response, error) {
	return request.Execute()
}

func send[Body, Answer any, Request executed[Answer]](given json.RawMessage, prepare func(Body) Request) (any, *http.Response, error) {
	var body Body
	if err := json.Unmarshal(given, &body); err != nil {
		return nil, nil, err
	}
	return prepare(body).Execute()
}

func getSync(request thingsync.ApiGetSyncRequest, p parameters) thingsync.ApiGetSyncRequest {
	if p.From != nil {
		request = request.From(*p.From)
	}
	if p.Skip != nil {
		request = request.Skip(*p.Skip)
	}
	if p.Limit != nil {
		request = request.Limit(*p.Limit)
	}
	if p.SkipID != nil {
		request = request.SkipId(p.SkipID)
	}
	return request
}

func getThings(request thingsync.ApiGetThingsRequest, p parameters) thingsync.ApiGetThingsRequest {
	if p.Archived != nil {
		request = request.Archived(*p.Archived)
	}
	if p.Tag != nil {
		request = request.Tag(*p.Tag)
	}
	return request
}

func grantToken(request thingsync.ApiGrantTokenRequest, p parameters) thingsync.ApiGrantTokenRequest {
	request = request.GrantType(p.GrantType).ClientId(p.ClientID).ClientSecret(p.ClientSecret)
	if p.RefreshToken != "" {
		return request.RefreshToken(p.RefreshToken)
	}
	return request.Username(p.Username).Password(p.Password)
}

func makeCall(api *thingsync.ThingsyncAPIService, ctx context.Context, c call) (any, *http.Response, error) {
	var p parameters
	if strings.HasPrefix(c.Call, "get") || c.Call == "grantToken" {
		if err := json.Unmarshal(c.With, &p); err != nil {
			return nil, nil, err
		}
	}
	switch c.Call {
	case "grantToken":
		return finish(grantToken(api.GrantToken(ctx), p))
	case "getSync":
		return finish(getSync(api.GetSync(ctx), p))
	case "getTest":
		return finish(api.GetTest(ctx))
	case "getUser":
		return finish(api.GetUser(ctx))
	case "getTags":
		return finish(api.GetTags(ctx))
	case "getThings":
		return finish(getThings(api.GetThings(ctx), p))
	case "revokeToken":
		return send(c.With, api.RevokeToken(ctx).Body)
	case "postSync":
		return send(c.With, api.PostSync(ctx).Body)
	case "addThing":
		return send(c.With, api.AddThing(ctx).Body)
	case "changeThing":
		return send(c.With, api.ChangeThing(ctx).Body)
	case "deleteThing":
		return send(c.With, api.DeleteThing(ctx).Body)
	case "registerDevice":
		return send(c.With, api.RegisterDevice(ctx).Body)
	case "unregisterDevice":
		return send(c.With, api.UnregisterDevice(ctx).Body)
	case "registerWebhook":
		return send(c.With, api.RegisterWebhook(ctx).Body)
	case "unregisterWebhook":
		return send(c.With, api.UnregisterWebhook(ctx).Body)
	}
	return nil, nil, fmt.Errorf("%s: no such call", c.Call)
}

func readError(text []byte) any {
	if json.Valid(text) {
		return json.RawMessage(text)
	}
	return string(text)
}

func answer(c call) map[string]any {
	configuration := thingsync.NewConfiguration()
	configuration.Servers[0].URL = c.BaseURL
	configuration.HTTPClient = &http.Client{Transport: wire.Transport{Bodies: c.Wire.Bodies, Token: c.Wire.Token}}
	ctx := context.Background()
	if c.Token != "" {
		ctx = context.WithValue(ctx, thingsync.ContextAccessToken, c.Token)
	}
	value, response, err := makeCall(thingsync.NewAPIClient(configuration).ThingsyncAPI, ctx, c)
	var refused *thingsync.GenericOpenAPIError
	if errors.As(err, &refused) && response != nil && response.StatusCode >= 300 {
		return map[string]any{"status": response.StatusCode, "error": readError(refused.Body())}
	}
	if errors.As(err, &refused) || errors.Is(err, wire.ErrEmptyResponse) {
		return map[string]any{"failure": err.Error(), "kind": "unexpected_response"}
	}
	var broken *url.Error
	if errors.As(err, &broken) {
		return map[string]any{"failure": err.Error(), "kind": "network"}
	}
	if err != nil {
		return map[string]any{"failure": err.Error()}
	}
	return map[string]any{"value": value}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	out := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var c call
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			panic(err)
		}
		if err := out.Encode(answer(c)); err != nil {
			panic(err)
		}
	}
}
