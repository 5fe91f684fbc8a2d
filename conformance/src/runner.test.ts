import { afterEach, beforeEach, expect, test } from 'vitest'
import { expect as expectThat } from './expect.ts'
import type { Lab } from './lab.ts'
import { type OpenServer, openRightServer } from './model/right-server.ts'
import { asSetup, Blocked, Skipped } from './result.ts'
import type { Rule } from './rule.ts'
import { type RunOptions, runRules } from './runner.ts'

let server: OpenServer

beforeEach(async () => {
  server = await openRightServer()
})

afterEach(() => server.close())

const rule = (id: string, check: (lab: Lab) => Promise<void>, more: Partial<Rule> = {}): Rule => ({
  ...{ id, title: `MUST ${id}`, level: 'must', basis: 'specified', profile: 'core', section: '4.3' },
  ...{ requirements: [], faults: [], check, ...more },
})

const run = (rules: readonly Rule[], more: Partial<RunOptions> = {}) =>
  runRules({ target: server, rules, profile: 'core', seed: 1, ...more })

const livingThings = (): string[] =>
  [...(server.state.accounts.get('alice')?.things.values() ?? [])].flatMap((thing) =>
    thing.deleted ? [] : [thing.fields.title],
  )

test('each outcome of a check has its own status, in the order of the rules', async () => {
  const report = await run([
    rule('PASSES', async () => {}),
    rule('FAILS', async (lab) => {
      const response = await (await lab.replica('phone')).listAll()
      expectThat(false, 'a miracle', 'none came', response)
    }),
    rule('SETUP-FAILS', () => asSetup('the setup', async () => expectThat(false, 'a setup', 'none came'))),
    rule('BLOCKED', async () => {
      throw new Blocked('throttled')
    }),
    rule('DOES-NOT-APPLY', async () => {
      throw new Skipped('one user')
    }),
    rule('BUG', async () => {
      throw new TypeError('undefined is not a function')
    }),
  ])

  const statuses = report.results.map(({ status }) => status)
  expect(statuses).toEqual(['passed', 'failed', 'blocked', 'blocked', 'skipped', 'error'])
  expect(report.exitCode).toBe(1)
  expect(report.results[1]).toMatchObject({ expected: 'a miracle', actual: 'none came' })
  expect(report.results[1]?.curl).toContain('/v1/sync')
  expect(report.results[2]?.message).toContain('expected a setup')
})

test('when a run ends in the middle of a rule, an earlier error response is no cause', async () => {
  const stop = new AbortController()
  const apiError = async (lab: Lab): Promise<void> => {
    await lab.token({ client_secret: 'wrong' })
    stop.abort('SIGTERM')
    await new Promise(() => {})
  }
  const report = await run([rule('CUT-OFF', apiError)], { signal: stop.signal })

  expect(report.results).toMatchObject([{ status: 'blocked', message: 'the run was interrupted during this rule' }])
  expect(report.results[0]).not.toHaveProperty('cause')
  expect(report.results[0]).not.toHaveProperty('curl')
})

test('a checked step without a response fails the rule, a setup step blocks it', async () => {
  const target = { ...server, baseUrl: 'http://127.0.0.1:9/v1/' }
  const report = await run(
    [
      rule('CHECKED', async (lab) => {
        await lab.token()
      }),
      rule('PREPARING', async (lab) => {
        await (await lab.replica('phone')).create()
      }),
    ],
    { target },
  )

  expect(report.results.map(({ status }) => status)).toEqual(['failed', 'blocked'])
})

test('rules that need the account for themselves never overlap another rule', async () => {
  let running = 0
  const overlaps: number[] = []
  const check = async (lab: Lab): Promise<void> => {
    running += 1
    await (await lab.replica('phone')).create()
    overlaps.push(running)
    running -= 1
  }
  const rules = ['A', 'B', 'C', 'D'].map((id) => rule(id, check, { alone: true }))

  await run([...rules, rule('E', check)])

  expect(overlaps).toEqual([1, 1, 1, 1, 1])
})

test('the clean-up deletes what the run created and nothing else, with any outcome of the rules', async () => {
  const before = rule('BEFORE', async (lab) => {
    const token = await (await lab.replica('phone')).token()
    const form = [['new_thing', '{"local_id": 1, "title": "an old thing"}']] as const
    await lab.openSync(token, { path: 'sync', form })
  })
  await run([before])
  const account = server.state.accounts.get('alice')
  for (const thing of account?.things.values() ?? []) thing.deleted = false

  const rules = ['A', 'B'].map((id) =>
    rule(id, async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create({ title: 'without a mark' })
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: true })
      throw new Error('a bug')
    }),
  )
  const leftovers: string[] = []
  await run(rules, { onLeftover: (sentence) => leftovers.push(sentence) })

  expect(livingThings()).toEqual(['an old thing'])
  expect([...(account?.tags.values() ?? [])].filter(({ settings }) => settings.favorite)).toEqual([])
  expect(leftovers).toEqual([])
})

test('an interrupted run reports the blocked rules, and still cleans up', async () => {
  const ending = new AbortController()
  const rules = [
    rule('ENDS', async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create()
      ending.abort()
      await phone.create()
    }),
    rule('NEVER-RUNS', async () => {}),
  ]

  const report = await run(rules, { jobs: 1, signal: ending.signal })

  expect(report.results.map(({ status }) => status)).toEqual(['blocked', 'blocked'])
  expect(report.exitCode).toBe(3)
  expect(livingThings()).toEqual([])
})

test('wiping deletes every thing and resets every tag before the first rule', async () => {
  const fill = rule('FILL', async (lab) => {
    const phone = await lab.replica('phone')
    await phone.createMany(Array.from({ length: 150 }, () => ({})))
    await phone.setTag('old', { favorite: true, color: false, todo: false })
  })
  await run([fill])
  for (const thing of server.state.accounts.get('alice')?.things.values() ?? []) thing.deleted = false
  let seen: unknown

  const look = rule('LOOK', async (lab) => {
    const response = await (await lab.replica('phone')).listAll()
    seen = [response.changed.length, response.tags.size]
  })
  await run([look], { wipe: true })

  expect(seen).toEqual([0, 0])
})

test('the report of a run contains no secret', async () => {
  const report = await run([
    rule('LEAKS', async (lab) => {
      const reply = await lab.token()
      expectThat(false, `not ${reply.text}`, `${lab.target.clientSecret} ${lab.target.users[0]?.password}`, reply)
    }),
  ])

  const text = JSON.stringify(report)
  const session = server.state.sessions[0]?.pairs[0]
  for (const secret of [server.clientSecret, 'p+ss w', 'p%2Bss', session?.access, session?.request]) {
    expect(secret).toBeDefined()
    expect(text).not.toContain(secret)
  }
})
