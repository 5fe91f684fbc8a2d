import { expect, test } from 'vitest'
import { allFaults } from '../selftest/all-faults.ts'
import { checkServer, rulesOf } from '../selftest/check-server.ts'
import { tryFirstRules } from './cli/doctor.ts'
import { fromIgnored } from './known-mistakes.ts'
import type { Behavior } from './model/behavior.ts'
import { openRightServer } from './model/right-server.ts'
import { allRules } from './rules/all-rules.ts'

const faultOf = (id: string): Partial<Behavior> => {
  const fault = allFaults.find((each) => each.id === id)
  if (fault === undefined) throw new Error(`no fault ${id}`)
  return fault.behavior
}

/** Returns the rules that fail, separated by whether the failure follows from the mistake. */
const checkListings = async (behavior: Partial<Behavior>): Promise<{ follows: string[]; apart: string[] }> => {
  const rules = rulesOf(allRules, 'core').filter(({ id }) =>
    /^(SYNC-(INCREMENTAL|DELETE|NEW)|THING-CHANGE-TITLE)-/.test(id),
  )
  const { results } = await checkServer({ behavior }, { rules, profile: 'core', histories: 0 })
  const failed = results.filter(({ status }) => status === 'failed')
  const ids = (isSelected: (follows: string | undefined) => boolean): string[] =>
    failed.filter(({ follows }) => isSelected(follows)).map(({ id }) => id)
  return { follows: ids((mistake) => mistake === 'from-ignored'), apart: ids((mistake) => mistake === undefined) }
}

test('each rule that follows from the mistake exists', () => {
  const ids = allRules.map(({ id }) => id)

  expect(fromIgnored.follows.filter((id) => !ids.includes(id))).toEqual([])
})

test.each(['incremental-lists-all', 'incremental-lists-all-and-deleted'])(
  'on a server that ignores `from` the failures follow from that: %s',
  async (id) => {
    const { follows, apart } = await checkListings(faultOf(id))

    expect([follows.includes('SYNC-INCREMENTAL-04'), apart]).toEqual([true, []])
  },
)

test('another mistake of such a server stays separate', async () => {
  const { follows, apart } = await checkListings({
    ...faultOf('incremental-lists-all'),
    ...faultOf('change-title-ignored'),
  })

  expect([follows.includes('SYNC-INCREMENTAL-03'), apart]).toEqual([
    true,
    expect.arrayContaining(['THING-CHANGE-TITLE-01']),
  ])
})

test.each([
  'incremental-omits-deleted',
  'incremental-repeats-boundary',
  'incremental-own-session-only',
  'change-title-ignored',
])('a server with incremental sync is not reported as a server without: %s', async (id) => {
  const { follows, apart } = await checkListings(faultOf(id))

  expect([follows, apart.length]).toEqual([[], expect.any(Number)])
  expect(apart.length).toBeGreaterThan(0)
})

test('the doctor names the mistake, and none of the rules that follow from it', async () => {
  const { baseUrl, clientId, clientSecret, users, close } = await openRightServer({
    behavior: faultOf('incremental-lists-all'),
  })
  const notified: string[] = []
  const target = { baseUrl, clientId, clientSecret, users }
  const { signal } = new AbortController()
  const exitCode = await tryFirstRules(target, allRules, ({ kind, text }) => notified.push(`${kind}: ${text}`), signal)
  await close()

  expect([exitCode, notified]).toEqual([
    1,
    [
      expect.stringMatching(
        /^problem: `from` is ignored: every sync is a full sync; \d rules follow from it: fix this first$/,
      ),
    ],
  ])
})
