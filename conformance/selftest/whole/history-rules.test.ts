import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { historyRules } from '../../src/histories/history-rules.ts'
import { legalDifferences } from '../../src/model/legal-differences.ts'
import { type OpenServer, openRightServer } from '../../src/model/right-server.ts'
import { allFaults } from '../all-faults.ts'
import { checkOpenServer } from '../check-server.ts'
import { setTimeoutMs } from '../faults/fault.ts'

const minute = 60_000
const hasCurl = spawnSync('curl', ['--version']).error === undefined
if (!hasCurl) console.log('curl is missing: the scripts that show anomalies again are not run')

const play = (server: OpenServer, histories = 20) =>
  checkOpenServer(server, { rules: historyRules, profile: 'full', histories })

const runScript = async (script: string, server: OpenServer): Promise<{ code: number | null; said: string }> => {
  const folder = await mkdtemp(join(tmpdir(), 'histories-'))
  const file = join(folder, 'again.sh')
  await writeFile(file, script)
  const env = {
    PATH: process.env.PATH,
    THINGSYNC_BASE_URL: server.baseUrl,
    THINGSYNC_CLIENT_ID: server.clientId,
    THINGSYNC_CLIENT_SECRET: server.clientSecret,
    THINGSYNC_USER: server.users.map(({ username, password }) => `${username}:${password}`).join('\n'),
  }
  const shell = spawn('sh', [file], { env })
  let said = ''
  for (const stream of [shell.stdout, shell.stderr]) {
    stream.on('data', (part: Buffer) => {
      said += part.toString()
    })
  }
  const code = await new Promise<number | null>((resolve) => shell.on('close', resolve))
  await rm(folder, { recursive: true })
  return { code, said }
}

test.each([
  'pos-second-granularity',
  'pos-before-slow-commit',
  'tombstone-forgotten-after-next-write',
  'page-skips-under-writes',
  'lost-update-under-concurrency',
])(
  'histories find %s, and their script fails on that server and not on a right one',
  async (id) => {
    const wrong = await openRightServer({ behavior: allFaults.find((fault) => fault.id === id)?.behavior ?? {} })
    const right = await openRightServer()

    const { results } = await play(wrong)
    // The requests of the script come from separate processes, which need more time to meet.
    setTimeoutMs(wrong.state, 500)
    const index = results.findIndex(({ status, level }) => status === 'failed' && level === 'must')
    const found = results[index]
    const msUntilFound = results.slice(0, index + 1).reduce((sum, { ms }) => sum + ms, 0)
    const [there, elsewhere] = hasCurl
      ? [await runScript(found?.curl ?? '', wrong), await runScript(found?.curl ?? '', right)]
      : []
    await Promise.all([wrong.close(), right.close()])

    expect(found?.actual).toMatch(
      /\n1\. \w+ .*\n.*line \d+: [a-z-]+\nhistory \d+ of seed 1; \d of 5 repetitions failed$/s,
    )
    console.log(`${id}: found after ${(msUntilFound / 1000).toFixed(1)} s`)
    if (process.env.CI === 'true' || hasCurl) {
      expect(there?.said).toContain('found in attempt')
      expect([there?.code, elsewhere?.code]).toEqual([1, 0])
    }
  },
  5 * minute,
)

const timesInMicroseconds = {
  nextPosition: (account: { position: number }): number => {
    const now = Math.round((performance.timeOrigin + performance.now()) * 1000)
    account.position = Math.max(account.position + 1, now)
    return account.position
  },
}

test.each([
  { id: 'times in microseconds', behavior: () => timesInMicroseconds, profile: 'full' as const },
  ...legalDifferences.filter(({ id }) =>
    [
      ...['pos-is-a-time', 'pos-jumps', 'pos-moves-by-itself', 'order-newest-first', 'full-tells-deleted'],
      ...['created-and-deleted-told', 'own-uploads-echoed', 'unknown-change-rejected', 'unknown-change-ignored'],
      ...['unknown-deletion-rejected', 'left-out-is-cleared', 'slow', 'access-tokens-expire-soon', 'errors-with-200'],
    ].includes(id),
  ),
])(
  'no history is held against a server with $id',
  async ({ behavior, profile }) => {
    const server = await openRightServer({ behavior: behavior() })
    const rules = historyRules.filter((rule) => profile === 'full' || rule.profile === 'core')

    const { results } = await checkOpenServer(server, { rules, profile, histories: 20 })
    await server.close()

    expect(results.flatMap(({ id, message }) => (message === undefined ? [] : [`${id}: ${message}`]))).toEqual([])
  },
  5 * minute,
)
