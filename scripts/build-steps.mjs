// The steps of `npm run build` beside the compiler: `node scripts/build-steps.mjs STEP [ARGUMENTS]`.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, resolve } from 'node:path'

/** Copies the files that the compiled program reads: schema of the PostgreSQL store, style and script of the pages. */
const copyAssets = () => {
  for (const folder of ['src/store/postgres/schema', 'src/pages/style', 'src/pages/script'])
    cpSync(folder, `dist/${folder}`, { recursive: true, filter: (path) => !path.endsWith('tsconfig.json') })
}

/**
 * Copies docs/reference/protocol.md into the built suite, whose failures name sections of it. Links to other files become text,
 * because the suite does not contain these files.
 */
const copyProtocol = () => {
  const page = readFileSync(new URL('../docs/reference/protocol.md', import.meta.url), 'utf8')
  const alone = page.replaceAll(/\[([^\]]+)\]\((?!#|https?:)[^)]*\)/g, '$1')
  writeFileSync(new URL('../conformance/dist/protocol.md', import.meta.url), alone)
}

/**
 * Links the commands `npx --no-install thingsync` and `npx --no-install thingsync-conformance` in a built clone. npm
 * links the commands of a package only at its installation, and only when they exist by then.
 */
const linkCommands = () => {
  const folder = resolve('node_modules/.bin')
  mkdirSync(folder, { recursive: true })
  for (const packageFolder of ['.', 'conformance']) {
    const { bin } = JSON.parse(readFileSync(resolve(packageFolder, 'package.json'), 'utf8'))
    for (const [name, path] of Object.entries(bin)) {
      const target = resolve(packageFolder, path)
      chmodSync(target, 0o755)
      if (process.platform === 'win32') continue
      rmSync(resolve(folder, name), { force: true })
      symlinkSync(relative(folder, target), resolve(folder, name))
    }
  }
}

const listSources = (name) => {
  if (name.endsWith('.sql')) return [name]
  const { stem, kind } = /^(?<stem>.*?)(?:\.d)?\.(?<kind>[cm]?)[jt]s$/.exec(name)?.groups ?? {}
  return stem === undefined ? undefined : ['ts', 'tsx', 'js'].map((ending) => `${stem}.${kind}${ending}`)
}

/**
 * Removes compiled files without a source: `tsc` leaves them, and npm would pack them. Files with a source stay, as
 * other processes can be using them.
 */
const removeStale = (compiledFolder, sourceFolder) => {
  for (const name of readdirSync(compiledFolder, { recursive: true })) {
    const hasSource = listSources(name)?.some((source) => existsSync(join(sourceFolder, source)))
    if (hasSource === false) rmSync(join(compiledFolder, name), { force: true })
  }
}

const steps = {
  'copy-assets': copyAssets,
  'copy-protocol': copyProtocol,
  'link-commands': linkCommands,
  'remove-stale': removeStale,
}
const [name, ...args] = process.argv.slice(2)
if (!Object.hasOwn(steps, name)) throw new Error(`no step ${name}; the steps are ${Object.keys(steps).join(', ')}`)
steps[name](...args)
