import { generatorVersion } from '../../sdk/pinned-generator.ts'
import { toolchains } from '../../sdk-test/toolchains.ts'
import { generateByFront, javaToGenerate } from '../openapi-generator.ts'
import type { Row } from '../row.ts'

/** Java with OkHttp and Gson, by openapi-generator. */
export const java: Row = {
  name: 'java',
  generator: 'openapi-generator java',
  version: generatorVersion,
  language: 'Java',
  generateNeeds: javaToGenerate,
  generate: generateByFront('java'),
  needs: toolchains.java?.needs ?? [],
  build: [
    ['mvn', '--batch-mode', '--quiet', 'compile', 'dependency:copy-dependencies', '-DoutputDirectory=target/lib'],
  ],
  run: ['java', '-cp', 'target/classes:target/lib/*', 'FirstScript'],
  onWire: {
    script: 'script/FirstScript.java',
    spelled: {
      'localId("n1")': 'localId(new org.openapitools.client.model.ThingCreateLocalId("n1"))',
    },
  },
}
