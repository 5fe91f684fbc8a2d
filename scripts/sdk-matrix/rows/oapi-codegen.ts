import { toolchains } from '../../sdk-test/toolchains.ts'
import type { Row } from '../row.ts'

const needs = toolchains.go?.needs ?? []

/** Go, by oapi-codegen, as a tool of the script's own module. */
export const oapiCodegen: Row = {
  name: 'oapi-codegen',
  generator: 'oapi-codegen',
  version: '2.8.2',
  language: 'Go',
  generateNeeds: needs,
  generate: (document) => [
    ['mkdir', '-p', 'client'],
    ['go', 'tool', 'oapi-codegen', '--config', 'oapi-codegen.yaml', document],
  ],
  needs,
  build: [['go', 'build', '-o', 'build/first-script', '.']],
  run: ['build/first-script'],
  onWire: {
    script: 'main.go',
    spelled: {
      'func main() {': `func textID(text string) (id client.ThingCreate_LocalId) {
	if err := id.FromThingCreateLocalId0(text); err != nil {
		log.Fatal(err)
	}
	return id
}

func main() {`,
      'LocalId: "n1"': 'LocalId: textID("n1")',
    },
  },
}
