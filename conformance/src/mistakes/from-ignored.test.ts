import { expect, test } from 'vitest'
import { allFaults } from '../../selftest/all-faults.ts'
import { judge, rulesOf } from '../../selftest/judge.ts'
import { openRightServer } from '../../selftest/right-server.ts'
import type { Behaviour } from '../../selftest/server/behaviour.ts'
import { tryFirstRules } from '../cli/first-rules.ts'
import { allRules } from '../rules/all-rules.ts'
import { fromIgnored } from './from-ignored.ts'

const faultOf = (id: string): Partial<Behaviour> => {
  const fault = allFaults.find((each) => each.id === id)
  if (fault === undefined) throw new Error(`no fault ${id}`)
  return fault.behaviour
}

/** The rules that fail, parted by whether that follows from the mistake. */
const judgeDeltas = async (behaviour: Partial<Behaviour>): Promise<{ follows: string[]; apart: string[] }> => {
  const rules = rulesOf(allRules, 'core').filter(({ id }) => /^(SYNC-(DELTA|DELETE|NEW)|THING-CHANGE-TITLE)-/.test(id))
  const { results } = await judge({ behaviour }, { rules, profile: 'core', histories: 0 })
  const failed = results.filter(({ status }) => status === 'failed')
  const ids = (isMeant: (follows: string | undefined) => boolean): string[] =>
    failed.filter(({ follows }) => isMeant(follows)).map(({ id }) => id)
  return { follows: ids((mistake) => mistake === 'from-ignored'), apart: ids((mistake) => mistake === undefined) }
}

test('each rule that is said to follow from it is a rule', () => {
  const ids = allRules.map(({ id }) => id)

  expect(fromIgnored.follows.filter((id) => !ids.includes(id))).toEqual([])
})

test.each(['delta-lists-all', 'delta-lists-all-and-deleted'])(
  'on a server that ignores `from` what fails follows from it: %s',
  async (id) => {
    const { follows, apart } = await judgeDeltas(faultOf(id))

    expect([follows.includes('SYNC-DELTA-04'), apart]).toEqual([true, []])
  },
)

test('another mistake of such a server stays by itself', async () => {
  const { follows, apart } = await judgeDeltas({ ...faultOf('delta-lists-all'), ...faultOf('change-title-ignored') })

  expect([follows.includes('SYNC-DELTA-03'), apart]).toEqual([true, expect.arrayContaining(['THING-CHANGE-TITLE-01'])])
})

test.each(['delta-omits-deleted', 'delta-repeats-boundary', 'delta-own-session-only', 'change-title-ignored'])(
  'a server with deltas is not said to have none: %s',
  async (id) => {
    const { follows, apart } = await judgeDeltas(faultOf(id))

    expect([follows, apart.length]).toEqual([[], expect.any(Number)])
    expect(apart.length).toBeGreaterThan(0)
  },
)

test('the doctor names the mistake, and none of the rules that follow from it', async () => {
  const { baseUrl, clientId, clientSecret, users, close } = await openRightServer({
    behaviour: faultOf('delta-lists-all'),
  })
  const told: string[] = []
  const target = { baseUrl, clientId, clientSecret, users }
  const { signal } = new AbortController()
  const exitCode = await tryFirstRules(target, allRules, ({ kind, text }) => told.push(`${kind}: ${text}`), signal)
  await close()

  expect([exitCode, told]).toEqual([
    1,
    [
      expect.stringMatching(
        /^problem: `from` is ignored: every listing is a full one; \d rules follow from it: mend this first$/,
      ),
    ],
  ])
})
