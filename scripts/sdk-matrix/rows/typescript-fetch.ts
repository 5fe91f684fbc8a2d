import { generatorVersion } from '../../sdk/pinned-generator.ts'
import { generateByFront, javaToGenerate } from '../openapi-generator.ts'
import type { Row } from '../row.ts'
import { nodeProject } from './node-project.ts'

/** TypeScript for fetch, by openapi-generator. */
export const typescriptFetch: Row = {
  ...nodeProject,
  name: 'typescript-fetch',
  generator: 'openapi-generator typescript-fetch',
  version: generatorVersion,
  generateNeeds: javaToGenerate,
  generate: generateByFront('typescript-fetch'),
  onWire: {
    script: 'first-script.ts',
    spelled: {
      'postSync({ body:': 'postSync({ syncRequest:',
    },
  },
}
