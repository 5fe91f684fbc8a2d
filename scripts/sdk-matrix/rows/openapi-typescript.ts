import type { Row } from '../row.ts'
import { installPackages, nodeProject } from './node-project.ts'

/** Types for TypeScript by openapi-typescript, used with its companion openapi-fetch. */
export const openapiTypescript: Row = {
  ...nodeProject,
  name: 'openapi-typescript',
  generator: 'openapi-typescript',
  version: '7.13.0',
  generateNeeds: nodeProject.needs,
  generate: (document) => [installPackages, ['openapi-typescript', document, '--output', 'client/schema.d.ts']],
  build: [['tsc', '-p', '.']],
}
