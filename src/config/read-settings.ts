import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import {
  environmentNameOf,
  findSetting,
  flagOf,
  hidePassword,
  isDatabaseUrl,
  propertyOf,
  type SettingName,
  type Settings,
  settingNames,
} from './settings-table.ts'

/** Settings that cannot be used. It holds every problem at once, each a sentence that names its source. */
export class SettingsInvalid extends Error {
  override readonly name = 'SettingsInvalid'
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.problems = problems
  }
}

/** The sources of settings. Flags win over the environment, the environment over the file, the file over defaults. */
export interface SettingSources {
  /** The given flags by setting name; a flag without a value is true, or false for `--no-…`. */
  readonly flags: Readonly<Record<string, string | boolean>>
  /** Problems with the flags, which are reported together with the others. */
  readonly flagProblems?: readonly string[]
  /** Path of the configuration file; by default `thingsync.json` in the data folder, if it exists. */
  readonly configFile?: string | undefined
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The effective settings, and the source of each by setting name. */
export interface SettingsRead {
  readonly settings: Settings
  readonly origins: Readonly<Record<SettingName, string>>
  /** Sentences about unknown environment variables with the prefix of the program; the server may start. */
  readonly warnings: readonly string[]
}

interface Given {
  readonly origin: string
  readonly value: unknown
}

/**
 * Reads the settings from all sources.
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
    // Shells and Compose files set an empty variable to say "not set".
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
  // The kinds in the table read these types, but the compiler cannot see that through the loop.
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
        `data folder: ${folder} may not be entered by this user; change its owner or mode, or choose another folder with --data or THINGSYNC_DATA`,
      )
    else if (typeof code === 'string') problems.push(`${path}: cannot be read (${code})`)
    else throw error
  }
  return undefined
}

async function mayEnter(folder: string): Promise<boolean> {
  try {
    // A look from inside tests the effective user; `access` would test the real user.
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

/** Finds settings that are each valid but contradict one another; returns a sentence for each problem. */
function findContradictions(settings: Settings): readonly string[] {
  const { socket, baseUrl, tlsCert, tlsKey, backupEvery, backupFolder, backupCommand, store, listenUrl } = settings
  const { oidcIssuer, oidcClientId } = settings
  const problems: string[] = []
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    const [given, missing] = tlsCert === undefined ? ['tls_key', 'tls_cert'] : ['tls_cert', 'tls_key']
    problems.push(`${given}: also needs ${missing}: a certificate and its key go together`)
  }
  if (socket !== undefined && baseUrl === undefined) {
    problems.push('socket: also needs base_url: the path of a socket does not tell which URL clients use')
  }
  if (socket !== undefined && tlsCert !== undefined) {
    problems.push('socket: takes no tls_cert: on a Unix socket the proxy before it has the certificate')
  }
  if (backupEvery !== undefined && (backupFolder === undefined) === (backupCommand === undefined)) {
    problems.push('backup_every: needs either backup_folder or backup_command')
  }
  if (listenUrl !== undefined && !isDatabaseUrl(store)) {
    problems.push('listen_url: also needs a database as store')
  }
  if ((oidcIssuer === undefined) !== (oidcClientId === undefined)) {
    const [given, missing] =
      oidcIssuer === undefined ? ['oidc_client_id', 'oidc_issuer'] : ['oidc_issuer', 'oidc_client_id']
    problems.push(`${given}: also needs ${missing}: a provider knows this server by its client ID`)
  }
  if (oidcIssuer !== undefined && baseUrl === undefined) {
    problems.push('oidc_issuer: also needs base_url: the provider sends users back to the registered redirect URI')
  }
  return problems
}

type Environment = Readonly<Record<string, string | undefined>>

/** Returns "is not known", with a suggestion if a known name is similar. */
export function describeUnknownName(name: string, known: readonly string[]): string {
  const nearest = findNearestName(name, known)
  return nearest ? `is not known; did you mean ${nearest}?` : 'is not known'
}

const prefix = 'THINGSYNC_'
const knownVariables = ['config', ...settingNames].map(environmentNameOf)
const knownSuffixes = knownVariables.map((name) => name.slice(prefix.length))

/** Variables of the conformance suite and of the lines of a first start, which users set in the same shell. */
const variablesOfOthers = new Set(['THINGSYNC_CLIENT_ID', 'THINGSYNC_CLIENT_SECRET', 'THINGSYNC_USER'])

const listUnknown = (environment: Environment): string[] =>
  Object.keys(environment).filter((name) => name.startsWith(prefix) && !knownVariables.includes(name))

const isMisspelt = (name: string): boolean => findNearestName(name.slice(prefix.length), knownSuffixes) !== undefined

/** Describes variables that are similar to known ones; they are errors. */
const findMisspelled = (environment: Environment): string[] =>
  listUnknown(environment)
    .filter(isMisspelt)
    .map((name) => `${name}: ${describeUnknownName(name, knownVariables)}`)

/** Describes the other unknown variables with the prefix of the program; they are warnings. */
const findUnknown = (environment: Environment): string[] =>
  listUnknown(environment)
    .filter((name) => !isMisspelt(name) && !variablesOfOthers.has(name))
    .map((name) => `${name}: is not known and has no effect; "thingsync config" lists all`)

const maxEdits = 2

/**
 * Finds the known name that is most similar to an unknown one, or undefined. Names up to five letters long may differ
 * by one letter (added, missing, other, or two swapped), longer names by two.
 */
export function findNearestName(unknown: string, known: readonly string[]): string | undefined {
  const near = known
    // `countEdits` takes a step for each pair of letters, and an unknown name may have any length.
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
