// Bundles the program and its npm packages into few files, with rolldown. `scripts/build.mjs` calls it.
// contributing/decisions/053-bundle-the-program.md explains the choices.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { rolldown } from 'rolldown'

/** What stays outside of the bundle: native code, and optional packages of `pg` that are not installed. */
const external = ['@node-rs/argon2', 'pg-native', 'pg-cloudflare', 'thingsync/package.json']

/** The entries of the bundle, by file name in `dist`. */
const entries = { program: 'src/cli/program.ts', index: 'src/index.ts', types: 'generated/types.ts' }

/** Modules that every server loads, although some of them are imported dynamically. */
const serverRoots = ['src/index.ts', 'src/cli/serve-command.ts', 'src/runtime/run-server.ts', 'src/log/log.ts']

/** Commands that need the formats of other programs, which the other commands do not load. */
const transferRoots = ['src/cli/import-command.ts', 'src/cli/export-command.ts']

/** The modules on which the data in memory depends. `classifyFault` knows their chunks by name. */
const dataFolders = /^src\/(store|folder)\//
const postgresFolder = /^src\/store\/postgres\//

/**
 * @typedef {object} ModuleNode
 * @property {readonly string[]} imports the IDs of modules that it imports statically
 * @property {readonly string[]} lazyImports the IDs of modules that it imports dynamically
 */

/** Returns the IDs of all modules that some modules load statically, with these modules. */
const findLoaded = (graph, roots) => {
  const loaded = new Set(roots)
  for (const id of loaded) for (const imported of graph.get(id)?.imports ?? []) loaded.add(imported)
  return loaded
}

const findPackageName = (path) => /.*node_modules\/(?<name>(?:@[^/]+\/)?[^/]+)/.exec(path)?.groups.name

/** Folders whose modules belong to the part of another folder. */
const partOfFolder = { outbound: 'delivery', provider: 'pages' }

/** Names what a root belongs to: the program, servers, commands, or a part that is loaded when it is first used. */
const nameRoot = (path) => {
  if (path === entries.program) return 'program'
  if (serverRoots.includes(path)) return 'server'
  if (transferRoots.includes(path)) return 'transfer'
  if (/^src\/(cli|runtime)\//.test(path)) return 'commands'
  if (postgresFolder.test(path)) return 'pg'
  const folder = /^src\/(?<name>[^/]+)\//.exec(path)?.groups.name
  return partOfFolder[folder] ?? folder ?? findPackageName(path)?.replaceAll(/[@/]/g, '') ?? path
}

/**
 * Names the chunk of a module from the roots that load it. Undefined when it goes to the chunk of its only root, which
 * is a file of data in `generated/`.
 */
const nameChunk = (roots) => {
  const names = new Set([...roots].map(nameRoot))
  if (names.has('program')) return 'program-base'
  if (names.has('commands')) names.delete('transfer')
  if (names.size > 1 && (names.has('commands') || (names.has('server') && names.has('transfer')))) return 'shared'
  if (names.has('server')) return 'server'
  const [name] = names
  return names.size === 1 && name.startsWith('generated/') ? undefined : [...names].sort().join('-')
}

/**
 * Assigns modules to chunks. Of two modules, the imported one is loaded by all roots that load the importing one, so
 * that chunks by roots cannot depend on each other in a cycle. The modules of the data are a layer below the others, in
 * chunks of their own; `core` contains what they import from other folders.
 * @param {ReadonlyMap<string, ModuleNode>} graph the modules by ID; an ID is a path relative to the project
 * @returns {Map<string, string>} the name of the chunk by module ID; a module without one goes to the chunk of its entry
 */
export const assignChunks = (graph) => {
  const roots = new Set(Object.values(entries))
  for (const { lazyImports } of graph.values()) for (const id of lazyImports) roots.add(id)
  const rootsOf = new Map([...graph.keys()].map((id) => [id, new Set()]))
  for (const root of roots) {
    if (root === entries.types || !graph.has(root)) continue
    for (const id of findLoaded(graph, [root])) rootsOf.get(id)?.add(root)
  }
  const ids = [...graph.keys()]
  const isData = (id) => dataFolders.test(id) && !postgresFolder.test(id)
  const belowData = findLoaded(graph, ids.filter(isData))
  const belowPostgres = findLoaded(
    graph,
    ids.filter((id) => postgresFolder.test(id)),
  )
  const assign = (id) => {
    if (Object.values(entries).includes(id)) return undefined
    if (postgresFolder.test(id)) return 'postgres'
    if (isData(id)) return 'data'
    if (belowData.has(id)) return 'core'
    if (belowPostgres.has(id) && findPackageName(id) === undefined) return 'core'
    const loadedBy = rootsOf.get(id)
    return [...loadedBy].every((root) => postgresFolder.test(root)) ? 'pg' : nameChunk(loadedBy)
  }
  const assigned = ids.map((id) => [id, assign(id)])
  return new Map(assigned.filter(([, name]) => name !== undefined))
}

/**
 * Orders chunks so that each comes after the chunks that it imports.
 * @throws Error when chunks import each other in a cycle, because a part of them would then run too early
 */
export const orderChunks = (chunks) => {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const ordered = new Set()
  const visit = (name, path) => {
    if (path.includes(name)) throw new Error(`chunks import each other: ${[...path, name].join(' > ')}`)
    if (ordered.has(name)) return
    for (const imported of byName.get(name).imports) if (byName.has(imported)) visit(imported, [...path, name])
    ordered.add(name)
  }
  for (const { fileName } of chunks) visit(fileName, [])
  return [...ordered]
}

/**
 * Replaces chunks that only pass on names of one other chunk. rolldown creates one for each module that is imported
 * dynamically and lies in a chunk with other modules. Importers load the other chunk instead.
 * @param {readonly { fileName: string, code: string, isEntry: boolean }[]} chunks
 */
export const removeForwarders = (chunks) => {
  const targets = new Map()
  for (const { fileName, code, isEntry } of chunks) {
    const target = isEntry ? undefined : findTarget(code)
    if (target !== undefined) targets.set(`./${fileName}`, target)
  }
  const retarget = (code) =>
    code.replaceAll(/import\("(\.\/[^"]+)"\)/g, (whole, name) =>
      targets.has(name) ? `import("${targets.get(name)}")` : whole,
    )
  return chunks
    .filter(({ fileName }) => !targets.has(`./${fileName}`))
    .map((chunk) => ({
      ...chunk,
      code: retarget(chunk.code),
      dynamicImports: chunk.dynamicImports.map((name) => targets.get(`./${name}`)?.slice(2) ?? name),
    }))
}

/** Returns the chunk whose names some code passes on unchanged; undefined when the code does anything else. */
const findTarget = (code) => {
  const statements = code.split('\n').filter((line) => line !== '' && !line.startsWith('//'))
  const passed = /^export \{ (?<names>[\w$, ]*) \} from "(?<from>\.\/[^"]+)";$/.exec(statements[0])?.groups
  return statements.length === 1 && passed !== undefined && !/ as /.test(passed.names) ? passed.from : undefined
}

/** A plugin of rolldown that reads the graph of modules, by paths relative to the project. */
const readGraph = (project, graph) => ({
  name: 'read-graph',
  buildEnd() {
    for (const id of this.getModuleIds()) {
      const info = this.getModuleInfo(id)
      const imports = info.importedIds.map((one) => toPath(project, one))
      const lazyImports = info.dynamicallyImportedIds.map((one) => toPath(project, one))
      graph.set(toPath(project, id), { imports, lazyImports })
    }
  },
})

/**
 * A plugin of rolldown that leaves out ajv, a third of the code for `thingsync mcp`. The SDK contains it for forms that a
 * server shows to users, which the program never does; zod checks the tools.
 */
const leaveOutAjv = () => {
  const source = '@modelcontextprotocol/server/_shims'
  const message = 'thingsync mcp shows no forms, so it has no validator of JSON schemas'
  return {
    name: 'leave-out-ajv',
    resolveId: (id) => (id === source ? `\0${source}` : null),
    load: (id) =>
      id === `\0${source}`
        ? `export { default as process } from 'node:process'
           export class DefaultJsonSchemaValidator { getValidator() { throw new Error('${message}') } }`
        : null,
  }
}

const toPath = (project, id) => (id.startsWith('\0') ? id : relative(project, id).replaceAll(sep, '/'))

/** Bundles the entries. Returns the chunks and source maps of rolldown, and the paths of all modules in them. */
const bundleModules = async (project) => {
  const graph = new Map()
  const bundle = await rolldown({
    cwd: project,
    input: entries,
    platform: 'node',
    external,
    tsconfig: 'tsconfig.json',
    preserveEntrySignatures: 'allow-extension',
    // depd, which koa uses, has an eval. A dynamic import may also load a module of a chunk that is already there.
    checks: { eval: false, ineffectiveDynamicImport: false },
    plugins: [readGraph(project, graph), leaveOutAjv()],
  })
  let assigned
  const chunkOf = (id) => {
    assigned ??= assignChunks(graph)
    return assigned.get(toPath(project, id)) ?? null
  }
  try {
    const { output } = await bundle.generate({
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: '[name].js',
      minifyInternalExports: false,
      // The licenses are in a file of their own.
      comments: false,
      sourcemap: true,
      // The layers are complete: what a module of a chunk imports has a chunk of its own.
      codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunkOf, debugName: 'layers' }] },
    })
    return output
  } finally {
    await bundle.close()
  }
}

/** Bundles the file that starts the program. It is CommonJS, and loads `program.js` as a file. */
const bundleStart = async (project) => {
  const bundle = await rolldown({
    cwd: project,
    input: { start: 'src/cli/start.cts' },
    platform: 'node',
    external: [/program\.ts$/, ...external],
    tsconfig: 'tsconfig.json',
  })
  try {
    const { output } = await bundle.generate({
      format: 'cjs',
      entryFileNames: '[name].cjs',
      paths: (id) => (id.endsWith('program.ts') ? './program.js' : id),
    })
    return output
  } finally {
    await bundle.close()
  }
}

/** Finds the folders of the npm packages whose modules are in a bundle, in alphabetical order. */
const findPackages = (moduleIds) => {
  const folders = new Set(
    moduleIds.map((id) => /^(?<folder>.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.groups.folder),
  )
  folders.delete(undefined)
  return [...folders]
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      return { folder, name, version, license: typeof license === 'string' ? license : license?.type }
    })
    .sort((a, b) => `${a.name} ${a.version}`.localeCompare(`${b.name} ${b.version}`, 'en'))
}

const licenseFile = /^(licen[cs]e|notice|copying)(\.\w+|-\w+)*$/i

/**
 * Writes the licenses of the packages in a bundle as one text.
 * @throws Error when a package names no license
 */
export const describeLicenses = (packages) =>
  packages
    .map(({ folder, name, version, license }) => {
      if (license === undefined) throw new Error(`${name} ${version} names no license; look at it before you bundle it`)
      const texts = readdirSync(folder)
        .filter((file) => licenseFile.test(file))
        .sort()
        .map((file) => readFileSync(join(folder, file), 'utf8').trim())
      return [`${name} ${version} (${license})`, ...texts].join('\n\n')
    })
    .join(`\n\n${'-'.repeat(80)}\n\n`)
    .concat('\n')

/** The length from which on a chunk with code of `src/` has a source map. */
const minMappedLength = 8192

/** Removes the name of the source map, from chunks that have none. */
const dropMapName = (code) => code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n')

/** Writes a file in one step, unless it has that text. So a running server never reads half a file. */
const writeWhole = (path, text) => {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  writeFileSync(`${path}.new`, text)
  renameSync(`${path}.new`, path)
}

/**
 * Bundles the program of a project into its folder `dist`, and removes what earlier builds left there except
 * declarations, which another step writes.
 * @throws Error when chunks import each other in a cycle, or a package has no license
 */
export const bundleProgram = async (project) => {
  const [output, start] = await Promise.all([bundleModules(project), bundleStart(project)])
  const isChunk = (file) => file.type === 'chunk'
  const chunks = removeForwarders(output.filter(isChunk))
  orderChunks(chunks)
  const packages = findPackages(output.filter(isChunk).flatMap(({ moduleIds }) => moduleIds))
  const isMapped = ({ code, moduleIds }) =>
    code.length >= minMappedLength && moduleIds.some((id) => /\/src\//.test(id) && findPackageName(id) === undefined)
  const mapped = new Set(chunks.filter(isMapped).map(({ fileName }) => `${fileName}.map`))
  const maps = output.filter(({ fileName }) => mapped.has(fileName))
  const files = new Map([
    ...[...chunks, ...start].map((chunk) => [chunk.fileName, isMapped(chunk) ? chunk.code : dropMapName(chunk.code)]),
    ...maps.map((map) => [map.fileName, map.source]),
    ['licenses.txt', describeLicenses(packages)],
    [
      'packages.json',
      `${JSON.stringify(
        packages.map(({ name, version, license }) => ({ name, version, license })),
        null,
        2,
      )}\n`,
    ],
  ])
  const folder = join(project, 'dist')
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of files) writeWhole(join(folder, name), text)
  for (const name of readdirSync(folder))
    if (!files.has(name) && !name.endsWith('.d.ts')) rmSync(join(folder, name), { recursive: true, force: true })
}
