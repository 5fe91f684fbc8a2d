import { expect, test } from 'vitest'
import type { Lab } from '../src/lab.ts'
import type { FinishedRun } from '../src/report/finished-run.ts'
import { reportKinds } from '../src/report/report-kinds.ts'
import { decideVerdict } from '../src/report/verdict.ts'
import { renderReport } from '../src/report/write-reports.ts'
import { allRules } from '../src/rules/all-rules.ts'
import { judge, judgeOpen, rulesOf } from './judge.ts'
import { legalDifferences } from './legal-differences.ts'
import { type OpenServer, openRightServer, type RightServerOptions } from './right-server.ts'
import { right } from './server/behaviour.ts'
import { Refusal } from './server/refusal.ts'

const core = rulesOf(allRules, 'core')
const minute = 60_000

async function withServer<T>(options: RightServerOptions, work: (server: OpenServer) => Promise<T>): Promise<T> {
  const server = await openRightServer(options)
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

test(
  'a server that dies in the middle of the run is never green',
  async () => {
    for (const survived of [1, 40, 200, 400]) {
      let requests = 0
      const report = await withServer({}, (server) => {
        const { behaviour } = server.world
        behaviour.delay = async () => {
          requests += 1
          behaviour.hangsUp = requests >= survived
        }
        return judgeOpen(server, { rules: core, profile: 'core' })
      })

      expect(report.exitCode, `after ${survived} requests`).not.toBe(0)
      expect(report.results.filter(({ status }) => status === 'error')).toEqual([])
    }
  },
  5 * minute,
)

test(
  'a server that refuses everything passes no rule about refusals',
  async () => {
    const everythingRefused = async (): Promise<void> => {
      throw new Refusal('parameter-invalid', 'no')
    }
    const report = await judge({ behaviour: { delay: everythingRefused } }, { rules: core, profile: 'core' })
    const refusals = report.results.filter(({ title }) => /\b(refuse|reject)/i.test(title))

    expect(refusals.length).toBeGreaterThan(5)
    expect(refusals.filter(({ id, status }) => status === 'passed' && !isTokenRule(id))).toEqual([])
  },
  5 * minute,
)

/** The token endpoint is asked before anything is refused here. */
function isTokenRule(id: string): boolean {
  return /^TOKEN-(GRANT|REFRESH|REFUSE|EXPIRE)-/.test(id)
}

test(
  'what does not apply for want of a second user is said, not hidden',
  async () => {
    const report = await withServer({}, (server) =>
      judgeOpen({ ...server, users: server.users.slice(0, 1) }, { rules: core, profile: 'core' }),
    )
    const aside = report.results.filter(({ status }) => status === 'inapplicable')

    expect(aside.length).toBeGreaterThan(0)
    expect(aside.filter(({ message = '' }) => !/second account|too long to wait/.test(message))).toEqual([])
    expect(report.verdict).toContain(`${aside.length} did not apply`)
  },
  5 * minute,
)

function toForm(text: string): string {
  return new URLSearchParams({ x: text }).toString().slice(2)
}

test(
  'no password, client secret or token stands in a report of any kind',
  async () => {
    const failing = { thing: () => ({}) }
    await withServer({ behaviour: failing }, async (server) => {
      const report = await judgeOpen(server, { rules: core, profile: 'core' })
      const run: FinishedRun = {
        ...report,
        ...decideVerdict(report.results, 'must', 'core'),
        level: 'must',
        staleDeviations: [],
      }
      const tokens = server.world.sessions.flatMap(({ pairs }) =>
        pairs.flatMap(({ access, request }) => [access, request]),
      )
      const known = [server.clientSecret, ...server.users.map(({ password }) => password)]
      const secrets = [...known, ...known.map(encodeURIComponent), ...known.map(toForm), ...tokens]

      expect(tokens.length).toBeGreaterThan(10)
      for (const kind of reportKinds) {
        const text = renderReport(kind, run, [])
        expect(text.length, kind).toBeGreaterThan(1000)
        expect(
          secrets.filter((secret) => text.includes(secret)),
          kind,
        ).toEqual([])
      }
    })
  },
  5 * minute,
)

test(
  'what was in the accounts before stays as it was, and the run leaves nothing behind',
  async () => {
    const old = legalDifferences.find(({ id }) => id === 'account-holds-old-things')
    await withServer(old?.prepare === undefined ? {} : { prepare: old.prepare }, async (server) => {
      const left: string[] = []
      const look = (): unknown =>
        [...server.world.accounts.values()].map(({ things, tags, webhooks, devices }) => ({
          things: [...things.values()].filter(({ deleted }) => !deleted).map(({ id, fields }) => ({ id, ...fields })),
          tags: [...tags].map(([name, { settings }]) => ({ name, ...settings })).filter(isSpecial),
          told: [...webhooks.keys(), ...devices.keys()],
        }))
      const before = look()
      const onLeftover = (sentence: string): void => void left.push(sentence)
      await judgeOpen(server, { rules: rulesOf(allRules, 'full'), profile: 'full', onLeftover })

      expect(left).toEqual([])
      expect(look()).toEqual(before)
    })
  },
  5 * minute,
)

function isSpecial({ favorite, color, todo }: { favorite: boolean; color: unknown; todo: unknown }): boolean {
  return favorite || color !== false || todo !== false
}

test(
  'a failed clean-up is told and decides nothing',
  async () => {
    const left: string[] = []
    const cleanUpRefused = { findToDelete: right.findToDelete, delay: async () => {} }
    await withServer({ behaviour: cleanUpRefused }, async (server) => {
      const [rule] = core.filter(({ id }) => id === 'SYNC-FULL-01')
      const report = await judgeOpen(server, {
        rules:
          rule === undefined ? [] : [{ ...rule, check: (lab) => rule.check(lab).then(() => endDeletions(server)) }],
        profile: 'core',
        onLeftover: (sentence) => left.push(sentence),
      })

      expect(left.length).toBeGreaterThan(0)
      expect(report.exitCode).toBe(0)
    })
  },
  5 * minute,
)

function endDeletions({ world }: OpenServer): void {
  world.behaviour.delay = async ({ parameters }) => {
    if (parameters.some(([name]) => name.startsWith('deleted_thing'))) throw new Refusal('throttled', 'no')
  }
  world.behaviour.errorStatus = () => 403
}

test('ids and titles of rules are stable in form: an area, a topic, two digits, and the level first in the title', () => {
  const ids = allRules.map(({ id }) => id)

  expect(ids).toEqual([...new Set(ids)])
  expect(ids.filter((id) => !/^[A-Z]+(-[A-Z]+)*-\d{2}$/.test(id))).toEqual([])
  expect(allRules.filter(({ title, level }) => !title.startsWith(level.toUpperCase()))).toEqual([])
})

test(
  'an interrupted run leaves no webhook behind',
  async () => {
    const rules = allRules.filter(({ id }) => id === 'WEBHOOK-BODY-02')
    await withServer({ behaviour: { announces: () => false } }, async (server) => {
      const [account] = server.world.accounts.values()
      const ending = new AbortController()
      const whole = rules.map((rule) => ({
        ...rule,
        check: async (lab: Lab) => {
          const checking = rule.check(lab)
          while (account?.webhooks.size === 0) await new Promise((resolve) => setImmediate(resolve))
          ending.abort()
          await checking
        },
      }))
      const report = await judgeOpen(server, { rules: whole, profile: 'full', signal: ending.signal })

      expect(report.results.map(({ status }) => status)).toEqual(['blocked'])
      expect([...(account?.webhooks.keys() ?? [])]).toEqual([])
    })
  },
  5 * minute,
)
