import type { RunReport } from '../src/result.ts'
import type { Profile, Rule } from '../src/rule.ts'
import { runRules } from '../src/runner.ts'
import { type OpenServer, openRightServer, type RightServerOptions } from './right-server.ts'

/** What to run against one server. */
export interface Judging {
  readonly rules: readonly Rule[]
  readonly profile: Profile
  /** Random histories; default 3. */
  readonly histories?: number
  readonly seed?: number
}

/** Runs rules against a server that is already open, over its socket. */
export function judgeOpen(server: Omit<OpenServer, 'world' | 'close'>, judging: Judging): Promise<RunReport> {
  const { baseUrl, clientId, clientSecret, users } = server
  const { rules, profile, histories = 3, seed = 1 } = judging
  const target = { baseUrl, clientId, clientSecret, users, timeoutMs: 3000, throttleMs: 20_000 }
  return runRules({ target, rules, profile, seed, histories, jobs: 4 })
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
