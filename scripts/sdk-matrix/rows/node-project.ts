import { toolchains } from '../../sdk-test/toolchains.ts'
import type { Row } from '../row.ts'

/** Installs what the row's `package.json` pins, without install scripts, of which none is needed. */
export const installPackages = ['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts']

/** How a first script in TypeScript is checked and run. */
export const nodeProject = {
  language: 'TypeScript',
  needs: toolchains.typescript?.needs ?? [],
  build: [installPackages, ['tsc', '-p', '.']],
  run: ['tsx', 'first-script.ts'],
  keep: ['node_modules', 'package-lock.json'],
} satisfies Partial<Row>
