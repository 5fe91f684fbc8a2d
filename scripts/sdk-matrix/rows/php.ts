import { generatorVersion } from '../../sdk/pinned-generator.ts'
import { toolchains } from '../../sdk-test/toolchains.ts'
import { generateByFront, javaToGenerate } from '../openapi-generator.ts'
import type { Row } from '../row.ts'

/** PHP with Guzzle, by openapi-generator. */
export const php: Row = {
  name: 'php',
  generator: 'openapi-generator php',
  version: generatorVersion,
  language: 'PHP',
  generateNeeds: javaToGenerate,
  generate: generateByFront('php'),
  needs: toolchains.php?.needs ?? [],
  build: toolchains.php?.prepare ?? [],
  run: ['php', 'first-script.php'],
}
