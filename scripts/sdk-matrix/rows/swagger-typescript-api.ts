import type { Row } from '../row.ts'
import { installPackages, nodeProject } from './node-project.ts'

/** TypeScript for fetch, by swagger-typescript-api. */
export const swaggerTypescriptApi: Row = {
  ...nodeProject,
  name: 'swagger-typescript-api',
  generator: 'swagger-typescript-api',
  version: '13.13.0',
  generateNeeds: nodeProject.needs,
  generate: (document) => [
    installPackages,
    ['swagger-typescript-api', 'generate', '--path', document, '--output', 'client', '--name', 'api.ts'],
  ],
  build: [['tsc', '-p', '.']],
}
