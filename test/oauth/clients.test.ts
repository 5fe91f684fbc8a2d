import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addApp, addPublicClient } from '../../src/accounts/apps.ts'
import { systemEnvironment } from '../../src/environment.ts'
import { openFileServer } from '../support/open-test-server.ts'
import { signInBrowser } from '../support/test-browser.ts'
import { type Library, libraries, type ReadyProgram } from './libraries.ts'
import { readPromises } from './read-page.ts'
import { runProgram } from './run-program.ts'

// Below node_modules, where the programs find the libraries of this package.
const cache = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url))
mkdirSync(cache, { recursive: true })
const folder = mkdtempSync(join(cache, 'thingsync-oauth-'))
afterAll(() => rmSync(folder, { recursive: true }))

const server = await openFileServer()
const site = server.baseUrl.replace(/\/v1\/$/, '')
const redirectUri = 'http://127.0.0.1:8765/back'

const ready = new Map<string, ReadyProgram>()
beforeAll(() => {
  for (const { name, prepare } of libraries) ready.set(name, prepare(folder))
})

/** Registers an app, and gives what its developer puts into the environment. */
const register = async (isPublic: boolean, isStandard: boolean) => {
  // The port of a loopback address is the app's own business.
  const details = { redirectUris: ['http://127.0.0.1/back'], ...(isStandard && { isStandard }) }
  if (isPublic)
    return { CLIENT_ID: (await addPublicClient(server.store, 'a program', systemEnvironment, details)).clientId }
  const { clientId, clientSecret } = await addApp(server.store, 'a program', systemEnvironment, details)
  return { CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }
}

let users = 0

/** Runs the program of a library for a user who allows it; returns how it ended, and what the server has then. */
const run = async ({ name }: Library, app: Readonly<Record<string, string>>) => {
  users += 1
  const username = `user ${users}`
  await server.addUser(username)
  const browser = await signInBrowser(server, username)
  const visit = async (address: string) => {
    const consent = await browser.open(address.slice(site.length))
    return (await browser.send(consent, '/authorize', { decision: 'allow' })).location
  }
  const program = ready.get(name)
  if (program === undefined) throw new Error(`${name} is not ready`)
  const env = { SERVER: site, REDIRECT_URI: redirectUri, ...app }
  const ended = await runProgram(program, env, visit)
  const user = await server.store.registry.findUserByName(username)
  return { ...ended, thingCount: await (await server.store.read(user?.id ?? '')).countThings() }
}

const kinds = [
  { kind: 'with a secret', isPublic: false },
  { kind: 'public', isPublic: true },
]
const cases = libraries.flatMap((library) => kinds.map((kind) => ({ library, name: library.name, ...kind })))

test.each(cases)('$name gets tokens, renews them and syncs, as an app that is $kind', async ({ library, isPublic }) => {
  const { exitCode, lastLine, stderr, thingCount } = await run(library, await register(isPublic, true))

  expect([exitCode, stderr]).toEqual([0, ''])
  expect(JSON.parse(lastLine)).toMatchObject({ thingCount: 1, things: { changed: [{ title: 'My first thing' }] } })
  expect(thingCount).toBe(1)
})

test.each(cases)('$name and an app that is $kind but not standard: as the page says', async ({ library, isPublic }) => {
  const { exitCode, stderr, thingCount } = await run(library, await register(isPublic, false))

  const says = readPromises().get(library.name)
  if (exitCode === 0) expect([says, thingCount]).toEqual(['works', 1])
  else expect([says, stderr, thingCount]).toEqual(['rejects `scope: null`', expect.stringContaining('scope'), 0])
})

test('the page has a row for every library, and no other', () => {
  expect([...readPromises().keys()]).toEqual(libraries.map(({ name }) => name))
})
