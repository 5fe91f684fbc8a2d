// The steps of `npm run build` and `npm run build:types`: `node scripts/build.mjs STEP [ARGUMENTS]`.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('..', import.meta.url))

/**
 * Writes the declarations of the entry points. Of npm packages they name only pino, which an installation may lack: a
 * caller without a logger does not need it, and its types are then `any`.
 * @throws Error when the declarations need another package, which an installation would lack
 */
const writeTypes = async () => {
  const [{ rollup }, { dts }] = await Promise.all([import('rollup'), import('rollup-plugin-dts')])
  const bundle = await rollup({
    input: { index: join(project, 'src/index.ts'), types: join(project, 'generated/types.ts') },
    external: (id) => /^@?\w/.test(id),
    plugins: [dts({ tsconfig: join(project, 'tsconfig.json') })],
  })
  const { output } = await bundle.generate({ format: 'es', entryFileNames: '[name].d.ts' })
  await bundle.close()
  for (const { fileName, imports, code } of output) {
    const foreign = imports.filter((name) => !/^(node:|pino$|(index|types)\.d\.ts$)/.test(name))
    if (foreign.length > 0) throw new Error(`${fileName} needs the types of ${foreign.join(', ')}`)
    const text = code.replace(/^import .* from 'pino';$/m, '// @ts-ignore: pino may be missing\n$&')
    writeFileSync(join(project, 'dist', fileName), text)
  }
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

/**
 * Removes compiled files without a source: `tsc` leaves them, and npm would pack them. Files with a source stay, as
 * other processes can be using them.
 */
const removeStale = (compiledFolder, sourceFolder) => {
  for (const name of readdirSync(compiledFolder, { recursive: true })) {
    const { stem, kind } = /^(?<stem>.*?)(?:\.d)?\.(?<kind>[cm]?)[jt]s$/.exec(name)?.groups ?? {}
    const hasSource = ['ts', 'tsx', 'js'].some((ending) => existsSync(join(sourceFolder, `${stem}.${kind}${ending}`)))
    if (stem !== undefined && !hasSource) rmSync(join(compiledFolder, name), { force: true })
  }
}

const steps = {
  bundle: async () => (await import('./bundle.mjs')).bundleProgram(project),
  types: writeTypes,
  'copy-protocol': copyProtocol,
  'link-commands': linkCommands,
  'remove-stale': removeStale,
}
const [name, ...args] = process.argv.slice(2)
if (!Object.hasOwn(steps, name)) throw new Error(`no step ${name}; the steps are ${Object.keys(steps).join(', ')}`)
await steps[name](...args)
