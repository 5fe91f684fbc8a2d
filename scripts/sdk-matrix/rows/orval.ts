import type { Row } from '../row.ts'
import { installPackagesAndNode, nodeProject } from './node-project.ts'

/** TypeScript for fetch, by Orval. */
export const orval: Row = {
  ...nodeProject,
  name: 'orval',
  generator: 'orval',
  version: '8.38.0',
  generateNeeds: nodeProject.needs,
  generate: (document) => [
    installPackagesAndNode,
    ['env', `DOCUMENT=${document}`, 'orval', '--config', 'orval.config.ts'],
  ],
  build: [['tsc', '-p', '.']],
}
