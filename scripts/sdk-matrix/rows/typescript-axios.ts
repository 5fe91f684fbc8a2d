import { generatorVersion } from '../../sdk/generator-jar.ts'
import { generateWithJar, javaToGenerate } from '../openapi-generator.ts'
import type { Row } from '../row.ts'
import { nodeProject } from './node-project.ts'

/** TypeScript for axios, by openapi-generator. */
export const typescriptAxios: Row = {
  ...nodeProject,
  name: 'typescript-axios',
  generator: 'openapi-generator typescript-axios',
  version: generatorVersion,
  generateNeeds: javaToGenerate,
  generate: generateWithJar('typescript-axios'),
}
