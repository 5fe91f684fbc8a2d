import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const readJson = async (name: string) => JSON.parse(await readFile(new URL(`../${name}`, import.meta.url), 'utf8'))

/** What an installation gets, and what for. */
const reasons = {
  '@koa/cors': 'Clients in browsers, of any origin.',
  '@node-rs/argon2': 'Hashes of passwords; in native code, off the thread that answers.',
  ajv: 'The shapes of requests, as openapi.yaml has them.',
  commander: 'The command line.',
  htmlparser2: 'HTML of other programs: bookmarks and notes that are imported.',
  'ipaddr.js': 'Whether an address is one of the internet, which webhooks may be sent to.',
  koa: 'HTTP.',
  lowdb: 'Files of JSON.',
  'lru-cache': 'Tables that hold a bounded number of keys.',
  marked: 'Markdown of notes.',
  'openapi-backend': 'Which operation a request is, by openapi.yaml.',
  'openid-client': 'Sign-in at an OpenID provider.',
  pg: 'The store on PostgreSQL; loaded by whoever has a database only.',
  pino: 'The log.',
  'pino-pretty': 'The log on a terminal.',
  preact: 'Pages, here and in the web app.',
  'preact-render-to-string': 'Pages, as HTML.',
  'prom-client': 'Metrics.',
  'proxy-addr': 'Who a request is from, behind proxies.',
  yaml: 'The head of Markdown files of other programs.',
}

/** What stands behind `pg` and nothing else. */
const ofPg = [
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

/** All that some packages bring along, as the lock file has it. */
const bringAlong = (packages: Readonly<Record<string, LockedPackage>>, roots: readonly string[]): Set<string> => {
  const found = new Set<string>()
  const take = (name: string, within: string): void => {
    // As Node looks: in the package that asks, else in the folder that all share.
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

test('an installation gets what is listed here, each for a reason', async () => {
  const { dependencies } = await readJson('package.json')

  expect(Object.keys(dependencies).sort()).toEqual(Object.keys(reasons).sort())
})

test('for a database an installation has pg and what that brings along, and nothing else', async () => {
  const { packages } = await readJson('package-lock.json')
  const names = Object.keys(reasons)
  const without = bringAlong(
    packages,
    names.filter((name) => name !== 'pg'),
  )
  const added = [...bringAlong(packages, names)].filter((path) => !without.has(path))

  expect(added.map((path) => path.replace('node_modules/', '')).sort()).toEqual(ofPg)
  expect(without.size).toBeGreaterThan(50)
})
