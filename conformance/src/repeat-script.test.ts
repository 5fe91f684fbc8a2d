import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { checkOpenServer } from '../selftest/check-server.ts'
import { createRedactor } from './client.ts'
import type { ListingOf } from './model/behavior.ts'
import { rightServer } from './model/behavior.ts'
import { type OpenServer, openRightServer } from './model/right-server.ts'
import type { Thing } from './model/state.ts'
import { allRules } from './rules/all-rules.ts'

/** Runs the script in a shell against the server and returns its output. */
const runScript = async (server: OpenServer, script: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'repeat-'))
  const file = join(folder, 'again.sh')
  await writeFile(file, script)
  const { stdout } = await promisify(execFile)('sh', [file], {
    env: {
      PATH: process.env.PATH,
      THINGSYNC_BASE_URL: server.baseUrl,
      THINGSYNC_CLIENT_ID: server.clientId,
      THINGSYNC_CLIENT_SECRET: server.clientSecret,
      THINGSYNC_USER: server.users.map(({ username, password }) => `${username}:${password}`).join('\n'),
    },
  })
  await rm(folder, { recursive: true })
  return stdout
}

test('after the clean-up, the script of a failure creates its data and shows the same response', async () => {
  const server = await openRightServer({ behavior: { listsDeleted: () => false, compression: () => undefined } })
  const rules = allRules.filter(({ id }) => id === 'SYNC-DELETE-01')
  const { results } = await checkOpenServer(server, { rules, profile: 'core' })
  const stdout = await runScript(server, results[0]?.script ?? 'exit 9')
  const things = [...(server.state.accounts.get('alice')?.things.values() ?? [])]
  await server.close()

  const responses = stdout.trim().split('\n')
  expect(responses.length).toBeGreaterThan(3)
  expect(responses.filter((line) => !/^\d+\. \{/.test(line) || line.includes('"error"'))).toEqual([])
  expect(responses.some((line) => line.includes('"new"'))).toBe(true)
  // The decisive step: the script deletes again, and the incremental sync does not list the deletion.
  expect(responses.at(-1)).not.toContain('deleted')
  expect(things.filter(({ deleted }) => deleted).length).toBeGreaterThan(results.length)
  expect(things.filter(({ deleted }) => !deleted)).toEqual([])
})

test('in the script of a failure each device has its own session, because responses may depend on it', async () => {
  // The listing leaves out changes of other sessions: only a script with two sessions shows that.
  const behavior = {
    listsThing: (thing: Thing, of: ListingOf) => rightServer.listsThing(thing, of) && thing.author === of.session,
  }
  const server = await openRightServer({ behavior: { ...behavior, compression: () => undefined } })
  const rules = allRules.filter(({ id }) => id === 'SYNC-INCREMENTAL-01')
  const { results } = await checkOpenServer(server, { rules, profile: 'core' })
  const stdout = await runScript(server, results[0]?.script ?? 'exit 9')
  await server.close()

  expect(results[0]?.status).toBe('failed')
  expect(results[0]?.script).toContain('ACCESS_TOKEN_OF_LAPTOP=$(log_in 1 access_token)')
  expect(stdout).toContain('"new"')
  expect(stdout.trim().split('\n').at(-1)).not.toContain('changed')
})

test('a secret of two letters is also hidden, and words that contain its letters stay', () => {
  const { hide, redact } = createRedactor()
  hide('ACCESS_TOKEN', 'to')

  expect(redact('Bearer to')).toBe(`Bearer $${'{ACCESS_TOKEN}'}`)
  expect(redact('tomorrow, in toto')).toBe('tomorrow, in toto')
  expect(redact('{"x":"to"}')).toBe(`{"x":"$${'{ACCESS_TOKEN}'}"}`)
})
