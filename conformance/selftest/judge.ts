import type { Profile } from '../src/levels.ts'
import { openReceiver } from '../src/receiver/receiver.ts'
import type { RunReport } from '../src/result.ts'
import type { Rule } from '../src/rule.ts'
import { runRules } from '../src/runner.ts'
import { type OpenServer, openRightServer, type RightServerOptions } from './right-server.ts'

/** What to run against one server. */
export interface Judging {
  readonly rules: readonly Rule[]
  readonly profile: Profile
  /** Random histories; default 12. */
  readonly histories?: number
  readonly seed?: number
  /** Forms of the header that the owner names; default: none, and the usual ones are tried. */
  readonly authHeaders?: readonly string[]
  /** Ends the run early. */
  readonly signal?: AbortSignal
  /** Longest time for the end of a run that was ended early; default: the suite's. */
  readonly interruptedMs?: number
  /** Called with what the clean-up could not do. */
  readonly onLeftover?: (sentence: string) => void
}

/** A server that is open, and how it is started again and which other app it knows, if that is known. */
export type JudgedServer = Omit<OpenServer, 'world' | 'restart' | 'close' | 'otherClient'> &
  Partial<Pick<OpenServer, 'restart' | 'otherClient'>>

/** How long wrong servers are waited for; the right one tries again after a second. */
const patience = { eventMs: 3000, retryMs: 5000 }

/** Runs rules against a server that is already open, over its socket. */
export async function judgeOpen(server: JudgedServer, judging: Judging): Promise<RunReport> {
  const { baseUrl, clientId, clientSecret, otherClient, users, restart } = server
  const { rules, profile, histories = 12, seed = 1, authHeaders = [], onLeftover, signal, interruptedMs } = judging
  const other = otherClient === undefined ? {} : { otherClient }
  const who = { baseUrl, clientId, clientSecret, ...other, users }
  const target = { ...who, authHeaders, timeoutMs: 3000, throttleMs: 20_000 }
  const receiver = await openReceiver({ host: '127.0.0.1', port: 0 })
  const options = {
    target,
    rules,
    profile,
    seed,
    histories,
    jobs: 4,
    receiver,
    patience,
    ...(restart === undefined ? {} : { restart }),
    ...(signal === undefined ? {} : { signal }),
    ...(interruptedMs === undefined ? {} : { interruptedMs }),
  }
  try {
    return await runRules(onLeftover === undefined ? options : { ...options, onLeftover })
  } finally {
    await receiver.close()
  }
}

/** Opens a right, faulty or differing server, runs rules against it, and closes it. */
export async function judge(options: RightServerOptions, judging: Judging): Promise<RunReport> {
  const server = await openRightServer(options)
  try {
    return await judgeOpen(server, judging)
  } finally {
    await server.close()
  }
}

/** The rules of a profile: `full` holds those of `core` too. */
export function rulesOf(rules: readonly Rule[], profile: Profile): readonly Rule[] {
  return rules.filter((rule) => profile === 'full' || rule.profile === 'core')
}

/** The results that are not as they should be on a right server, one line each. */
export function describeTrouble(report: RunReport): readonly string[] {
  return (
    report.results
      .filter(({ status, level }) => status === 'error' || (status !== 'passed' && level === 'must'))
      // Limits and validities are the server's choice, and a rule that needs others says so.
      .filter(
        ({ status, message = '' }) =>
          status !== 'inapplicable' || !/^the server( refuses|'s access tokens)/.test(message),
      )
      .map(({ id, status, message = '' }) => `${id} ${status}: ${message}`)
  )
}
