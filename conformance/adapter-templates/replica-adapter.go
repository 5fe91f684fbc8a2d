// A first adapter for an offline client in Go: thingsync-conformance client -- go run replica-adapter.go
package main

import (
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

// run calls the client. An error of the client becomes: return nil, &Failure{Kind: "rejected", Status: …, Code: …}
func run(command string, parameters Message) (Message, *Failure) {
	switch command {
	case "hello":
		// Add the features that your client has. "set-tag" is the only one with a command of its own.
		return Message{"protocol": 1, "name": "my client", "version": "1.0",
			"profiles": []string{"replica"}, "features": []string{}}, nil
	case "open":
		// Open your client on parameters["folder"]. It keeps everything there. It need not send a request yet:
		// replica = client.OpenReplica(parameters["folder"].(string), parameters["base_url"].(string), …)
		return Message{}, nil
	case "close":
		// replica.Close()
		return Message{}, nil
	case "create": // ref, err := replica.Create(parameters). "ref" stays valid after the upload, beside the _id.
	case "change": // err := replica.Change(parameters["ref"].(string), parameters)
	case "delete": // err := replica.Delete(parameters["ref"].(string))
	case "sync": // err := replica.Sync(). Without tokens, first the sign-in call of your client, if it has one.
	case "read": // Message{"things": things, "tags": tags}. Each thing has "ref" and "_id": nil before the upload.
	case "state": // Message{"pending": waiting, "lost": lost, "error": nil}: all edits ever lost in this folder.
	default:
		return nil, &Failure{Kind: "unsupported", Message: command}
	}
	return nil, &Failure{Kind: "unsupported", Message: command + ": call your client in replica-adapter.go"}
}

func main() {
	output := json.NewEncoder(os.Stdout)
	decoder := json.NewDecoder(os.Stdin)
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
