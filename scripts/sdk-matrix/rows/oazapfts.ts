import type { Row } from '../row.ts'
import { installPackages, nodeProject } from './node-project.ts'

/** TypeScript for fetch, by oazapfts. */
export const oazapfts: Row = {
  ...nodeProject,
  name: 'oazapfts',
  generator: 'oazapfts',
  version: '7.5.0',
  generateNeeds: nodeProject.needs,
  generate: (document) => [installPackages, ['mkdir', '-p', 'client'], ['oazapfts', document, 'client/api.ts']],
  build: [['tsc', '-p', '.']],
}
