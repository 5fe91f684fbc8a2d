import { expect, test } from 'vitest'
import type { Lab } from '../../src/lab.ts'
import { rightServer } from '../../src/model/behavior.ts'
import { legalDifferences } from '../../src/model/legal-differences.ts'
import { type OpenServer, openRightServer, type RightServerOptions } from '../../src/model/right-server.ts'
import { ApiError } from '../../src/model/state.ts'
import type { FinishedRun } from '../../src/report/reported-result.ts'
import { decideVerdict } from '../../src/report/verdict.ts'
import { renderReport, reportKinds } from '../../src/report/write-reports.ts'
import { allRules } from '../../src/rules/all-rules.ts'
import { checkOpenServer, checkServer, rulesOf } from '../check-server.ts'

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
  'a run against a server that ends in the middle never passes',
  async () => {
    for (const survived of [1, 40, 200, 400]) {
      let requests = 0
      const report = await withServer({}, (server) => {
        const { behavior } = server.state
        behavior.delay = async () => {
          requests += 1
          behavior.hangsUp = requests >= survived
        }
        return checkOpenServer(server, { rules: core, profile: 'core' })
      })

      expect(report.exitCode, `after ${survived} requests`).not.toBe(0)
      expect(report.results.filter(({ status }) => status === 'error')).toEqual([])
    }
  },
  5 * minute,
)

test(
  'a server that rejects everything passes no rule about errors',
  async () => {
    const everythingRejected = async (): Promise<void> => {
      throw new ApiError('parameter-invalid', 'no')
    }
    const report = await checkServer({ behavior: { delay: everythingRejected } }, { rules: core, profile: 'core' })
    const apiErrors = report.results.filter(({ title }) => /\breject/i.test(title))

    expect(apiErrors.length).toBeGreaterThan(5)
    expect(apiErrors.filter(({ id, status }) => status === 'passed' && !isTokenRule(id))).toEqual([])
  },
  5 * minute,
)

/** The rules of the token endpoint may pass: an error is the right response to their requests. */
function isTokenRule(id: string): boolean {
  return /^TOKEN-(GRANT|REFRESH|REJECT|EXPIRE)-/.test(id)
}

test(
  'the report names the rules that are skipped without a second user',
  async () => {
    const report = await withServer({}, (server) =>
      checkOpenServer({ ...server, users: server.users.slice(0, 1) }, { rules: core, profile: 'core' }),
    )
    const aside = report.results.filter(({ status }) => status === 'skipped')

    expect(aside.length).toBeGreaterThan(0)
    expect(aside.filter(({ message = '' }) => !/second account|too long to wait/.test(message))).toEqual([])
    expect(report.verdict).toContain(`${aside.length} skipped`)
  },
  5 * minute,
)

function toForm(text: string): string {
  return new URLSearchParams({ x: text }).toString().slice(2)
}

test(
  'no report of any kind contains a password, client secret or token',
  async () => {
    const failing = { thing: () => ({}) }
    await withServer({ behavior: failing }, async (server) => {
      const report = await checkOpenServer(server, { rules: core, profile: 'core' })
      const run: FinishedRun = {
        ...report,
        ...decideVerdict(report.results, 'must', 'core'),
        level: 'must',
        staleExpectedFailures: [],
      }
      const tokens = server.state.sessions.flatMap(({ pairs }) =>
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
  'a run does not change existing data, and leaves nothing behind',
  async () => {
    const old = legalDifferences.find(({ id }) => id === 'account-holds-old-things')
    await withServer(old?.prepare === undefined ? {} : { prepare: old.prepare }, async (server) => {
      const left: string[] = []
      const look = (): unknown =>
        [...server.state.accounts.values()].map(({ things, tags, webhooks, devices }) => ({
          things: [...things.values()].filter(({ deleted }) => !deleted).map(({ id, fields }) => ({ id, ...fields })),
          tags: [...tags].map(([name, { settings }]) => ({ name, ...settings })).filter(isSpecial),
          notified: [...webhooks.keys(), ...devices.keys()],
        }))
      const before = look()
      const onLeftover = (sentence: string): void => void left.push(sentence)
      await checkOpenServer(server, { rules: rulesOf(allRules, 'full'), profile: 'full', onLeftover })

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
  'a failed clean-up is reported and does not change the verdict',
  async () => {
    const left: string[] = []
    const cleanUpRejected = { findToDelete: rightServer.findToDelete, delay: async () => {} }
    await withServer({ behavior: cleanUpRejected }, async (server) => {
      const [rule] = core.filter(({ id }) => id === 'SYNC-FULL-01')
      const report = await checkOpenServer(server, {
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

function endDeletions({ state }: OpenServer): void {
  state.behavior.delay = async ({ parameters }) => {
    if (parameters.some(([name]) => name.startsWith('deleted_thing'))) throw new ApiError('throttled', 'no')
  }
  state.behavior.errorStatus = () => 403
}

test('ids of rules are an area, a topic and two digits, and titles begin with the level', () => {
  const ids = allRules.map(({ id }) => id)

  expect(ids).toEqual([...new Set(ids)])
  expect(ids.filter((id) => !/^[A-Z]+(-[A-Z]+)*-\d{2}$/.test(id))).toEqual([])
  expect(allRules.filter(({ title, level }) => !title.startsWith(level.toUpperCase()))).toEqual([])
})

test(
  'an interrupted run leaves no webhook behind',
  async () => {
    const rules = allRules.filter(({ id }) => id === 'WEBHOOK-BODY-02')
    await withServer({ behavior: { announces: () => false } }, async (server) => {
      const [account] = server.state.accounts.values()
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
      const report = await checkOpenServer(server, { rules: whole, profile: 'full', signal: ending.signal })

      expect(report.results.map(({ status }) => status)).toEqual(['blocked'])
      expect([...(account?.webhooks.keys() ?? [])]).toEqual([])
    })
  },
  5 * minute,
)
