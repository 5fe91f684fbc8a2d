import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const readJson = async (name: string) => JSON.parse(await readFile(new URL(`../${name}`, import.meta.url), 'utf8'))

/** The packages that the server imports, each with its reason. The build bundles them, except native code. */
const reasons = {
  '@koa/cors': 'Clients in browsers, of any origin.',
  '@modelcontextprotocol/server': 'The Model Context Protocol of assistants; loaded only by `thingsync mcp`.',
  '@node-rs/argon2': 'Hashes of passwords; in native code, off the main thread.',
  commander: 'The command line.',
  htmlparser2: 'HTML of others: bookmarks and notes that are imported, and pages of link previews.',
  'ipaddr.js': 'Tells whether an address is public, so that requests of users may go to it.',
  koa: 'HTTP.',
  lowdb: 'Files of JSON.',
  'lru-cache': 'Tables that hold a bounded number of keys.',
  marked: 'Markdown of notes.',
  'openid-client': 'Sign-in at an OpenID provider.',
  pg: 'The store on PostgreSQL; loaded only when a database is configured.',
  pino: 'The log.',
  'pino-pretty': 'The log on a terminal.',
  preact: 'Pages, here and in the web app.',
  'preact-render-to-string': 'Pages, as HTML.',
  'prom-client': 'Metrics.',
  'proxy-addr': 'Finds the client address of a request behind proxies.',
  yaml: 'The head of Markdown files of other programs.',
  zod: 'The inputs and outputs of the tools of `thingsync mcp`, as the package of the protocol needs them.',
}

/** The packages that only `pg` needs. */
const pgPackages = [
  'pg',
  'pg-connection-string',
  'pg-int8',
  'pg-pool',
  'pg-protocol',
  'pg-types',
  'pgpass',
  'postgres-array',
  'postgres-bytea',
  'postgres-date',
  'postgres-interval',
  'xtend',
]

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>
}

/** Finds all direct and indirect dependencies of some packages in the lock file. */
const findDependencies = (packages: Readonly<Record<string, LockedPackage>>, roots: readonly string[]): Set<string> => {
  const found = new Set<string>()
  const take = (name: string, within: string): void => {
    // As Node resolves: first in the requiring package, then in the shared folder.
    const nested = `${within}/node_modules/${name}`
    const path = nested in packages ? nested : `node_modules/${name}`
    const known = packages[path]
    if (known === undefined || found.has(path)) return
    found.add(path)
    for (const dependency of Object.keys(known.dependencies ?? {})) take(dependency, path)
  }
  for (const root of roots) take(root, '')
  return found
}

/** Reads the names of the packages that modules of the server import. */
const readImports = async (): Promise<Set<string>> => {
  const folder = fileURLToPath(new URL('.', import.meta.url))
  const names = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.test)\.tsx?$/.test(name))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const pattern = /(?:^(?:import|\}) .*from |\bimport\()'((?:@[\w.-]+\/)?[a-z][\w.-]*)(?:\/[^']*)?'/gm
  return new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = '']) => name)))
}

test('the server imports the packages that are listed here, each for a reason', async () => {
  expect([...(await readImports())].sort()).toEqual(Object.keys(reasons).sort())
})

test('an installation has one dependency, whose native code cannot be bundled', async () => {
  const { dependencies } = await readJson('package.json')

  expect(Object.keys(dependencies)).toEqual(['@node-rs/argon2'])
})

test('PostgreSQL adds pg and its dependencies, and nothing else', async () => {
  const { packages } = await readJson('package-lock.json')
  const names = Object.keys(reasons)
  const without = findDependencies(
    packages,
    names.filter((name) => name !== 'pg'),
  )
  const added = [...findDependencies(packages, names)].filter((path) => !without.has(path))

  expect(added.map((path) => path.replace('node_modules/', '')).sort()).toEqual(pgPackages)
  expect(without.size).toBeGreaterThan(50)
})
