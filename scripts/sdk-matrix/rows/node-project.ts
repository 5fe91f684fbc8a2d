import { toolchains } from '../../sdk-test/toolchains.ts'
import type { Command, Row } from '../row.ts'

const quiet = ['--no-audit', '--no-fund']

/** Installs what the row's `package.json` pins, without install scripts, of which none is needed. */
export const installPackages: Command = ['npm', 'install', ...quiet, '--ignore-scripts']

/**
 * The same for a generator that needs a newer Node than ours: the package `node`, which the row pins, installs it, by a
 * script, and later commands of the row find it first.
 */
export const installPackagesAndNode: Command = ['npm', 'install', ...quiet, '--engine-strict=false']

/** How a first script in TypeScript is checked and run. */
export const nodeProject = {
  language: 'TypeScript',
  needs: toolchains.typescript?.needs ?? [],
  build: [installPackages, ['tsc', '-p', '.']],
  run: ['tsx', 'first-script.ts'],
  keep: ['node_modules', 'package-lock.json'],
} satisfies Partial<Row>
