import { join } from 'node:path'

/** What a language needs to run its SDK on this machine. */
export type Toolchain = {
  /** Programs that must be there, each with the argument that makes it print its version. */
  needs: readonly { program: string; version: readonly string[]; install: string }[]
  /** Commands that install packages and build, run in the SDK's folder. */
  prepare: readonly (readonly string[])[]
  /** The command that answers calls, run in the SDK's folder. */
  run: readonly string[]
}

const venv = '.venv/bin/python'

/** How each SDK is built and run; the order is that of the table in `docs/sdk.md`. */
export const toolchains: Readonly<Record<string, Toolchain>> = {
  typescript: {
    needs: [{ program: 'node', version: ['--version'], install: 'Node 20.19 or later' }],
    prepare: [[process.execPath, join(process.cwd(), 'node_modules/typescript/bin/tsc'), '-p', '.']],
    run: [process.execPath, '--import', 'tsx', 'runner.ts'],
  },
  python: {
    needs: [{ program: 'python3', version: ['--version'], install: 'apt-get install python3 python3-venv' }],
    prepare: [
      ['python3', '-m', 'venv', '.venv'],
      [venv, '-m', 'pip', 'install', '--quiet', '--editable', '.'],
    ],
    run: [venv, 'runner.py'],
  },
  go: {
    needs: [{ program: 'go', version: ['version'], install: 'Go 1.23 or later' }],
    prepare: [['go', 'build', '-o', 'build/runner', './runner']],
    run: ['build/runner'],
  },
}
