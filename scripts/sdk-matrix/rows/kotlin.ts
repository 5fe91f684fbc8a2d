import { generatorVersion } from '../../sdk/pinned-generator.ts'
import { toolchains } from '../../sdk-test/toolchains.ts'
import { generateByFront, javaToGenerate } from '../openapi-generator.ts'
import type { Row } from '../row.ts'

/** Kotlin with OkHttp and Moshi, by openapi-generator; compiled by Maven, which can be had where Gradle cannot. */
export const kotlin: Row = {
  name: 'kotlin',
  generator: 'openapi-generator kotlin',
  version: generatorVersion,
  language: 'Kotlin',
  generateNeeds: javaToGenerate,
  generate: generateByFront('kotlin'),
  needs: toolchains.java?.needs ?? [],
  build: [
    ['mvn', '--batch-mode', '--quiet', 'compile', 'dependency:copy-dependencies', '-DoutputDirectory=target/lib'],
  ],
  run: ['java', '-cp', 'target/classes:target/lib/*', 'FirstScriptKt'],
  reasons: [
    {
      printed: /actual type is 'String', but '(\w+\.)*ThingCreateLocalId' was expected/,
      because: 'local_id, text or a number, becomes a class without content',
    },
  ],
}
