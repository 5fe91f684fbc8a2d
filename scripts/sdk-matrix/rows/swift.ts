import { generatorVersion } from '../../sdk/pinned-generator.ts'
import { generateByFront, javaToGenerate } from '../openapi-generator.ts'
import type { Row } from '../row.ts'

/** Swift with URLSession, by openapi-generator; tried on no machine yet that can compile it, so there is no first script. */
export const swift: Row = {
  name: 'swift',
  generator: 'openapi-generator swift6',
  version: generatorVersion,
  language: 'Swift',
  generateNeeds: javaToGenerate,
  generate: generateByFront('swift6'),
  needs: [{ program: 'swift', version: ['--version'], install: 'Swift 6, from its vendor: Debian has none' }],
  build: [['swift', 'build', '--package-path', 'client']],
}
