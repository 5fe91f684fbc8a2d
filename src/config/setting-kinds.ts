import { isIP } from 'node:net'
import { resolve } from 'node:path'
import proxyaddr from 'proxy-addr'
import { isDeliveryTarget } from '../outbound/address-guard.ts'
import { parseUrl } from '../parse-url.ts'

/** The URL of a PostgreSQL database: `postgres://user@host:port/database`; missing parts come from PG… variables. */
export type DatabaseUrl = `postgres://${string}` | `postgresql://${string}`

/** The place where a server keeps everything. */
export type StoreLocation = 'json' | 'memory' | DatabaseUrl

/** Returns true for a database, which any number of processes may share. */
export const isDatabaseUrl = (place: string): place is DatabaseUrl => /^postgres(ql)?:\/\//.test(place)

/** Parses the place where a server keeps everything; undefined when the text is invalid. */
export const parseStoreLocation = (text: string): StoreLocation | undefined => {
  if (text === 'json' || text === 'memory') return text
  return parseDatabaseUrl(text)
}

/** Parses the URL of a database; undefined when the text is invalid. */
export const parseDatabaseUrl = (text: string): DatabaseUrl | undefined => {
  if (!isDatabaseUrl(text)) return undefined
  // With a Unix socket in its query it has no host, which `URL` rejects after a user name.
  return parseUrl(text.replace(/@\//, '@localhost/')) === undefined ? undefined : text
}

/** Hides the password in a URL, also in an invalid URL, and with any characters in the password. */
export const hidePassword = (text: string): string =>
  text.replace(/^(\w+:\/\/[^:@]*):.*@/s, '$1:***@').replace(/([?&]password=)[^&]*/g, '$1***')

/**
 * A kind of value, with its readers for text (flag, environment) and JSON (file). They return undefined when invalid.
 */
export interface SettingKind<T> {
  /** Completes the sentence "port must be …". */
  readonly says: string
  readonly fromText: (text: string) => T | undefined
  /** Relative paths are relative to `folder`. */
  readonly fromJson: (value: unknown, folder: string) => T | undefined
}

const fromString =
  <T>(read: (text: string) => T | undefined) =>
  (value: unknown) =>
    typeof value === 'string' ? read(value) : undefined

function textKind<T>(says: string, fromText: (text: string) => T | undefined): SettingKind<T> {
  return { says, fromText, fromJson: fromString(fromText) }
}

/** Text that is not empty. */
export const text: SettingKind<string> = textKind('text that is not empty', (value) => value || undefined)

/** A path, made absolute: relative to the working folder, or to the file that names it. */
export const path: SettingKind<string> = {
  says: 'a path',
  fromText: (value) => (value ? resolve(value) : undefined),
  fromJson: (value, folder) => (typeof value === 'string' && value ? resolve(folder, value) : undefined),
}

/** True or false. */
export const truth: SettingKind<boolean> = {
  says: 'true or false',
  fromText: (value) => ({ true: true, '1': true, false: false, '0': false })[value.toLowerCase()],
  fromJson: (value) => (typeof value === 'boolean' ? value : undefined),
}

/** A whole number between two bounds, both included. */
export function wholeNumber(min: number, max: number): SettingKind<number> {
  const check = (value: number) => (Number.isInteger(value) && value >= min && value <= max ? value : undefined)
  return {
    says: `a whole number from ${min} to ${max}`,
    fromText: (value) => (/^\d+$/.test(value) ? check(Number(value)) : undefined),
    fromJson: (value) => (typeof value === 'number' ? check(value) : undefined),
  }
}

/**
 * A file mode in the notation of chmod. It is text also in the configuration file, because JSON has no octal numbers.
 */
export const fileMode: SettingKind<string> = textKind('a file mode like 660', (value) =>
  /^0?[0-7]{3}$/.test(value) ? value : undefined,
)

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 }

/** A duration like `90m`, `24h` or `7d`, read as seconds; from five minutes to 366 days. */
export const duration: SettingKind<number> = textKind('a time like 90m, 24h or 7d', (value) => {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(value) ?? []
  const seconds = Number(count) * (unitSeconds[unit] ?? 0)
  return seconds >= 300 && seconds <= 366 * 86_400 ? seconds : undefined
})

/** One of a few words. */
export function choice<const T extends string>(...words: readonly T[]): SettingKind<T> {
  return textKind(words.join(' or '), (value) => words.find((word) => word === value))
}

/** The place where a server keeps everything. */
export const storeLocation: SettingKind<StoreLocation> = textKind(
  'json, memory, or a URL like postgres://user@host/database',
  parseStoreLocation,
)

/** The URL of a database. */
export const databaseUrl: SettingKind<DatabaseUrl> = textKind(
  'a URL like postgres://user@host/database',
  parseDatabaseUrl,
)

/** The name of a header (RFC 9110, section 5.1). */
export const headerName: SettingKind<string> = textKind('the name of a header', (value) =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(value) ? value : undefined,
)

const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']

/** An OpenID issuer: https, or http on this machine. It stays as it is written, because clients compare it as text. */
export const issuer: SettingKind<string> = textKind('an https URL without query and fragment', (value) => {
  const url = parseHttpUrl(value)
  if (!url || url.search || url.hash || url.username || url.password) return undefined
  return url.protocol === 'https:' || loopbackHosts.includes(url.hostname) ? value : undefined
})

/** The base URL of the interface: http or https, with or without a path prefix; always ends in `/v1/`. */
export const baseUrl: SettingKind<string> = textKind('an http or https URL without query and fragment', (value) => {
  const url = parseHttpUrl(value)
  if (!url || url.search || url.hash || url.username || url.password) return undefined
  const prefix = `${trimSlashes(url.pathname)}/`
  return `${url.origin}${prefix.replace(/\/v1\/$/, '/')}v1/`
})

// Not /\/*$/, which searches for the end again at each slash.
function trimSlashes(path: string): string {
  let end = path.length
  while (path[end - 1] === '/') end--
  return path.slice(0, end)
}

/** Origins of web pages: in text separated by commas, in a file a JSON array. */
export const origins: SettingKind<readonly string[]> = {
  says: 'origins like https://app.example (scheme, host and port only), or *',
  fromText: (value) => checkOrigins(value.split(',').map((part) => part.trim())),
  fromJson: (value) =>
    Array.isArray(value) && value.every((part) => typeof part === 'string') ? checkOrigins(value) : undefined,
}

function checkOrigins(values: readonly string[]): readonly string[] | undefined {
  const given = values.filter((value) => value !== '')
  return given.every((value) => value === '*' || parseHttpUrl(value)?.origin === value) ? given : undefined
}

/**
 * Proxies: in text separated by commas, in a file a JSON array. `false` means none. `true` is invalid: it would trust
 * every client.
 */
export const proxies: SettingKind<readonly string[]> = {
  says:
    'the addresses or CIDR ranges of your proxies, or loopback, linklocal, uniquelocal, separated by commas ' +
    '(not true: it would trust everything that a client writes)',
  fromText: (value) => (/^(false|0)$/i.test(value) ? [] : checkProxies(splitList(value))),
  fromJson: (value) => {
    if (value === false) return []
    return Array.isArray(value) && value.every((part) => typeof part === 'string') ? checkProxies(value) : undefined
  },
}

function checkProxies(values: readonly string[]): readonly string[] | undefined {
  return values.every(isProxy) ? values : undefined
}

function isProxy(value: string): boolean {
  if (/^(loopback|linklocal|uniquelocal)$/.test(value)) return true
  // The package reads 1 as 0.0.0.1.
  if (isIP(value.replace(/\/.*/s, '')) === 0) return false
  try {
    proxyaddr.compile(value)
    return true
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return false
    throw error
  }
}

/** Targets of deliveries beside the public internet: in text separated by commas, in a file a JSON array. */
export const deliveryTargets: SettingKind<readonly string[]> = {
  says:
    'hosts like reader.lan or reader.lan:8080, addresses, or networks like 10.0.0.0/8, separated by commas ' +
    '(names without *)',
  fromText: (value) => checkDeliveryTargets(splitList(value)),
  fromJson: (value) =>
    Array.isArray(value) && value.every((part) => typeof part === 'string') ? checkDeliveryTargets(value) : undefined,
}

function checkDeliveryTargets(values: readonly string[]): readonly string[] | undefined {
  return values.every(isDeliveryTarget) ? values : undefined
}

function splitList(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
}

function parseHttpUrl(value: string): URL | undefined {
  const url = parseUrl(value)
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}
