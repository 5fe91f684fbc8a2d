// Package wire writes the generated client's requests as a server of the interface takes them.
package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Transport is an http.RoundTripper for thingsync.Configuration.HTTPClient. Give the access token as thingsync.ContextAccessToken.
type Transport struct {
	// Bodies is "form" (also when empty; works with every server) or "json" (where the server's document offers it).
	Bodies string
	// Token says where the access token goes: "bearer" (also when empty) or "pair" (access_token=T) for the header,
	// "query", or "body" (of a GET: the query).
	Token string
	// Next sends the request; http.DefaultTransport when nil.
	Next http.RoundTripper
}

// ErrEmptyResponse is the error of a success without a body, where the interface specifies one.
var ErrEmptyResponse = errors.New("the response has no body")

type fields map[string]json.RawMessage

func asText(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

func writeList(form url.Values, name string, items []json.RawMessage) {
	areTexts := true
	for _, item := range items {
		areTexts = areTexts && item[0] == '"'
	}
	if len(items) == 1 {
		form.Set(name, asText(items[0]))
	} else if areTexts {
		for _, item := range items {
			form.Add(name+"[]", asText(item))
		}
	} else {
		text, _ := json.Marshal(items) // texts that were JSON before always are JSON
		form.Set(name, string(text))
	}
}

// WriteForm gives the fields as a form of interface 4.3: objects as JSON text, several things as one JSON array,
// several ids repeated, maps as name[key].
func WriteForm(body map[string]json.RawMessage) url.Values {
	form := url.Values{}
	for name, value := range body {
		var items []json.RawMessage
		var members fields
		if string(value) == "null" {
			continue
		}
		if value[0] == '[' && json.Unmarshal(value, &items) == nil {
			writeList(form, name, items)
		} else if value[0] == '{' && json.Unmarshal(value, &members) == nil {
			for key, member := range members {
				form.Set(name+"["+key+"]", asText(member))
			}
		} else {
			form.Set(name, asText(value))
		}
	}
	return form
}

func readFields(request *http.Request) (fields, error) {
	if request.Body == nil || !strings.HasPrefix(request.Header.Get("Content-Type"), "application/json") {
		return nil, nil
	}
	text, err := io.ReadAll(request.Body)
	if err != nil {
		return nil, err
	}
	if err := request.Body.Close(); err != nil {
		return nil, err
	}
	var body fields
	return body, json.Unmarshal(text, &body)
}

func (t Transport) placeToken(request *http.Request, body fields) {
	token := strings.TrimPrefix(request.Header.Get("Authorization"), "Bearer ")
	if token == "" {
		return
	}
	request.Header.Del("Authorization")
	switch {
	case t.Token == "" || t.Token == "bearer":
		request.Header.Set("Authorization", "Bearer "+token)
	case t.Token == "pair":
		request.Header.Set("Authorization", "access_token="+token)
	case t.Token == "body" && body != nil:
		body["access_token"], _ = json.Marshal(token) // a string always is JSON
	default:
		query := request.URL.Query()
		query.Set("access_token", token)
		request.URL.RawQuery = query.Encode()
	}
}

// RoundTrip sends a copy of the request with the body and the token where Bodies and Token say, and checks the response.
func (t Transport) RoundTrip(given *http.Request) (*http.Response, error) {
	request := given.Clone(given.Context())
	body, err := readFields(request)
	if err != nil {
		return nil, err
	}
	t.placeToken(request, body)
	if body != nil {
		text, _ := json.Marshal(body) // as above
		if t.Bodies != "json" {
			text = []byte(WriteForm(body).Encode())
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
		request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
	}
	next := t.Next
	if next == nil {
		next = http.DefaultTransport
	}
	response, err := next.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	return checkResponse(response)
}

// checkResponse reads a response whole. Without Location, http.Client follows no redirect, which could send a password
// or token to another server. An error that comes with a success status gets the status 400.
func checkResponse(response *http.Response) (*http.Response, error) {
	text, err := io.ReadAll(response.Body)
	if closed := response.Body.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nil, err
	}
	if len(text) == 0 && response.StatusCode < 300 && !strings.HasSuffix(response.Request.URL.Path, "/revoke") {
		return nil, ErrEmptyResponse
	}
	response.Header.Del("Location")
	response.Body = io.NopCloser(bytes.NewReader(text))
	var body struct{ Error *string }
	isShort := len(text) <= 65536
	if response.StatusCode < 300 && isShort && json.Unmarshal(text, &body) == nil && body.Error != nil {
		response.StatusCode, response.Status = http.StatusBadRequest, "400 Bad Request"
	}
	return response, nil
}
