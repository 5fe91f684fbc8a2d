import { readFile, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { findContradictions } from './find-contradictions.ts'
import type { Settings } from './settings-table.ts'
import { environmentNameOf, findSetting, flagOf, propertyOf, type SettingName, settingNames } from './settings-table.ts'
import { hidePassword } from './store-place.ts'
import { findMisspelt, findUnknown, unknownSentence } from './unknown-names.ts'

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
  const problems = [...(sources.flagProblems ?? []), ...findMisspelt(sources.environment)]
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
    if (!name) problems.push(`${origin}: ${unknownSentence(key, settingNames)}`)
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
