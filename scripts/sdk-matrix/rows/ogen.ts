import { toolchains } from '../../sdk-test/toolchains.ts'
import type { Row } from '../row.ts'

const needs = toolchains.go?.needs ?? []

/** Go, by ogen, as a tool of the script's own module. */
export const ogen: Row = {
  name: 'ogen',
  generator: 'ogen',
  version: '1.24.0',
  language: 'Go',
  generateNeeds: needs,
  generate: (document) => [['go', 'tool', 'ogen', '--target', 'client', '--package', 'client', '--clean', document]],
  needs,
  build: [['go', 'build', '-o', 'build/first-script', '.']],
  run: ['build/first-script'],
  // There the answers are unions with the errors, what may be null is a type of its own, and other ways to give the token ask.
  onWire: {
    script: 'main.go',
    spelled: {
      'example.org/first-script/client"\n':
        'example.org/first-script/client"\n\t"github.com/ogen-go/ogen/ogenerrors"\n',
      'func main() {': `func (s *session) HeaderToken(context.Context, client.OperationName) (client.HeaderToken, error) {
	return client.HeaderToken{}, ogenerrors.ErrSkipClientSecurity
}

func (s *session) OAuth(context.Context, client.OperationName) (client.OAuth, error) {
	return client.OAuth{}, ogenerrors.ErrSkipClientSecurity
}

func (s *session) QueryToken(context.Context, client.OperationName) (client.QueryToken, error) {
	return client.QueryToken{}, ogenerrors.ErrSkipClientSecurity
}

func answer[T any](value any, err error) *T {
	known, isOne := must(value, err).(*T)
	if !isOne {
		log.Fatalf("refused: %v", value)
	}
	return known
}

func main() {`,
      'must(api.GrantToken': 'answer[client.TokenPairHeaders](api.GrantToken',
      'must(api.GetSync': 'answer[client.SyncAnswer](api.GetSync',
      'must(api.PostSync': 'answer[client.SyncAnswer](api.PostSync',
      'token.AccessToken': 'token.Response.AccessToken',
      'token.RequestToken': 'token.Response.RequestToken',
      'renewed.AccessToken': 'renewed.Response.AccessToken',
      'From: client.NewOptInt64(': 'From: client.NewOptNilInt64(',
      '[]client.ThingCreate{{LocalID: "n1", Title: "Buy milk 🥛"}}':
        'client.NewOptNilThingCreateArray([]client.ThingCreate{{LocalID: client.NewStringThingCreateLocalID("n1"), Title: "Buy milk 🥛"}})',
      '[]client.ThingUpdate{{ID: id, Title: "Buy oat milk"}}':
        'client.NewOptNilThingUpdateArray([]client.ThingUpdate{{ID: id, Title: "Buy oat milk"}})',
      'DeletedThing: []client.ID{id}': 'DeletedThing: client.NewOptNilIDArray([]client.ID{id})',
    },
  },
}
