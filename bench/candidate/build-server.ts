import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const inTree = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** The command line that users start, as it is built. */
export const builtCommand = inTree('dist/src/cli/start.cjs')

/** Builds the server from the tree, so that what is measured is what stands there. @throws when it does not compile */
export const buildServer = (): void => {
  const arguments_ = [inTree('node_modules/typescript/bin/tsc'), '-p', inTree('tsconfig.build.json')]
  execFileSync(process.execPath, arguments_, { stdio: 'inherit' })
  execFileSync(process.execPath, [inTree('scripts/copy-assets.mjs')], { cwd: inTree('.'), stdio: 'inherit' })
}

/** Builds the web app in the same way, for the rows that open it. @throws when it does not build */
export const buildWebApp = (): void => {
  const arguments_ = [inTree('node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn']
  execFileSync(process.execPath, arguments_, { cwd: inTree('web'), stdio: ['ignore', 'ignore', 'inherit'] })
}
