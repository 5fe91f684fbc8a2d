import type { Row } from '../row.ts'
import { installPackages, nodeProject } from './node-project.ts'

/** TypeScript with Zodios, axios and zod, by openapi-zod-client. */
export const openapiZodClient: Row = {
  ...nodeProject,
  name: 'openapi-zod-client',
  generator: 'openapi-zod-client',
  version: '1.18.3',
  generateNeeds: nodeProject.needs,
  generate: (document) => [
    installPackages,
    ['mkdir', '-p', 'client'],
    ['openapi-zod-client', document, '--output', 'client/thingsync.ts', '--with-alias'],
  ],
  build: [['tsc', '-p', '.']],
}
