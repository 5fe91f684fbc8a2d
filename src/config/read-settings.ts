import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { hidePassword, isDatabaseUrl } from './setting-kinds.ts'
import {
  environmentNameOf,
  findSetting,
  flagOf,
  propertyOf,
  type SettingName,
  type Settings,
  settingNames,
} from './settings-table.ts'

/** Settings that cannot be used: every problem at once, each a sentence that names where it comes from. */
export class SettingsInvalid extends Error {
  override readonly name = 'SettingsInvalid'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** Where settings come from, the strongest first: flags, environment, file, defaults. */
export interface SettingSources {
  /** Flags that were given, by setting name; a flag without a value is true, or false for `--no-…`. */
  readonly flags: Readonly<Record<string, string | boolean>>
  /** Problems that were met when the flags were read; they are named together with the others. */
  readonly flagProblems?: readonly string[]
  /** Path of the configuration file; default `thingsync.json` in the data folder, when it is there. */
  readonly configFile?: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The effective settings, and where each of them came from, by setting name. */
export interface SettingsRead {
  readonly settings: Settings
  readonly origins: Readonly<Record<SettingName, string>>
  /** Sentences about variables that begin like ours and are none of them; the start may go on. */
  readonly warnings: readonly string[]
}

interface Given {
  readonly origin: string
  readonly value: unknown
}

/**
 * Brings the sources together.
 * @throws SettingsInvalid with all problems
 */
export async function readSettings(sources: SettingSources): Promise<SettingsRead> {
  const problems = [...(sources.flagProblems ?? []), ...findMisspelled(sources.environment)]
  const given = new Map<SettingName, Given>()
  const take = (name: SettingName, origin: string, raw: unknown, value: unknown) => {
    if (given.has(name)) return
    const { kind, isSecret } = findSetting(name)
    if (value === undefined) problems.push(`${origin}: must be ${kind.says}${isSecret ? '' : `, not ${show(raw)}`}`)
    given.set(name, { origin, value })
  }

  for (const name of settingNames) {
    const flag = sources.flags[name]
    if (flag !== undefined) {
      take(name, flagOf(name), flag, typeof flag === 'string' ? findSetting(name).kind.fromText(flag) : flag)
    }
    const text = sources.environment[environmentNameOf(name)]
    // A variable that is set to nothing is how shells and Compose files say "not set".
    if (text) take(name, environmentNameOf(name), text, findSetting(name).kind.fromText(text))
  }

  const file = await readConfigFile(sources, given.get('data')?.value, problems)
  for (const [key, value] of Object.entries(file?.values ?? {})) {
    const name = settingNames.find((known) => known === key)
    const origin = `${file?.path}: ${key}`
    if (!name) problems.push(`${origin}: ${describeUnknownName(key, settingNames)}`)
    else if (name === 'data' && file?.isInDataFolder) problems.push(`${origin}: cannot be set inside the data folder`)
    else take(name, origin, value, findSetting(name).kind.fromJson(value, dirname(file?.path ?? '')))
  }

  if (problems.length > 0) throw new SettingsInvalid(problems)
  const effective = settingNames.map((name) => {
    const { origin, value } = given.get(name) ?? { origin: 'default', value: readDefault(name) }
    return { name, origin, value }
  })
  // The table's types are what its kinds read, which the compiler cannot follow through the loop.
  const settings = Object.fromEntries(effective.map(({ name, value }) => [propertyOf(name), value])) as Settings
  const contradictions = findContradictions(settings)
  if (contradictions.length > 0) throw new SettingsInvalid(contradictions)
  return {
    settings,
    origins: Object.fromEntries(effective.map(({ name, origin }) => [name, origin])) as Record<SettingName, string>,
    warnings: findUnknown(sources.environment),
  }
}

function readDefault(name: SettingName): unknown {
  const { default: value, kind } = findSetting(name)
  return typeof value === 'string' ? kind.fromText(value) : value
}

async function readConfigFile(sources: SettingSources, data: unknown, problems: string[]) {
  const named = sources.configFile ?? (sources.environment[environmentNameOf('config')] || undefined)
  const folder = typeof data === 'string' ? data : String(readDefault('data'))
  const path = named === undefined ? join(folder, 'thingsync.json') : resolve(named)
  try {
    const values: unknown = JSON.parse(await readFile(path, 'utf8'))
    if (typeof values === 'object' && values !== null && !Array.isArray(values)) {
      return { path, values, isInDataFolder: named === undefined }
    }
    problems.push(`${path}: must hold a JSON object`)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (error instanceof SyntaxError) problems.push(`${path}: is not JSON: ${error.message}`)
    else if (named === undefined && (code === 'ENOENT' || code === 'ENOTDIR')) return undefined
    else if (named === undefined && code === 'EACCES' && !(await mayEnter(folder)))
      problems.push(
        `data folder: ${folder} may not be entered by this user; change its owner or mode, or set THINGSYNC_DATA`,
      )
    else if (typeof code === 'string') problems.push(`${path}: cannot be read (${code})`)
    else throw error
  }
  return undefined
}

async function mayEnter(folder: string): Promise<boolean> {
  try {
    // Whoever may not enter cannot ask from inside; `access` would ask for the real user, not the effective one.
    await stat(`${folder}/.`)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EACCES') return false
    throw error
  }
}

function show(value: unknown): string {
  const text = JSON.stringify(typeof value === 'string' ? hidePassword(value) : value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}

/** What is wrong about settings that are each fit for themselves; a sentence for each problem. */
function findContradictions(settings: Settings): readonly string[] {
  const { socket, baseUrl, tlsCert, tlsKey, backupEvery, backupFolder, backupCommand, store, listenUrl } = settings
  const { oidcIssuer, oidcClientId } = settings
  const problems: string[] = []
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    const [given, missing] = tlsCert === undefined ? ['tls_key', 'tls_cert'] : ['tls_cert', 'tls_key']
    problems.push(`${given}: needs ${missing}, too: a certificate and its key go together`)
  }
  if (socket !== undefined && baseUrl === undefined) {
    problems.push('socket: needs base_url, too: nobody can tell by a path which address clients use')
  }
  if (socket !== undefined && tlsCert !== undefined) {
    problems.push('socket: takes no tls_cert: on a Unix socket the proxy before it has the certificate')
  }
  if (backupEvery !== undefined && (backupFolder === undefined) === (backupCommand === undefined)) {
    problems.push('backup_every: needs either backup_folder or backup_command')
  }
  if (listenUrl !== undefined && !isDatabaseUrl(store)) {
    problems.push('listen_url: needs a database as store, too')
  }
  if ((oidcIssuer === undefined) !== (oidcClientId === undefined)) {
    const [given, missing] =
      oidcIssuer === undefined ? ['oidc_client_id', 'oidc_issuer'] : ['oidc_issuer', 'oidc_client_id']
    problems.push(`${given}: needs ${missing}, too: a provider knows this server by its client id`)
  }
  if (oidcIssuer !== undefined && baseUrl === undefined) {
    problems.push(
      'oidc_issuer: needs base_url, too: the provider leads people back to the one address that it was given',
    )
  }
  return problems
}

type Environment = Readonly<Record<string, string | undefined>>

/** "is not known", and the one that was probably meant. */
export function describeUnknownName(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known)
  return nearest ? `is not known; did you mean ${nearest}?` : 'is not known'
}

const prefix = 'THINGSYNC_'
const knownVariables = ['config', ...settingNames].map(environmentNameOf)
const knownSuffixes = knownVariables.map((name) => name.slice(prefix.length))

/** The conformance suite and the lines of a first start have these, which are set in the same shell. */
const variablesOfOthers = new Set(['THINGSYNC_CLIENT_ID', 'THINGSYNC_CLIENT_SECRET', 'THINGSYNC_USER'])

const listUnknown = (environment: Environment): string[] =>
  Object.keys(environment).filter((name) => name.startsWith(prefix) && !knownVariables.includes(name))

const isMisspelt = (name: string): boolean => findNearestName(name.slice(prefix.length), knownSuffixes) !== undefined

/** What is said of variables that are nearly one of ours; they are refused. */
const findMisspelled = (environment: Environment): string[] =>
  listUnknown(environment)
    .filter(isMisspelt)
    .map((name) => `${name}: ${describeUnknownName(name, knownVariables)}`)

/** What is said of the others that begin like ours; the start may go on. */
const findUnknown = (environment: Environment): string[] =>
  listUnknown(environment)
    .filter((name) => !isMisspelt(name) && !variablesOfOthers.has(name))
    .map((name) => `${name}: is not known and has no effect; "thingsync config" lists all`)

const maxEdits = 2

/**
 * The known name that an unknown one was probably meant to be, or undefined. Names up to five letters long may differ
 * by one letter (added, missing, other, or two swapped), longer ones by two.
 */
export function findNearestName(unknown: string, known: readonly string[]): string | undefined {
  const near = known
    // Counting takes a step for each pair of letters, and an unknown name may be of any length.
    .filter((name) => Math.abs(name.length - unknown.length) <= maxEdits)
    .map((name) => ({ name, distance: countEdits(unknown, name) }))
    .filter(({ name, distance }) => distance <= (name.length <= 5 ? 1 : maxEdits))
  return near.sort((a, b) => a.distance - b.distance)[0]?.name
}

function countEdits(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (beforeLast[column - 2] ?? 0) + 1 : Infinity,
      )
    }
    beforeLast = last
    last = current
  }
  return last[to.length] ?? 0
}
