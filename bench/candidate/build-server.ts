import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const inTree = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** The command line that users start, as it is built. */
export const builtCommand = inTree('dist/src/cli/start.cjs')

/** Builds the server from the tree, so that what is measured is what stands there. @throws when it does not compile */
export const buildServer = (): void => {
  const arguments_ = [inTree('node_modules/typescript/bin/tsc'), '-p', inTree('tsconfig.build.json')]
  execFileSync(process.execPath, arguments_, { stdio: 'inherit' })
}
