// A first adapter for a client in Go. Start it with: thingsync-conformance client -- go run adapter.go
package main

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
)

// Message holds the members of a command or of a result. UseNumber keeps big numbers exact.
type Message = map[string]any

// Failure is an error as the suite wants it: a kind, and status and code where the client knows them.
type Failure struct {
	Kind    string `json:"kind"`
	Message string `json:"message,omitempty"`
	Status  int    `json:"status,omitempty"`
	Code    string `json:"code,omitempty"`
}

func run(command string, parameters Message) (Message, *Failure) {
	switch command {
	case "hello":
		// Add the features that your client has. For the profile "replica", see replica-adapter.go.
		return Message{"protocol": 1, "name": "my client", "version": "1.0",
			"profiles": []string{"api"}, "features": []string{}}, nil
	case "init":
		// Create your client here, from base_url, client_id, client_secret, username and password.
		// It need not send a request yet. If it has a sign-in call, make it before the first request.
		return Message{}, nil
	case "sync", "token", "refresh":
		// Call your client here. Pass on what is given, and nothing else. Return what it decoded:
		// response, err := client.Sync(parameters)
		// if err != nil { return nil, &Failure{Kind: "rejected", Status: err.Status, Code: err.Code} }
		return nil, &Failure{Kind: "unsupported", Message: command + ": call your client in adapter.go"}
	}
	return nil, &Failure{Kind: "unsupported", Message: command}
}

func main() {
	input := bufio.NewReader(os.Stdin)
	output := json.NewEncoder(os.Stdout)
	decoder := json.NewDecoder(input)
	decoder.UseNumber()
	for {
		var message Message
		if err := decoder.Decode(&message); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		id, command := message["id"], message["command"].(string)
		delete(message, "id")
		delete(message, "command")
		result, failure := run(command, message)
		reply := Message{"id": id}
		if failure != nil {
			reply["error"] = failure
		} else {
			reply["result"] = result
		}
		if err := output.Encode(reply); err != nil {
			panic(err)
		}
	}
}
