import { type Client, openClient } from '../client.ts'
import { Blocked, NoAnswer } from '../finding.ts'
import { writePasswordGrant } from '../sessions.ts'
import type { Target } from '../target.ts'
import { findConnectionTrouble } from './doctor-findings.ts'

/** What is known of a server before the first rule. */
export interface Preflight {
  /** Why a run would be pointless, in one sentence. */
  readonly trouble?: string
  /** Shortest time that an answer of sync took, in milliseconds. */
  readonly latencyMs: number
  /** The server answers one connection after the other: a second one waits until the first is closed. */
  readonly isOneByOne: boolean
}

/** Asks what has to be known before a run: whether the server is there, how long it takes, how many it serves at once. */
export async function inspectServer(target: Target): Promise<Preflight> {
  const trouble = await findConnectionTrouble(target)
  if (trouble !== undefined) return { trouble, latencyMs: 0, isOneByOne: false }
  const first = openClient(target)
  try {
    const latencyMs = await measure(first, target)
    return { latencyMs, isOneByOne: latencyMs > 0 && (await isSecondKeptWaiting(target, latencyMs)) }
  } finally {
    first.close()
  }
}

/** 0 when it could not be measured; the client's connection stays open. */
async function measure(client: Client, target: Target): Promise<number> {
  try {
    const reply = await client.send({ path: 'token', form: writePasswordGrant(target, 0) }, () => {})
    const token = reply.json?.access_token
    const query = [['limit', '1'], ...(typeof token === 'string' ? [['access_token', token] as const] : [])] as const
    const times: number[] = []
    for (let count = 0; count < 3; count += 1) {
      const answer = await client.send({ path: 'sync', query }, () => {})
      times.push(answer.exchange.ms)
    }
    return Math.max(1, Math.min(...times))
  } catch (error) {
    if (error instanceof NoAnswer || error instanceof Blocked) return 0
    throw error
  }
}

async function isSecondKeptWaiting(target: Target, latencyMs: number): Promise<boolean> {
  const second = openClient({ ...target, timeoutMs: Math.max(1500, latencyMs * 5) })
  try {
    await second.send({ path: 'sync' }, () => {})
    return false
  } catch (error) {
    if (error instanceof NoAnswer) return error.isSilence
    if (error instanceof Blocked) return false
    throw error
  } finally {
    second.close()
  }
}

/** Answers that the clean-up waits for, and most time for it, in milliseconds; what it can't do then is said. */
const cleanUp = { answers: 5, mostMs: 10_000 }

/** What of a budget is not the rules': what was spent before them, and what the clean-up will take. */
export function reserveTime({ latencyMs }: Preflight, spentMs: number): number {
  return spentMs + Math.min(cleanUp.mostMs, cleanUp.answers * latencyMs)
}

/** How a run is laid out for a server. */
export interface Layout {
  readonly jobs: number
  readonly histories: number
  /** How long it will take, roughly, in seconds. */
  readonly seconds: number
}

/** Requests that rules send, on average; counted on the self-test's server. */
const requestsOf = { rule: 6, aloneRule: 14, history: 46 }

/** Time that random histories may take when nobody asked for a number of them. */
const historiesMs = 20_000

/** Lays a run out: what can be run side by side is, more so where answers take long; slow servers get fewer histories. */
export function layOut(
  { latencyMs, isOneByOne }: Preflight,
  count: { readonly together: number; readonly alone: number; readonly hasHistories: boolean },
  asked: { readonly jobs?: number | undefined; readonly histories?: number | undefined },
): Layout {
  const jobs = asked.jobs ?? (isOneByOne ? 1 : latencyMs > 50 ? 16 : 4)
  const fitting = Math.floor(historiesMs / (requestsOf.history * Math.max(1, latencyMs)))
  const histories = asked.histories ?? Math.max(2, Math.min(20, fitting))
  const requests =
    (count.together * requestsOf.rule) / jobs +
    count.alone * requestsOf.aloneRule +
    (count.hasHistories ? Math.max(4, histories) * requestsOf.history : 0)
  return { jobs, histories, seconds: (requests * Math.max(latencyMs, 5)) / 1000 }
}
