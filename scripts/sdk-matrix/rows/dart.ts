import { generatorVersion } from '../../sdk/pinned-generator.ts'
import { generateByFront, javaToGenerate } from '../openapi-generator.ts'
import type { Row } from '../row.ts'

/** Dart, by openapi-generator; tried on no machine yet that can compile it, so there is no first script. */
export const dart: Row = {
  name: 'dart',
  generator: 'openapi-generator dart',
  version: generatorVersion,
  language: 'Dart',
  generateNeeds: javaToGenerate,
  generate: generateByFront('dart'),
  needs: [{ program: 'dart', version: ['--version'], install: 'the Dart SDK, from its vendor: Debian has none' }],
  build: [['dart', 'pub', 'get', '--directory', 'client']],
}
