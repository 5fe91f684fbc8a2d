import {
  baseUrl,
  choice,
  deliveryPlaces,
  type Kind,
  origins,
  path,
  proxies,
  text,
  truth,
  wholeNumber,
} from './setting-kinds.ts'

/** One setting. Its name in the table is also its key in the configuration file. */
export interface Setting<T> {
  readonly kind: Kind<Exclude<T, undefined>>
  /** Text is read like a flag's: a path is made absolute. */
  readonly default: T
  readonly sentence: string
  readonly unit?: string
  /** What the help shows for the value; flags of yes-or-no settings take none. */
  readonly placeholder?: string
  /** The value is never shown, and there is no flag for it: everybody on the machine sees the command line. */
  readonly isSecret?: true
}

const setting = <T>(row: Setting<T>): Setting<T> => row

/** Every setting of the server: the one table that flags, environment, file, help and `thingsync config` come from. */
export const settingsTable = {
  data: setting<string>({
    kind: path,
    default: './data',
    sentence: 'Folder that keeps everything; made when it is missing.',
    placeholder: 'DIR',
  }),
  store: setting<'json' | 'memory'>({
    kind: choice('json', 'memory'),
    default: 'json',
    sentence: 'json keeps plain JSON files in the data folder; memory forgets everything at the end, for trials.',
    placeholder: 'KIND',
  }),
  host: setting<string>({
    kind: text,
    default: '127.0.0.1',
    sentence: 'Address to listen on; 0.0.0.0 lets other machines in.',
    placeholder: 'H',
  }),
  port: setting<number>({
    kind: wholeNumber(0, 65_535),
    default: 8484,
    sentence: 'Port to listen on; 0 takes a free one.',
    placeholder: 'N',
  }),
  base_url: setting<string | undefined>({
    kind: baseUrl,
    default: undefined,
    sentence:
      'Address that clients use, when it is not the one listened on; may carry a path prefix; /v1/ at its end may be left out.',
    placeholder: 'URL',
  }),
  trust_proxy: setting<readonly string[]>({
    kind: proxies,
    default: [],
    sentence:
      'Proxies of yours whose X-Forwarded-For is believed: addresses, CIDR ranges, loopback, linklocal, uniquelocal; separated by commas.',
    placeholder: 'ADDRESSES',
  }),
  cors_origins: setting<readonly string[]>({
    kind: origins,
    default: [],
    sentence: 'Web pages of these origins may call the server; separated by commas.',
    placeholder: 'LIST',
  }),
  password_grant: setting<boolean>({
    kind: truth,
    default: true,
    sentence: 'Apps may send user names and passwords to get tokens (grant_type=password).',
  }),
  query_token: setting<boolean>({
    kind: truth,
    default: true,
    sentence: 'An access token may stand in the address of a request (?access_token=…).',
  }),
  open_registration: setting<boolean>({
    kind: truth,
    default: false,
    sentence: 'Everybody may make an account on the page /register; else by invitation only.',
  }),
  web: setting<boolean>({
    kind: truth,
    default: true,
    sentence: 'Serve the web app at /; without it a page with the addresses of the server stands there.',
  }),
  delivery_allow: setting<readonly string[]>({
    kind: deliveryPlaces,
    default: [],
    sentence:
      'Hosts, addresses and networks (CIDR) that webhooks and push may be sent to although they are not public; separated by commas.',
    placeholder: 'HOST-OR-CIDR',
  }),
  max_body_bytes: setting<number>({
    kind: wholeNumber(1024, 2 ** 30),
    default: 32 * 1024 * 1024,
    sentence: 'Largest request body.',
    unit: 'bytes',
    placeholder: 'N',
  }),
  request_timeout_seconds: setting<number>({
    kind: wholeNumber(1, 3600),
    default: 60,
    sentence: 'Time that a client may take to send a request.',
    unit: 'seconds',
    placeholder: 'N',
  }),
  first_run: setting<boolean>({
    kind: truth,
    default: true,
    sentence: 'Make a user and an app in an empty data folder; secrets are shown once, or kept in a file for you.',
  }),
  owner: setting<string>({
    kind: text,
    default: 'owner',
    sentence: 'Name of the user that a first run makes.',
    placeholder: 'NAME',
  }),
  owner_password_file: setting<string | undefined>({
    kind: path,
    default: undefined,
    sentence: 'File that holds the password of that user; without one a password is made up.',
    placeholder: 'FILE',
  }),
  owner_password: setting<string | undefined>({
    kind: text,
    default: undefined,
    sentence: 'The password itself; a file is safer, because the environment can be read by others.',
    isSecret: true,
  }),
  ready_file: setting<string | undefined>({
    kind: path,
    default: undefined,
    sentence: 'File that is written as JSON {"base_url", "pid"} once requests are accepted.',
    placeholder: 'FILE',
  }),
  log_level: setting<'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent'>({
    kind: choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    sentence: 'Least level that is logged.',
    placeholder: 'LEVEL',
  }),
  log_format: setting<'auto' | 'json' | 'pretty'>({
    kind: choice('auto', 'json', 'pretty'),
    default: 'auto',
    sentence: 'json is one JSON line an event, pretty is for people, auto is pretty on a terminal.',
    placeholder: 'FORMAT',
  }),
} as const

/** A name in the table: lower case words joined by underscores. */
export type SettingName = keyof typeof settingsTable

type Camel<S extends string> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S
type Value<S> = S extends Setting<infer T> ? T : never

/** The effective settings of one run, under the names of the table in camel case. */
export type Settings = { readonly [Name in SettingName as Camel<Name>]: Value<(typeof settingsTable)[Name]> }

/** The names of the table, in its order. */
export const settingNames = Object.keys(settingsTable) as readonly SettingName[]

/** A row of the table, whatever its type. */
export const findSetting = (name: SettingName): Setting<unknown> => settingsTable[name]

/** `max_body_bytes` is `maxBodyBytes` in Settings. */
export const propertyOf = (name: string): string => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** `max_body_bytes` is `--max-body-bytes`; a yes-or-no setting that is on by default is switched off: `--no-first-run`. */
export function flagOf(name: string): string {
  const row = settingNames.find((known) => known === name)
  return `${row && findSetting(row).default === true ? '--no-' : '--'}${name.replaceAll('_', '-')}`
}

/** `max_body_bytes` is `THINGSYNC_MAX_BODY_BYTES` in the environment. */
export const environmentNameOf = (name: string): string => `THINGSYNC_${name.toUpperCase()}`
