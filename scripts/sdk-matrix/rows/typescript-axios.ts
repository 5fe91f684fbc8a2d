import { generatorVersion } from '../../sdk/pinned-generator.ts'
import { generateByFront, javaToGenerate } from '../openapi-generator.ts'
import type { Row } from '../row.ts'
import { nodeProject } from './node-project.ts'

/** TypeScript for axios, by openapi-generator. */
export const typescriptAxios: Row = {
  ...nodeProject,
  name: 'typescript-axios',
  generator: 'openapi-generator typescript-axios',
  version: generatorVersion,
  generateNeeds: javaToGenerate,
  generate: generateByFront('typescript-axios'),
}
