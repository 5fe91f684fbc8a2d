import { generatorVersion } from '../../sdk/pinned-generator.ts'
import { toolchains } from '../../sdk-test/toolchains.ts'
import { generateByFront, javaToGenerate } from '../openapi-generator.ts'
import type { Row } from '../row.ts'

/** Go, by openapi-generator. */
export const go: Row = {
  name: 'go',
  generator: 'openapi-generator go',
  version: generatorVersion,
  language: 'Go',
  generateNeeds: javaToGenerate,
  generate: generateByFront('go', { packageName: 'client', withGoMod: 'false' }),
  needs: toolchains.go?.needs ?? [],
  build: [['go', 'build', '-o', 'build/first-script', '.']],
  run: ['build/first-script'],
  onWire: {
    script: 'main.go',
    spelled: {
      'client.NewThingCreate("n1", "Buy milk 🥛")':
        'client.NewThingCreate(client.StringAsThingCreateLocalId(client.PtrString("n1")), "Buy milk 🥛")',
      '.Body(*': '.SyncRequest(*',
    },
  },
}
