import { parseArgs } from 'node:util'
import type { Target } from '../client.ts'
import type { ReceiverOptions } from '../receiver/receiver.ts'
import { type ReportTarget, reportKinds } from '../report/write-reports.ts'
import type { ClientProfile, Level, Profile } from '../result.ts'
import { type CommandName, commandNames, type Option, optionsOf, optionTable } from './options.ts'

/** An error on the command line, in a variable or in a file that it names; says what to do. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Finds up to three of `known` that the user may have meant with `word`, nearest first; none when nothing is close. */
export function findNearMatches(word: string, known: readonly string[]): string[] {
  const wanted = word.toUpperCase()
  const scored = known.map((candidate) => ({ candidate, distance: score(wanted, candidate.toUpperCase()) }))
  return scored
    .filter(({ distance }) => distance <= Math.max(2, Math.ceil(wanted.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}

/** Returns the part of a sentence that offers near matches, or an empty text. */
export function offerNearMatches(word: string, known: readonly string[]): string {
  const near = findNearMatches(word, known)
  return near.length === 0 ? '' : `; did you mean ${near.join(' or ')}?`
}

function score(wanted: string, candidate: string): number {
  if (wanted.length > 2 && candidate.includes(wanted)) return 0
  return editDistance(wanted, candidate)
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= b.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[b.length] ?? 0
}

/** The arguments, checked for form only: every value is still text. */
export interface Arguments {
  readonly command: CommandName
  /** The words beside the options: the rule ID of `explain`. */
  readonly operands: readonly string[]
  /** Values by option name, from the command line, else from the option's variable; a switch that is on has none. */
  readonly values: ReadonlyMap<string, readonly string[]>
  /** The words after `--`: the command that starts an adapter; empty without them. */
  readonly adapter: readonly string[]
}

/** Reads the words after the program's name, and the variables. @throws UsageError that names the option. */
export function readArguments(given: readonly string[], environment: NodeJS.ProcessEnv): Arguments {
  const end = given.indexOf('--')
  const [words, adapter] = end < 0 ? [given, []] : [given.slice(0, end), given.slice(end + 1)]
  const types = optionTable.map(
    ({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' }] as const,
  )
  const { tokens, positionals } = parseArgs({
    args: [...words],
    options: { ...Object.fromEntries(types), help: { type: 'boolean', short: 'h' } },
    strict: false,
    tokens: true,
  })
  const typed = tokens.filter((token) => token.kind === 'option')
  const flags = [...new Set(optionTable.map(({ name }) => `--${name}`))]
  // Unknown options are rejected first: the word after a mistyped option would be taken for a command.
  for (const { rawName } of typed) {
    if (rawName === '-h' || flags.includes(rawName)) continue
    throw new UsageError(
      `there is no option ${rawName}${offerNearMatches(rawName, flags)} (see --help for the options)`,
    )
  }
  const { command, operands } = readCommand(positionals)
  if (end >= 0) checkAdapter(command, adapter)
  const values = new Map<string, readonly string[]>()
  for (const { name, value } of typed) {
    const option = findOption(name, command)
    values.set(name, [...(values.get(name) ?? []), ...readTyped(option, value, values.has(name))])
  }
  for (const option of optionsOf(command)) {
    const text = option.variable === undefined ? '' : (environment[option.variable] ?? '')
    const value = values.has(option.name) || text.trim() === '' ? undefined : readVariable(option, text)
    if (value !== undefined) values.set(option.name, value)
  }
  return { command, operands, values, adapter }
}

/** Checks the words after `--`. @throws UsageError when there are none, or when the command takes none */
function checkAdapter(command: CommandName, adapter: readonly string[]): void {
  if (command !== 'client' && command !== 'doctor')
    throw new UsageError(`${command} takes no command of an adapter; write client -- COMMAND… to check a client`)
  if (adapter.length === 0)
    throw new UsageError(`${command} -- needs the command that starts your adapter, such as -- python3 my_adapter.py`)
}

function readCommand(positionals: readonly string[]): Pick<Arguments, 'command' | 'operands'> {
  const [first = 'run', ...operands] = positionals
  const command = commandNames.find((name) => name === first)
  if (!command) {
    const near = offerNearMatches(first, commandNames)
    throw new UsageError(`there is no command ${first}${near} (see --help for the commands)`)
  }
  if (command !== 'explain' && operands.length > 0)
    throw new UsageError(`${command} takes options only, but ${operands[0]} was given; see ${command} --help`)
  return { command, operands }
}

function findOption(name: string, command: CommandName): Option {
  const option = optionsOf(command).find((each) => each.name === name)
  if (option) return option
  const others = optionTable.filter((each) => each.name === name).flatMap(({ commands }) => commands)
  throw new UsageError(`--${name} does not belong to ${command} but to ${others.join(' and ')}; leave it out`)
}

function readTyped({ name, value, isRepeatable }: Option, text: string | undefined, isAgain: boolean): string[] {
  if (value === undefined) {
    if (text !== undefined) throw new UsageError(`--${name} takes no value; write it alone`)
    return []
  }
  // A forgotten value would silently swallow the next option.
  const isSwallowed = optionTable.some((other) => text?.split('=')[0] === `--${other.name}`)
  if (!text || isSwallowed) throw new UsageError(`--${name} needs a value; write --${name} ${value}`)
  if (isAgain && !isRepeatable) throw new UsageError(`--${name} was given twice; give it once`)
  return [text]
}

function readVariable({ value, isRepeatable, variable }: Option, text: string): string[] | undefined {
  // A repeatable option's variable has one value a line: passwords may hold any other separator.
  if (value !== undefined) return isRepeatable ? text.split(/\r?\n/).filter((line) => line !== '') : [text]
  if (/^(1|true|yes|on)$/i.test(text)) return []
  if (/^(0|false|no|off)$/i.test(text)) return undefined
  throw new UsageError(`${variable} must be true or false`)
}

/** The rules to run, and the level that decides the verdict. */
export interface Selection {
  readonly profile: Profile
  /** IDs or beginnings of IDs; empty selects every rule of the profile. */
  readonly rules: readonly string[]
  readonly level: Level
}

/** The other settings of `run`; the suite chooses the numbers that are undefined. */
interface RunSettings {
  readonly histories: number | undefined
  readonly seed: number | undefined
  readonly jobs: number | undefined
  readonly budgetMs: number | undefined
  /** Shell command that restarts the server. */
  readonly restart: string | undefined
  /** Whether the user restarts the server. */
  readonly isRestartedManually: boolean
  readonly wipe: boolean
  readonly verbose: boolean
  readonly scripts: string | undefined
  readonly reports: readonly ReportTarget[]
  readonly expectFile: string | undefined
  /** Where the suite listens as a receiver of webhooks. */
  readonly receiver: ReceiverOptions | undefined
}

/** Reads the server's URL and the credentials. @throws UsageError that names every missing option. */
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
  const twice = users.find(([name], index) => users.some(([other], otherIndex) => other === name && otherIndex < index))
  if (twice) throw new UsageError(`--user names ${twice[0]} twice; the second account must be another one`)
  const [clientId = ''] = readAll(given, 'client-id', asIs)
  const [other] = readAll(given, 'other-client', splitAtColon('ID:SECRET'))
  if (other?.[0] === clientId) throw new UsageError(`--other-client names ${clientId}, which --client-id also names`)
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

/** Reads profile, rules and level; the level is `must` when none is given, as in `list`. */
export function readSelection(given: Arguments): Selection {
  const [profile = 'core'] = readAll(given, 'profile', oneOf('core', 'full'))
  return { profile, rules: readRuleIds(given), level: readLevel(given) }
}

/** Reads the profiles of clients that are selected; empty: all that the adapter claims, or that the command is about. */
export function readClientProfile(given: Arguments): ClientProfile | undefined {
  return readAll(given, 'profile', oneOf('api', 'replica'))[0]
}

/** Reads the level that decides the verdict. */
export function readLevel(given: Arguments): Level {
  return readAll(given, 'level', oneOf('must', 'should'))[0] ?? 'must'
}

/** Reads the IDs, or beginnings of IDs, of the selected rules; empty selects all. */
export function readRuleIds(given: Arguments): readonly string[] {
  return readAll(given, 'rule', asIs)
}

/** Whether `list` is about rules for clients. */
export function isAboutClients(given: Arguments): boolean {
  return ['api', 'replica'].includes(given.values.get('profile')?.[0] ?? '')
}

/** Reads the options that only `run` and `client` take. */
export function readRunSettings(given: Arguments): RunSettings {
  return {
    histories: readAll(given, 'histories', wholeNumber(0, 1_000_000))[0],
    seed: readAll(given, 'seed', wholeNumber(0, 0xffff_ffff))[0],
    jobs: readAll(given, 'jobs', wholeNumber(1, 64))[0],
    budgetMs: readAll(given, 'budget', readDuration)[0],
    expectFile: readAll(given, 'expect', asIs)[0],
    ...readRestart(given),
    receiver: readReceiver(given),
    wipe: given.values.has('wipe'),
    verbose: given.values.has('verbose'),
    scripts: readAll(given, 'scripts', asIs)[0],
    reports: readAll(given, 'report', readReport),
  }
}

/** Reads one value of an option. @throws UsageError that names the option. */
type Read<Value> = (text: string, name: string) => Value

/** Reads the values of an option, else its default; returns none when it has no default. */
function readAll<Value>({ command, values }: Arguments, name: string, read: Read<Value>): Value[] {
  const { byDefault } = optionsOf(command).find((option) => option.name === name) ?? {}
  const texts = values.get(name) ?? (byDefault === undefined ? [] : [byDefault])
  return texts.map((text) => read(text, name))
}

const asIs: Read<string> = (text) => text

function oneOf<const Value extends string>(...allowed: readonly Value[]): Read<Value> {
  return (text, name) => {
    const value = allowed.find((candidate) => candidate === text)
    if (value === undefined) throw new UsageError(`--${name} must be ${allowed.join(' or ')}, not ${text}`)
    return value
  }
}

function wholeNumber(min: number, max: number): Read<number> {
  return (text, name) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN
    if (value >= min && value <= max) return value
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}, not ${text}`)
  }
}

/** Reads a duration, in milliseconds: a number of seconds, or a number with its unit. */
const readDuration: Read<number> = (text, name) => {
  const [, number = 'none', unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m)?$/.exec(text) ?? []
  const value = Number(number) * { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm']
  if (value >= 100 && value <= 86_400_000) return value
  throw new UsageError(`--${name} must be a time from 100ms to 1440m, such as 10s or 5m, not ${text}`)
}

/** Splits at the first colon. The error does not repeat the text, which may be a secret. */
function splitAtColon(form: 'NAME:PASSWORD' | 'ID:SECRET'): Read<readonly [string, string]> {
  return (text, name) => {
    const colon = text.indexOf(':')
    if (colon > 0 && colon < text.length - 1) return [text.slice(0, colon), text.slice(colon + 1)]
    throw new UsageError(`--${name} must be ${form}, the ${form.split(':')[0]?.toLowerCase()} up to the first colon`)
  }
}

const readUrl: Read<string> = (text, name) => {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text
  const example = name === 'base-url' ? ' such as http://localhost:8080/v1/' : ''
  throw new UsageError(`--${name} must be an absolute http or https URL${example}, not ${text}`)
}

const readBaseUrl: Read<string> = (text, name) => {
  const url = new URL(readUrl(text, name))
  // The error does not repeat the URL: it holds a password.
  if (url.username !== '' || url.password !== '')
    throw new UsageError('--base-url contains a user name or password; give them with --user')
  if (url.search !== '' || url.hash !== '')
    throw new UsageError(`--base-url must not contain ${url.search || url.hash}; leave that part out`)
  return url.href.endsWith('/') ? url.href : `${url.href}/`
}

const readHostAndPort: Read<ReceiverOptions> = (text, name) => {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? []
  const host = bracketed ?? plain
  if (host !== undefined && Number(port) <= 65_535) return { host, port: Number(port) }
  throw new UsageError(`--${name} must be HOST:PORT, such as 127.0.0.1:0, not ${text}`)
}

function readRestart(given: Arguments): Pick<RunSettings, 'restart' | 'isRestartedManually'> {
  const [restart] = readAll(given, 'restart', asIs)
  const isRestartedManually = given.values.has('restart-manually')
  if (restart !== undefined && isRestartedManually)
    throw new UsageError('--restart and --restart-manually exclude each other; leave one out')
  return { restart, isRestartedManually }
}

function readReceiver(given: Arguments): ReceiverOptions | undefined {
  const [listenAddress] = readAll(given, 'webhook-listen', readHostAndPort)
  const [url] = readAll(given, 'webhook-url', readUrl)
  if (url === undefined) return listenAddress
  if (listenAddress === undefined) throw new UsageError('--webhook-url also needs --webhook-listen')
  return { ...listenAddress, url }
}

const readAuthHeader: Read<string> = (text, name) => {
  if (text.includes('{token}')) return text
  throw new UsageError(`--${name} must contain {token} where the token goes, for example 'Bearer {token}'`)
}

const readReport: Read<ReportTarget> = (text, name) => {
  const [, word = '', file = ''] = /^([^=]*)=?(.*)$/s.exec(text) ?? []
  const kind = reportKinds.find((candidate) => candidate === word)
  if (!kind)
    throw new UsageError(
      `--${name} supports ${reportKinds.join(', ')}, not ${word}${offerNearMatches(word, reportKinds)}`,
    )
  if (file === '') throw new UsageError(`--${name} ${kind} needs a file; write --${name} ${kind}=FILE`)
  return { kind, file }
}
