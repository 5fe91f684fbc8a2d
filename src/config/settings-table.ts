import { isIP } from 'node:net'
import { resolve } from 'node:path'
import proxyaddr from 'proxy-addr'
import { isDeliveryTarget } from '../outbound/address-guard.ts'
import { parseUrl } from '../parse-url.ts'

/** The URL of a PostgreSQL database: `postgres://user@host:port/database`; missing parts come from PG… variables. */
export type DatabaseUrl = `postgres://${string}` | `postgresql://${string}`

/** The location of everything that a server stores. */
type StoreLocation = 'json' | 'memory' | DatabaseUrl

/** Returns true for a database, which any number of processes may share. */
export const isDatabaseUrl = (location: string): location is DatabaseUrl => /^postgres(ql)?:\/\//.test(location)

/** Parses the location of everything that a server stores; undefined when the text is invalid. */
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
interface SettingKind<T> {
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
const text: SettingKind<string> = textKind('text that is not empty', (value) => value || undefined)

/** A path, made absolute: relative to the working folder, or to the file that names it. */
const path: SettingKind<string> = {
  says: 'a path',
  fromText: (value) => (value ? resolve(value) : undefined),
  fromJson: (value, folder) => (typeof value === 'string' && value ? resolve(folder, value) : undefined),
}

/** True or false. */
const truth: SettingKind<boolean> = {
  says: 'true or false',
  fromText: (value) => ({ true: true, '1': true, false: false, '0': false })[value.toLowerCase()],
  fromJson: (value) => (typeof value === 'boolean' ? value : undefined),
}

/** A whole number between two bounds, both included. */
function wholeNumber(min: number, max: number): SettingKind<number> {
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
const fileMode: SettingKind<string> = textKind('a file mode like 660', (value) =>
  /^0?[0-7]{3}$/.test(value) ? value : undefined,
)

const unitSeconds: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 86_400 }

/** A duration like `90m`, `24h` or `7d`, read as seconds; from five minutes to 366 days. */
const duration: SettingKind<number> = textKind('a duration like 90m, 24h or 7d, from 5m to 366d', (value) => {
  const [, count = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(value) ?? []
  const seconds = Number(count) * (unitSeconds[unit] ?? 0)
  return seconds >= 300 && seconds <= 366 * 86_400 ? seconds : undefined
})

/** One of a few words. */
function choice<const T extends string>(...words: readonly T[]): SettingKind<T> {
  const says = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
  return textKind(says, (value) => words.find((word) => word === value))
}

/** The location of everything that a server stores. */
const storeLocation: SettingKind<StoreLocation> = textKind(
  'json, memory, or a URL like postgres://user@host/database',
  parseStoreLocation,
)

/** The URL of a database. */
const databaseUrl: SettingKind<DatabaseUrl> = textKind('a URL like postgres://user@host/database', parseDatabaseUrl)

/** The name of a header (RFC 9110, section 5.1). */
const headerName: SettingKind<string> = textKind('the name of a header', (value) =>
  /^[\w!#$%&'*+.^`|~-]+$/.test(value) ? value : undefined,
)

const loopbackHosts = ['127.0.0.1', '[::1]', 'localhost']

/** An OpenID issuer: https, or http on this machine. It stays as it is written, because clients compare it as text. */
const issuer: SettingKind<string> = textKind('an https URL without query and fragment', (value) => {
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

/** The groups of settings, with their headings in the help and in the reference. */
export const settingGroups = {
  data: 'Data and backups',
  network: 'Network',
  'sign-in': 'Sign-in and first run',
  limits: 'Limits',
  delivery: 'Delivery',
  previews: 'Link previews',
  logging: 'Logging and monitoring',
} as const

/** One setting. Its name in the table is also its key in the configuration file. */
interface Setting<T> {
  readonly kind: SettingKind<Exclude<T, undefined>>
  readonly group: keyof typeof settingGroups
  /** Text is read like the text of a flag: a path is made absolute. */
  readonly default: T
  /** Says what applies while the setting is not set, where `default` does not say it. */
  readonly unset?: string
  /** Describes the setting. */
  readonly sentence: string
  /** Describes the flag as given, where `sentence` does not: the flag of a setting that is on by default. */
  readonly flagSentence?: string
  readonly unit?: string
  /** The name of the value in the help; flags of yes-or-no settings have no value. */
  readonly placeholder?: string
  /** The value is never shown, and has no flag: every user of the machine sees the command line. */
  readonly isSecret?: true
}

const setting = <T>(row: Setting<T>): Setting<T> => row

/** A yes-or-no setting that is on by default: its flag switches it off. */
const onByDefault = (
  row: Pick<Required<Setting<boolean>>, 'group' | 'sentence' | 'flagSentence'>,
): Setting<boolean> => ({ kind: truth, default: true, ...row })

/** Every setting of the server: flags, environment, file, help and `thingsync config` come from this one table. */
const settingsTable = {
  data: setting<string>({
    kind: path,
    group: 'data',
    default: './data',
    sentence: 'Folder for everything that the server stores; created when it is missing.',
    placeholder: 'DIR',
  }),
  store: setting<StoreLocation>({
    kind: storeLocation,
    group: 'data',
    default: 'json',
    sentence:
      'json: JSON files in the data folder. memory: nothing is saved, for tests. postgres://user@host/database: a database, which several servers can share.',
    placeholder: 'KIND',
  }),
  store_connections: setting<number>({
    kind: wholeNumber(2, 1000),
    group: 'data',
    default: 10,
    sentence:
      'Maximum number of connections from each server to the database; one more connection listens for changes.',
    placeholder: 'N',
  }),
  listen_url: setting<DatabaseUrl | undefined>({
    kind: databaseUrl,
    group: 'data',
    default: undefined,
    unset: 'the URL of the store',
    sentence: 'Direct URL of the database, if --store names a connection pooler; the server listens for changes there.',
    placeholder: 'URL',
  }),
  backup_every: setting<number | undefined>({
    kind: duration,
    group: 'data',
    default: undefined,
    unset: 'no scheduled backups',
    sentence: 'Interval between scheduled backups of everything, such as 24h.',
    placeholder: 'TIME',
  }),
  backup_folder: setting<string | undefined>({
    kind: path,
    group: 'data',
    default: undefined,
    sentence: 'Folder for scheduled backups, outside the data folder.',
    placeholder: 'DIR',
  }),
  backup_keep: setting<number>({
    kind: wholeNumber(1, 10_000),
    group: 'data',
    default: 14,
    sentence: 'Number of scheduled backups to keep in that folder; the server removes older backups.',
    placeholder: 'N',
  }),
  backup_command: setting<string | undefined>({
    kind: text,
    group: 'data',
    default: undefined,
    sentence: 'Shell command that receives each scheduled backup on standard input, instead of a folder.',
    placeholder: 'COMMAND',
  }),
  host: setting<string>({
    kind: text,
    group: 'network',
    default: '127.0.0.1',
    sentence: 'Address to listen on; 0.0.0.0 accepts connections from other machines.',
    placeholder: 'H',
  }),
  port: setting<number>({
    kind: wholeNumber(0, 65_535),
    group: 'network',
    default: 8484,
    sentence: 'Port to listen on; 0 selects a free port.',
    placeholder: 'N',
  }),
  socket: setting<string | undefined>({
    kind: path,
    group: 'network',
    default: undefined,
    sentence: 'Unix socket to listen on instead of host and port, for a proxy on this machine.',
    placeholder: 'PATH',
  }),
  socket_mode: setting<string>({
    kind: fileMode,
    group: 'network',
    default: '660',
    sentence: 'File mode of that socket, in octal. Each user with write access can connect, and is trusted as a proxy.',
    placeholder: 'MODE',
  }),
  tls_cert: setting<string | undefined>({
    kind: path,
    group: 'network',
    default: undefined,
    unset: 'no TLS',
    sentence: 'PEM file with the TLS certificate and its chain; the server reads it again when it changes.',
    placeholder: 'FILE',
  }),
  tls_key: setting<string | undefined>({
    kind: path,
    group: 'network',
    default: undefined,
    sentence: 'PEM file with the private key of that certificate.',
    placeholder: 'FILE',
  }),
  base_url: setting<string | undefined>({
    kind: baseUrl,
    group: 'network',
    default: undefined,
    unset: 'the listen address',
    sentence: 'Base URL that clients use. A path prefix is allowed; /v1/ at the end is optional.',
    placeholder: 'URL',
  }),
  trust_proxy: setting<readonly string[]>({
    kind: proxies,
    group: 'network',
    default: [],
    unset: 'no proxy',
    sentence:
      'Proxies whose X-Forwarded-For header is trusted: addresses, CIDR ranges, loopback, linklocal or uniquelocal; separated by commas.',
    placeholder: 'ADDRESSES',
  }),
  cors_origins: setting<readonly string[]>({
    kind: origins,
    group: 'network',
    default: [],
    unset: 'no other origin',
    sentence: 'Origins of web pages that may call the API, separated by commas; * allows all origins.',
    placeholder: 'LIST',
  }),
  web: onByDefault({
    group: 'network',
    sentence: 'Serve the web app at /.',
    flagSentence: 'Do not serve the web app; / shows a page with the URLs of the server.',
  }),
  extension: onByDefault({
    group: 'sign-in',
    sentence: 'Register the browser extension, so that users can sign in with it.',
    flagSentence: 'Do not register the browser extension; "app remove thingsync-extension" ends an earlier entry.',
  }),
  password_grant: onByDefault({
    group: 'sign-in',
    sentence: 'Apps may send user names and passwords to get tokens (grant_type=password).',
    flagSentence: 'Do not accept user names and passwords from apps (grant_type=password).',
  }),
  query_token: onByDefault({
    group: 'sign-in',
    sentence: 'The URL of a request may contain the access token (?access_token=…).',
    flagSentence: 'Do not accept access tokens in the URL of a request (?access_token=…).',
  }),
  open_registration: setting<boolean>({
    kind: truth,
    group: 'sign-in',
    default: false,
    sentence: 'Let anyone create an account on the page /register, without an invitation.',
  }),
  auth_header: setting<string | undefined>({
    kind: headerName,
    group: 'sign-in',
    default: undefined,
    sentence:
      'Header in which a trusted proxy names the signed-in user. The proxy must remove this header from incoming requests.',
    placeholder: 'NAME',
  }),
  auth_create: setting<boolean>({
    kind: truth,
    group: 'sign-in',
    default: false,
    sentence: 'Create an account when that proxy, or the OpenID provider, signs in a user without an account.',
  }),
  oidc_issuer: setting<string | undefined>({
    kind: issuer,
    group: 'sign-in',
    default: undefined,
    sentence:
      'Issuer URL of an OpenID provider for sign-in. At the provider, register the redirect URI with the path /sign-in/provider/back.',
    placeholder: 'URL',
  }),
  oidc_client_id: setting<string | undefined>({
    kind: text,
    group: 'sign-in',
    default: undefined,
    sentence: 'Client ID of this server at the provider.',
    placeholder: 'ID',
  }),
  oidc_client_secret_file: setting<string | undefined>({
    kind: path,
    group: 'sign-in',
    default: undefined,
    unset: 'a public client',
    sentence: 'File with the client secret from the provider.',
    placeholder: 'FILE',
  }),
  oidc_name: setting<string>({
    kind: text,
    group: 'sign-in',
    default: 'single sign-on',
    sentence: 'Name of the provider on the sign-in page.',
    placeholder: 'NAME',
  }),
  oidc_user: setting<'preferred_username' | 'email'>({
    kind: choice('preferred_username', 'email'),
    group: 'sign-in',
    default: 'preferred_username',
    sentence: 'Claim of the provider that holds the user name.',
    placeholder: 'CLAIM',
  }),
  first_run: onByDefault({
    group: 'sign-in',
    sentence:
      'Create a user and an app in an empty data folder or database. Show their secrets once, or write them to a file.',
    flagSentence: 'Do not create a user and an app in an empty data folder or database.',
  }),
  owner: setting<string>({
    kind: text,
    group: 'sign-in',
    default: 'owner',
    sentence: 'Name of the user that the first run creates.',
    placeholder: 'NAME',
  }),
  owner_password_file: setting<string | undefined>({
    kind: path,
    group: 'sign-in',
    default: undefined,
    unset: 'a generated password',
    sentence: 'File with the password of that user.',
    placeholder: 'FILE',
  }),
  owner_password: setting<string | undefined>({
    kind: text,
    group: 'sign-in',
    default: undefined,
    sentence: 'Password of that user. A file is safer, because other processes can read environment variables.',
    isSecret: true,
  }),
  max_body_bytes: setting<number>({
    kind: wholeNumber(1024, 2 ** 30),
    group: 'limits',
    default: 32 * 1024 * 1024,
    sentence: 'Maximum size of a request body.',
    unit: 'bytes',
    placeholder: 'N',
  }),
  request_timeout_seconds: setting<number>({
    kind: wholeNumber(1, 3600),
    group: 'limits',
    default: 60,
    sentence: 'Time within which a client must send a whole request.',
    unit: 'seconds',
    placeholder: 'N',
  }),
  quota_things: setting<number | undefined>({
    kind: wholeNumber(0, 2 ** 53 - 1),
    group: 'limits',
    default: undefined,
    unset: 'no limit',
    sentence: 'Maximum number of things per user; `user quota` sets another limit for one user.',
    placeholder: 'N',
  }),
  quota_bytes: setting<number | undefined>({
    kind: wholeNumber(0, 2 ** 53 - 1),
    group: 'limits',
    default: undefined,
    unset: 'no limit',
    sentence: 'Maximum size of the things and tags per user, as JSON.',
    unit: 'bytes',
    placeholder: 'N',
  }),
  quota_tags: setting<number>({
    kind: wholeNumber(0, 2 ** 53 - 1),
    group: 'limits',
    default: 10_000,
    sentence:
      'Maximum number of tags with settings per user. In addition, the same number of tags may have cleared settings.',
    placeholder: 'N',
  }),
  quota_hooks: setting<number>({
    kind: wholeNumber(0, 20),
    group: 'limits',
    default: 20,
    sentence: 'Maximum number of webhooks per user.',
    placeholder: 'N',
  }),
  delivery_allow: setting<readonly string[]>({
    kind: deliveryTargets,
    group: 'delivery',
    default: [],
    unset: 'public addresses only',
    sentence: 'Private hosts, addresses and networks (CIDR) that webhooks and push may reach; separated by commas.',
    placeholder: 'HOST-OR-CIDR',
  }),
  link_preview: onByDefault({
    group: 'previews',
    sentence: 'Read the page of a URL that a user saves, to fill in its title.',
    flagSentence: 'Do not read pages of URLs that users save; users write the titles.',
  }),
  link_preview_allow: setting<readonly string[]>({
    kind: deliveryTargets,
    group: 'previews',
    default: [],
    unset: 'public addresses only',
    sentence: 'Private hosts, addresses and networks (CIDR) whose pages link previews may read; separated by commas.',
    placeholder: 'HOST-OR-CIDR',
  }),
  log_level: setting<'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'>({
    kind: choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    group: 'logging',
    default: 'info',
    sentence: 'Minimum level of log lines.',
    placeholder: 'LEVEL',
  }),
  log_format: setting<'auto' | 'json' | 'pretty'>({
    kind: choice('auto', 'json', 'pretty'),
    group: 'logging',
    default: 'auto',
    sentence: 'json: a JSON object per line. pretty: readable text. auto: pretty on a terminal, json elsewhere.',
    placeholder: 'FORMAT',
  }),
  metrics_port: setting<number | undefined>({
    kind: wholeNumber(0, 65_535),
    group: 'logging',
    default: undefined,
    unset: 'no metrics',
    sentence: 'Port on which /metrics shows metrics for Prometheus.',
    placeholder: 'N',
  }),
  metrics_host: setting<string>({
    kind: text,
    group: 'logging',
    default: '127.0.0.1',
    sentence: 'Address to listen on for metrics. Every client that can reach it can read the metrics.',
    placeholder: 'H',
  }),
  ready_file: setting<string | undefined>({
    kind: path,
    group: 'logging',
    default: undefined,
    sentence: 'File that the server writes as JSON {"base_url", "pid"} when it accepts requests.',
    placeholder: 'FILE',
  }),
} as const

/** The name of a setting: lower-case words joined by underscores. */
export type SettingName = keyof typeof settingsTable

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S
type Value<S> = S extends Setting<infer T> ? T : never

/** The effective settings of one run, under the names of the table in camel case. */
export type Settings = { readonly [Name in SettingName as Camel<Name>]: Value<(typeof settingsTable)[Name]> }

/** The names of all settings, in the order of the table. */
export const settingNames = Object.keys(settingsTable) as readonly SettingName[]

/** Returns a row of the table. */
export const findSetting = (name: SettingName): Setting<unknown> => settingsTable[name]

/** Describes the value that applies while a setting is not set; empty when there is none. */
export function showDefault(name: SettingName): string {
  const { default: value, unset = '', unit } = findSetting(name)
  if (value === undefined || Array.isArray(value)) return unset
  return `${value}${unit ? ` ${unit}` : ''}`
}

/** Returns the property of `Settings`: `maxBodyBytes` for `max_body_bytes`. */
export const propertyOf = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** Returns the flag: `--max-body-bytes`, or `--no-first-run` for a yes-or-no setting that is on by default. */
export function flagOf(name: string): string {
  const row = settingNames.find((known) => known === name)
  return `${row && findSetting(row).default === true ? '--no-' : '--'}${name.replaceAll('_', '-')}`
}

/** Returns the environment variable: `THINGSYNC_MAX_BODY_BYTES` for `max_body_bytes`. */
export const environmentNameOf = (name: string): string => `THINGSYNC_${name.toUpperCase()}`
