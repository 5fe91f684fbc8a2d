/*
 * Runs the rules for clients and describes what they found, in the shape of the report for servers. Several rules run
 * at the same time, each with servers of its own; an adapter process serves one rule after another.
 */
import { showValue } from '../encoding.ts'
import { decideVerdict } from '../report/verdict.ts'
import {
  Blocked,
  type ClientProfile,
  type Exchange,
  Finding,
  type Level,
  type RuleResult,
  type RunReport,
  Skipped,
} from '../result.ts'
import { suiteVersion } from '../specification.ts'
import { type Adapter, AdapterBroken, type Hello, protocolVersion, readHello, startAdapter } from './adapter.ts'
import { type AdapterSource, type OpenClientLab, openClientLab } from './client-lab.ts'
import type { ClientRule } from './client-rule.ts'
import { describeWire, exchangesOf, findDecisive, renderStory } from './story.ts'

/** A run against one client. */
export interface ClientRunOptions {
  /** The program of the adapter and its arguments. */
  readonly command: readonly string[]
  /** The profiles to check. */
  readonly profiles: readonly ClientProfile[]
  readonly rules: readonly ClientRule[]
  readonly seed: number
  readonly histories: number
  readonly level?: Level
  /** Number of rules at the same time. */
  readonly jobs?: number
  readonly signal?: AbortSignal
  readonly onResult?: (result: RuleResult) => void
  /** Returns the command that repeats one rule. */
  readonly repeat: (rule: ClientRule) => string
}

/** Starts an adapter and says hello. @throws AdapterBroken when it cannot, or when its result is wrong */
export async function greetAdapter(command: readonly string[]): Promise<{ adapter: Adapter; hello: Hello }> {
  const adapter = await startAdapter(command)
  try {
    const hello = readHello(await adapter.send('hello', { protocol: protocolVersion }, helloMs))
    if (typeof hello !== 'string') return { adapter, hello }
    throw new AdapterBroken(hello)
  } catch (error) {
    await adapter.kill()
    throw error
  }
}

/** Maximum time of the first command: a launcher may compile the adapter first. */
const helloMs = 60_000

/** A source of adapters that reuses processes. */
interface AdapterPool extends AdapterSource {
  readonly close: () => Promise<void>
}

function createPool(command: readonly string[], first: Adapter): AdapterPool {
  const free: Adapter[] = [first]
  return {
    take: async () => {
      const adapter = free.pop()
      if (adapter?.isIdle() === true) return adapter
      return (await greetAdapter(command)).adapter
    },
    giveBack: async (adapter) => {
      if (adapter.isIdle()) free.push(adapter)
      // An adapter that is broken may still run, for example when it wrote no result in time.
      else await adapter.kill()
    },
    close: async () => {
      await Promise.all(free.splice(0).map((adapter) => adapter.end()))
    },
  }
}

/** Maximum number of exchanges in a report of one rule. */
const maxExchanges = 40

/**
 * Runs the rules against the client and resolves to the report.
 * @throws AdapterBroken when the adapter does not start or says hello wrongly
 */
export async function runClientRules(options: ClientRunOptions): Promise<RunReport & { readonly hello: Hello }> {
  const { command, profiles, rules, seed, histories, signal, jobs = 4 } = options
  const startedAt = new Date()
  const { adapter, hello } = await greetAdapter(command)
  const pool = createPool(command, adapter)
  const results = new Map<ClientRule, RuleResult>()
  // The rules with the longest time limit come first, so that no worker waits for one of them at the end.
  const queue = [...rules].sort((a, b) => b.maxMs - a.maxMs)
  const work = async (): Promise<void> => {
    for (let rule = queue.shift(); rule !== undefined; rule = queue.shift()) {
      const result = signal?.aborted
        ? describe(rule, 'blocked', 0, { message: 'the run was interrupted before this rule' })
        : await runRule(rule, hello, pool, { seed, histories }, options.repeat(rule), signal)
      results.set(rule, result)
      options.onResult?.(result)
    }
  }
  try {
    await Promise.all(Array.from({ length: jobs }, work))
  } finally {
    await pool.close()
  }
  const ordered = rules.flatMap((rule) => results.get(rule) ?? [])
  const profile = profiles.length === 2 ? 'api and replica' : (profiles[0] ?? 'api')
  return {
    hello,
    suite: 'thingsync-conformance',
    version: suiteVersion,
    target: `${hello.name}${hello.version === '' ? '' : ` ${hello.version}`} (${command.join(' ')})`,
    profile,
    seed,
    startedAt: startedAt.toISOString(),
    ms: Date.now() - startedAt.getTime(),
    notes: [],
    ...decideVerdict(ordered, options.level ?? 'must', profile),
    results: ordered,
  }
}

function describe(
  rule: ClientRule,
  status: RuleResult['status'],
  ms: number,
  rest: Partial<RuleResult> = {},
): RuleResult {
  const { id, title, level, basis, profile, section, requirements } = rule
  return { id, title, level, basis, profile, section, requirements, status, ms, ...rest }
}

async function runRule(
  rule: ClientRule,
  hello: Hello,
  source: AdapterSource,
  settings: { readonly seed: number; readonly histories: number },
  repeat: string,
  signal: AbortSignal | undefined,
): Promise<RuleResult> {
  const missing = rule.features.filter((feature) => !hello.features.includes(feature))
  if (missing.length > 0) {
    return describe(rule, 'skipped', 0, {
      message: `the adapter does not declare the feature ${missing.join(' and ')}`,
      needs: missing.join(' and '),
    })
  }
  const startedAt = performance.now()
  const opened = openClientLab(source, { ...settings, features: hello.features, ruleId: rule.id })
  try {
    await withinTime(rule, opened, signal)
    return describe(rule, 'passed', performance.now() - startedAt)
  } catch (error) {
    return describeFailure(rule, error, opened, repeat, performance.now() - startedAt)
  } finally {
    await opened.close()
  }
}

async function withinTime(
  rule: ClientRule,
  { lab, abort }: OpenClientLab,
  signal: AbortSignal | undefined,
): Promise<void> {
  let reason: Error | undefined
  const stop = (error: Error): void => {
    reason ??= error
    // What the rule waits for ends with an error of the adapter.
    void abort()
  }
  const late = new Finding(`the end of the rule within ${rule.maxMs / 1000} s`, 'the client was still busy')
  const interrupted = new Blocked('the run was interrupted')
  let endNow: (error: Error) => void = () => {}
  const ended = new Promise<never>((_, reject) => {
    endNow = reject
  })
  const timer = setTimeout(() => {
    stop(late)
    endNow(late)
  }, rule.maxMs)
  const onAbort = (): void => {
    stop(interrupted)
    endNow(interrupted)
  }
  signal?.addEventListener('abort', onAbort, { once: true })
  const checking = rule.check(lab)
  try {
    await Promise.race([checking, ended])
  } catch (error) {
    throw reason ?? error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    ended.catch(() => {})
    checking.catch(() => {})
  }
}

function describeFailure(
  rule: ClientRule,
  error: unknown,
  { redact, eventsBehind }: OpenClientLab,
  repeat: string,
  ms: number,
): RuleResult {
  if (error instanceof Skipped) return describe(rule, 'skipped', ms, { message: error.message })
  if (error instanceof Blocked) return describe(rule, 'blocked', ms, { message: error.message })
  if (!(error instanceof Finding || error instanceof AdapterBroken)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : showValue(error)
    return describe(rule, 'error', ms, { message: redact(text) })
  }
  const events = eventsBehind(error)
  const exchanges = exchangesOf(events)
    .slice(-maxExchanges)
    .map((exchange) => describeWire(exchange, redact))
  const decisive = findDecisive(events, rule.profile)
  const shown =
    error instanceof Finding && error.exchange !== undefined
      ? redactExchange(error.exchange, redact)
      : decisive && describeWire(decisive, redact)
  const steps = error instanceof Finding && error.script !== undefined ? redact(error.script) : undefined
  const story = [steps, renderStory(events, redact)].filter((part) => part !== undefined).join('\n\n')
  const message = redact(error.message)
  const { expected, actual } =
    error instanceof Finding
      ? { expected: redact(error.expected), actual: redact(error.actual) }
      : { expected: 'a result from the adapter for each command', actual: message }
  return describe(rule, 'failed', ms, {
    ...{ curl: repeat, message, expected, actual },
    ...(exchanges.length === 0 ? {} : { exchanges }),
    ...(shown === undefined ? {} : { exchange: shown }),
    ...(story === '' ? {} : { story }),
  })
}

function redactExchange(exchange: Exchange, redact: (text: string) => string): Exchange {
  return JSON.parse(redact(JSON.stringify(exchange)))
}
