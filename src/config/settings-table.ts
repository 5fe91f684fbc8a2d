import type { DatabaseUrl, StoreLocation } from './setting-kinds.ts'
import {
  baseUrl,
  choice,
  databaseUrl,
  deliveryTargets,
  duration,
  fileMode,
  headerName,
  issuer,
  origins,
  path,
  proxies,
  type SettingKind,
  storeLocation,
  text,
  truth,
  wholeNumber,
} from './setting-kinds.ts'

/** One setting. Its name in the table is also its key in the configuration file. */
export interface Setting<T> {
  readonly kind: SettingKind<Exclude<T, undefined>>
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
  store: setting<StoreLocation>({
    kind: storeLocation,
    default: 'json',
    sentence:
      'json keeps plain JSON files in the data folder; memory forgets everything at the end, for trials; postgres://user@host/database keeps everything there, for any number of servers.',
    placeholder: 'KIND',
  }),
  store_connections: setting<number>({
    kind: wholeNumber(2, 1000),
    default: 10,
    sentence: 'Connections to the database that a server opens at most; one more listens.',
    placeholder: 'N',
  }),
  listen_url: setting<DatabaseUrl | undefined>({
    kind: databaseUrl,
    default: undefined,
    sentence: 'Address of the database itself, where store names a pooler: it is where changes are listened for.',
    placeholder: 'URL',
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
  socket: setting<string | undefined>({
    kind: path,
    default: undefined,
    sentence: 'Unix socket to listen on, in the place of host and port, for a proxy on this machine.',
    placeholder: 'PATH',
  }),
  socket_mode: setting<string>({
    kind: fileMode,
    default: '660',
    sentence: 'Mode of that socket: who may write to it may connect, and is believed as a proxy.',
    placeholder: 'MODE',
  }),
  tls_cert: setting<string | undefined>({
    kind: path,
    default: undefined,
    sentence: 'File with the certificate (PEM, with its chain) for TLS; read again when it changes.',
    placeholder: 'FILE',
  }),
  tls_key: setting<string | undefined>({
    kind: path,
    default: undefined,
    sentence: 'File with the private key of that certificate (PEM).',
    placeholder: 'FILE',
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
  metrics_port: setting<number | undefined>({
    kind: wholeNumber(0, 65_535),
    default: undefined,
    sentence: 'Port on which /metrics is shown, for Prometheus; without it nothing is counted.',
    placeholder: 'N',
  }),
  metrics_host: setting<string>({
    kind: text,
    default: '127.0.0.1',
    sentence: 'Address of that port; whoever can reach it may read what is counted.',
    placeholder: 'H',
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
  auth_header: setting<string | undefined>({
    kind: headerName,
    default: undefined,
    sentence: 'Header in which a trusted proxy names the user whom it has signed in; it must take it out of requests.',
    placeholder: 'NAME',
  }),
  auth_create: setting<boolean>({
    kind: truth,
    default: false,
    sentence: 'Make an account for whoever that proxy, or the OpenID provider, signs in and has none.',
  }),
  oidc_issuer: setting<string | undefined>({
    kind: issuer,
    default: undefined,
    sentence: 'OpenID provider at which people can sign in; its redirect address here is BASE/sign-in/provider/back.',
    placeholder: 'URL',
  }),
  oidc_client_id: setting<string | undefined>({
    kind: text,
    default: undefined,
    sentence: 'What this server is called there.',
    placeholder: 'ID',
  }),
  oidc_client_secret_file: setting<string | undefined>({
    kind: path,
    default: undefined,
    sentence: 'File with the secret that the provider gave; without one this server is a public client there.',
    placeholder: 'FILE',
  }),
  oidc_name: setting<string>({
    kind: text,
    default: 'single sign-on',
    sentence: 'What the sign-in page calls the provider.',
    placeholder: 'NAME',
  }),
  oidc_user: setting<'preferred_username' | 'email'>({
    kind: choice('preferred_username', 'email'),
    default: 'preferred_username',
    sentence: 'What the provider says that is the user name here.',
    placeholder: 'CLAIM',
  }),
  web: setting<boolean>({
    kind: truth,
    default: true,
    sentence: 'Serve the web app at /; without it a page with the addresses of the server stands there.',
  }),
  delivery_allow: setting<readonly string[]>({
    kind: deliveryTargets,
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
  quota_things: setting<number | undefined>({
    kind: wholeNumber(0, 2 ** 53 - 1),
    default: undefined,
    sentence: 'Things that a user may have, where `user quota` says nothing else; without it any number.',
    placeholder: 'N',
  }),
  quota_bytes: setting<number | undefined>({
    kind: wholeNumber(0, 2 ** 53 - 1),
    default: undefined,
    sentence: 'What the things and tags of a user may take, as JSON; without it any amount.',
    unit: 'bytes',
    placeholder: 'N',
  }),
  quota_tags: setting<number>({
    kind: wholeNumber(0, 2 ** 53 - 1),
    default: 10_000,
    sentence: 'Tags with settings that a user may have, and as many whose settings were cleared.',
    placeholder: 'N',
  }),
  quota_hooks: setting<number>({
    kind: wholeNumber(0, 20),
    default: 20,
    sentence: 'Webhooks that a user may have.',
    placeholder: 'N',
  }),
  backup_every: setting<number | undefined>({
    kind: duration,
    default: undefined,
    sentence: 'How often the server makes a backup of everything; without it none.',
    placeholder: 'TIME',
  }),
  backup_folder: setting<string | undefined>({
    kind: path,
    default: undefined,
    sentence: 'Folder for these backups, outside the data folder.',
    placeholder: 'DIR',
  }),
  backup_keep: setting<number>({
    kind: wholeNumber(1, 10_000),
    default: 14,
    sentence: 'How many of them are kept there.',
    placeholder: 'N',
  }),
  backup_command: setting<string | undefined>({
    kind: text,
    default: undefined,
    sentence: 'Command of the shell that is given each backup on its standard input, in the place of a folder.',
    placeholder: 'COMMAND',
  }),
  first_run: setting<boolean>({
    kind: truth,
    default: true,
    sentence:
      'Make a user and an app in an empty data folder or database; secrets are shown once, or kept in a file for you.',
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
