import type { Level, Profile } from '../levels.ts'
import type { ReceiverOptions } from '../receiver/receiver.ts'
import { reportKinds } from '../report/report-kinds.ts'
import type { ReportTarget } from '../report/write-reports.ts'
import type { Target } from '../target.ts'
import { offerNearMatches } from './near-matches.ts'
import { optionsOf } from './option-table.ts'
import type { Arguments } from './read-arguments.ts'
import { UsageError } from './usage-error.ts'

/** Which rules, and what decides. */
export interface Selection {
  readonly profile: Profile
  /** Ids or beginnings of ids; empty: every rule of the profile. */
  readonly rules: readonly string[]
  readonly level: Level
}

/** The rest of what `run` is told; undefined numbers are the suite's to choose. */
export interface RunSettings {
  readonly histories: number | undefined
  readonly seed: number | undefined
  readonly jobs: number | undefined
  readonly budgetMs: number | undefined
  /** Command that restarts the server. */
  readonly restart: string | undefined
  readonly wipe: boolean
  readonly verbose: boolean
  readonly scripts: string | undefined
  readonly reports: readonly ReportTarget[]
  readonly expectFile: string | undefined
  /** Where to listen as a receiver of webhooks. */
  readonly receiver: ReceiverOptions | undefined
}

/** Reads where the server is and who asks; throws one UsageError that names everything that is missing. */
export function readTarget(given: Arguments): Target {
  const needed = ['base-url', 'client-id', 'client-secret', 'user']
  const missing = optionsOf(given.command).filter(({ name }) => needed.includes(name) && !given.values.has(name))
  if (missing.length > 0) {
    const options = missing.map(({ name }) => `--${name}`).join(', ')
    const variables = missing.map(({ variable }) => variable).join(', ')
    const them = missing.length === 1 ? 'it' : 'them'
    throw new UsageError(`missing ${options}; give ${them} on the command line or as ${variables}`)
  }
  const users = readAll(given, 'user', splitAtColon('NAME:PASSWORD'))
  const twice = users.find(([name], index) => users.some(([other], place) => other === name && place < index))
  if (twice) throw new UsageError(`--user names ${twice[0]} twice; the second account must be another one`)
  const [clientId = ''] = readAll(given, 'client-id', asIs)
  const [other] = readAll(given, 'other-client', splitAtColon('ID:SECRET'))
  if (other?.[0] === clientId) throw new UsageError(`--other-client names ${clientId}, which --client-id names too`)
  const [timeoutMs] = readAll(given, 'timeout', readDuration)
  const authHeaders = readAll(given, 'auth-header', readAuthHeader)
  return {
    baseUrl: readAll(given, 'base-url', readBaseUrl)[0] ?? '',
    clientId,
    clientSecret: readAll(given, 'client-secret', asIs)[0] ?? '',
    users: users.map(([username, password]) => ({ username, password })),
    ...(other === undefined ? {} : { otherClient: { clientId: other[0], clientSecret: other[1] } }),
    ...(authHeaders.length === 0 ? {} : { authHeaders }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  }
}

/** Reads profile, rules and level; without a level, as in `list`, it is `must`. */
export function readSelection(given: Arguments): Selection {
  const [profile = 'core'] = readAll(given, 'profile', oneOf('core', 'full'))
  const [level = 'must'] = readAll(given, 'level', oneOf('must', 'should'))
  return { profile, rules: readAll(given, 'rule', asIs), level }
}

/** Reads what only `run` takes. */
export function readRunSettings(given: Arguments): RunSettings {
  return {
    histories: readAll(given, 'histories', wholeNumber(0, 1_000_000))[0],
    seed: readAll(given, 'seed', wholeNumber(0, 0xffff_ffff))[0],
    jobs: readAll(given, 'jobs', wholeNumber(1, 64))[0],
    budgetMs: readAll(given, 'budget', readDuration)[0],
    expectFile: readAll(given, 'expect', asIs)[0],
    restart: readAll(given, 'restart', asIs)[0],
    receiver: readReceiver(given),
    wipe: given.values.has('wipe'),
    verbose: given.values.has('verbose'),
    scripts: readAll(given, 'scripts', asIs)[0],
    reports: readAll(given, 'report', readReport),
  }
}

/** Reads one value of an option; throws a UsageError that names the option. */
type Read<Value> = (text: string, name: string) => Value

/** The values of an option, else its default; none when it has no default. */
function readAll<Value>({ command, values }: Arguments, name: string, read: Read<Value>): Value[] {
  const { byDefault } = optionsOf(command).find((option) => option.name === name) ?? {}
  const texts = values.get(name) ?? (byDefault === undefined ? [] : [byDefault])
  return texts.map((text) => read(text, name))
}

const asIs: Read<string> = (text) => text

function oneOf<const Value extends string>(...allowed: readonly Value[]): Read<Value> {
  return (text, name) => {
    const value = allowed.find((candidate) => candidate === text)
    if (value === undefined) throw new UsageError(`--${name} is ${allowed.join(' or ')}, not ${text}`)
    return value
  }
}

function wholeNumber(min: number, max: number): Read<number> {
  return (text, name) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new UsageError(`--${name} is a whole number from ${min} to ${max}, not ${text}`)
  }
}

/** A length of time in milliseconds: a number of seconds, or one with its unit. */
const readDuration: Read<number> = (text, name) => {
  const [, number = 'none', unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? []
  const value = Number(number) * { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm']
  if (value >= 100 && value <= 86_400_000) return value
  throw new UsageError(`--${name} is a time from 100ms to 1440m, such as 10s or 5m, not ${text}`)
}

/** Both sides of the first colon. The sentence does not repeat the text: it may be a secret alone. */
function splitAtColon(form: 'NAME:PASSWORD' | 'ID:SECRET'): Read<readonly [string, string]> {
  return (text, name) => {
    const colon = text.indexOf(':')
    if (colon > 0 && colon < text.length - 1) return [text.slice(0, colon), text.slice(colon + 1)]
    throw new UsageError(`--${name} is ${form}, the ${form.split(':')[0]?.toLowerCase()} up to the first colon`)
  }
}

const readUrl: Read<string> = (text, name) => {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  const example = name === 'base-url' ? ' such as http://localhost:8080/v1/' : ''
  throw new UsageError(`--${name} is an absolute http or https address${example}, not ${text}`)
}

const readBaseUrl: Read<string> = (text, name) => {
  const url = new URL(readUrl(text, name))
  // Not repeated in the sentence: it holds a password.
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--base-url holds a name or password; give those with --user')
  if (url.search !== '' || url.hash !== '')
    throw new UsageError(`--base-url ends before ${url.search || url.hash}; leave that part out`)
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}

const readHostAndPort: Read<ReceiverOptions> = (text, name) => {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  if (host !== undefined && Number(port) <= 65_535) return { host, port: Number(port) }
  throw new UsageError(`--${name} is HOST:PORT such as 127.0.0.1:0, not ${text}`)
}

function readReceiver(given: Arguments): ReceiverOptions | undefined {
  const [place] = readAll(given, 'webhook-listen', readHostAndPort)
  const [url] = readAll(given, 'webhook-url', readUrl)
  if (url === undefined) return place
  if (place === undefined) throw new UsageError('--webhook-url goes with --webhook-listen, which is missing')
  return { ...place, url }
}

const readAuthHeader: Read<string> = (text, name) => {
  if (text.includes('{token}')) return text
  throw new UsageError(`--${name} says with {token} where the token goes, for example 'Bearer {token}'`)
}

const readReport: Read<ReportTarget> = (text, name) => {
  const [, word = '', file = ''] = /^([^=]*)=?(.*)$/s.exec(text) ?? []
  const kind = reportKinds.find((candidate) => candidate === word)
  if (!kind)
    throw new UsageError(`--${name} knows ${reportKinds.join(', ')}, not ${word}${offerNearMatches(word, reportKinds)}`)
  if (file === '') throw new UsageError(`--${name} ${kind} needs a file; write --${name} ${kind}=FILE`)
  return { kind, file }
}
