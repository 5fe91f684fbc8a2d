import type { Level, Profile } from '../levels.ts'
import type { ReceiverOptions } from '../receiver/receiver.ts'
import { reportKinds } from '../report/report-kinds.ts'
import type { ReportTarget } from '../report/write-reports.ts'
import type { ClientCredentials, Credentials, Target } from '../target.ts'
import { offerNearMatches } from './near-matches.ts'
import { variableOf } from './option-table.ts'
import type { Arguments } from './read-arguments.ts'
import { UsageError } from './usage-error.ts'

/** Which rules, and what decides. */
export interface Selection {
  readonly profile: Profile
  /** Ids or beginnings of ids; empty: every rule of the profile. */
  readonly rules: readonly string[]
  readonly level: Level
}

/** The rest of what `run` is told; absent numbers are the suite's to choose. */
export interface RunSettings {
  readonly histories?: number
  readonly seed?: number
  readonly jobs?: number
  readonly budgetMs?: number
  /** Command that restarts the server. */
  readonly restart?: string
  readonly wipe: boolean
  readonly verbose: boolean
  readonly scripts?: string
  readonly reports: readonly ReportTarget[]
  readonly expectFile?: string
  /** Where to listen as a receiver of webhooks. */
  readonly receiver?: ReceiverOptions
}

/** Reads where the server is and who asks; throws one UsageError that names everything that is missing. */
export function readTarget(given: Arguments): Target {
  const needed = ['base-url', 'client-id', 'client-secret', 'user'].filter((name) => !given.values.has(name))
  if (needed.length > 0) {
    const options = needed.map((name) => `--${name}`).join(', ')
    const variables = needed.map(variableOf).join(', ')
    throw new UsageError(
      `missing ${options}; give ${needed.length === 1 ? 'it' : 'them'} on the command line or as ${variables}`,
    )
  }
  const timeoutMs = duration(given, 'timeout')
  const otherClient = one(given, 'other-client')
  const authHeaders = (given.values.get('auth-header') ?? []).map(readAuthHeader)
  return {
    baseUrl: readBaseUrl(one(given, 'base-url') ?? ''),
    clientId: one(given, 'client-id') ?? '',
    clientSecret: one(given, 'client-secret') ?? '',
    users: readUsers(given.values.get('user') ?? []),
    ...(otherClient === undefined ? {} : { otherClient: readClient(otherClient, one(given, 'client-id')) }),
    ...(authHeaders.length === 0 ? {} : { authHeaders }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

/** Reads profile, rules and level; `defaultProfile` is taken when none is given. */
export function readSelection(given: Arguments, defaultProfile: Profile): Selection {
  return {
    profile: oneOf(given, 'profile', ['core', 'full']) ?? defaultProfile,
    rules: given.values.get('rule') ?? [],
    level: oneOf(given, 'level', ['must', 'should']) ?? 'must',
  }
}

/** Reads what only `run` takes. */
export function readRunSettings(given: Arguments): RunSettings {
  const histories = wholeNumber(given, 'histories', 0, 1_000_000)
  const seed = wholeNumber(given, 'seed', 0, 0xffff_ffff)
  const jobs = wholeNumber(given, 'jobs', 1, 64)
  const budgetMs = duration(given, 'budget')
  const expectFile = one(given, 'expect')
  const scripts = one(given, 'scripts')
  const restart = one(given, 'restart')
  const receiver = readReceiver(given)
  return {
    ...(histories === undefined ? {} : { histories }),
    ...(seed === undefined ? {} : { seed }),
    ...(jobs === undefined ? {} : { jobs }),
    ...(budgetMs === undefined ? {} : { budgetMs }),
    ...(expectFile === undefined ? {} : { expectFile }),
    ...(restart === undefined ? {} : { restart }),
    ...(receiver === undefined ? {} : { receiver }),
    wipe: given.values.has('wipe'),
    verbose: given.values.has('verbose'),
    ...(scripts === undefined ? {} : { scripts }),
    reports: (given.values.get('report') ?? []).map(readReportTarget),
  }
}

function one(given: Arguments, name: string): string | undefined {
  return given.values.get(name)?.[0]
}

function oneOf<const Value extends string>(
  given: Arguments,
  name: string,
  allowed: readonly Value[],
): Value | undefined {
  const text = one(given, name)
  if (text === undefined) return undefined
  const value = allowed.find((candidate) => candidate === text)
  if (value === undefined) throw new UsageError(`--${name} is ${allowed.join(' or ')}, not ${text}`)
  return value
}

function wholeNumber(given: Arguments, name: string, least: number, most: number): number | undefined {
  const text = one(given, name)
  if (text === undefined) return undefined
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= least && value <= most))
    throw new UsageError(`--${name} is a whole number from ${least} to ${most}, not ${text}`)
  return value
}

/** A length of time in milliseconds: a number of seconds, or one with its unit. */
function duration(given: Arguments, name: string): number | undefined {
  const text = one(given, name)
  if (text === undefined) return undefined
  const [, number = '', unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? []
  const value = number === '' ? Number.NaN : Number(number) * { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm']
  if (!(value >= 100 && value <= 86_400_000))
    throw new UsageError(`--${name} is a time from 100ms to 1440m, such as 10s or 5m, not ${text}`)
  return value
}

function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(
      `--base-url is an absolute http or https address such as http://localhost:8080/v1/, not ${text}`,
    )
  }
  // Not repeated in the sentence: it holds a password.
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--base-url holds a name or password; give those with --user')
  if (url.search !== '' || url.hash !== '')
    throw new UsageError(`--base-url ends before ${url.search || url.hash}; leave that part out`)
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}

function readUsers(texts: readonly string[]): Credentials[] {
  const users = texts.map((text) => {
    const colon = text.indexOf(':')
    // The text is not repeated: it may be a password alone.
    if (colon < 1 || colon === text.length - 1)
      throw new UsageError('--user is NAME:PASSWORD, the name up to the first colon')
    return { username: text.slice(0, colon), password: text.slice(colon + 1) }
  })
  const names = users.map((user) => user.username)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new UsageError(`--user names ${twice} twice; the second account must be another one`)
  return users
}

function readClient(text: string, first: string | undefined): ClientCredentials {
  const colon = text.indexOf(':')
  // The text is not repeated: it may be a secret alone.
  if (colon < 1 || colon === text.length - 1)
    throw new UsageError('--other-client is ID:SECRET, the id up to the first colon')
  const clientId = text.slice(0, colon)
  if (clientId === first) throw new UsageError(`--other-client names ${first}, which --client-id names too`)
  return { clientId, clientSecret: text.slice(colon + 1) }
}

function readReceiver(given: Arguments): ReceiverOptions | undefined {
  const [text, url] = [one(given, 'webhook-listen'), one(given, 'webhook-url')]
  if (text === undefined) {
    if (url !== undefined) throw new UsageError('--webhook-url goes with --webhook-listen, which is missing')
    return undefined
  }
  const [, bracketed, plain, digits = ''] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  if (host === undefined || Number(digits) > 65_535)
    throw new UsageError(`--webhook-listen is HOST:PORT such as 127.0.0.1:0, not ${text}`)
  const isAddress = url === undefined || (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))
  if (!isAddress) throw new UsageError(`--webhook-url is an absolute http or https address, not ${url}`)
  return { host, port: Number(digits), ...(url === undefined ? {} : { url }) }
}

function readAuthHeader(text: string): string {
  if (!text.includes('{token}'))
    throw new UsageError(`--auth-header says with {token} where the token goes, for example 'Bearer {token}'`)
  return text
}

function readReportTarget(text: string): ReportTarget {
  const equals = text.indexOf('=')
  const kindText = equals === -1 ? text : text.slice(0, equals)
  const file = equals === -1 ? '' : text.slice(equals + 1)
  const kind = reportKinds.find((candidate) => candidate === kindText)
  if (!kind)
    throw new UsageError(
      `--report knows ${reportKinds.join(', ')}, not ${kindText}${offerNearMatches(kindText, reportKinds)}`,
    )
  if (file === '') throw new UsageError(`--report ${kind} needs a file; write --report ${kind}=FILE`)
  return { kind, file }
}
