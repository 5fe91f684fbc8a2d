import type { Row } from '../row.ts'
import { installPackagesAndNode, nodeProject } from './node-project.ts'

/** TypeScript for fetch, by Hey API. */
export const heyApi: Row = {
  ...nodeProject,
  name: 'hey-api',
  generator: '@hey-api/openapi-ts',
  version: '0.99.0',
  generateNeeds: nodeProject.needs,
  generate: (document) => [installPackagesAndNode, ['openapi-ts', '--input', document, '--output', 'client']],
  build: [['tsc', '-p', '.']],
}
