import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { addApp, addUser, openJsonFileStore, openServer, systemEnvironment } from '../../src/index.ts'
import { installSchemathesis, ToolMissing } from '../outside-tools/install-tools.ts'
import { checkReport, type Report } from './report.ts'

// A JSON string is also a valid TOML string.
const show = (value: unknown): string => JSON.stringify(value)

const dictionary = (name: string, values: readonly string[]): string =>
  `[dictionaries.${name}]\nvalues = ${show(values)}\n`

const bind = (field: string, probability: number, place: 'body' | 'query' = 'body'): string =>
  `${show(`${place}.${field}`)} = { dictionary = ${show(field)}, probability = ${probability} }`

const forOperations = (path: string, lines: readonly string[]): string =>
  `[[operations]]\ninclude-path-regex = ${show(path)}\n${lines.join('\n')}\n`

/**
 * Writes the configuration of Schemathesis (TOML): the access token for the header, and credentials, ids and the URL of a
 * page for most requests that take them. Only the token endpoint, the registrations of webhooks and devices, and the
 * preview may reject a well-formed request: a schema cannot express valid passwords, public addresses, points on a curve
 * or pages that exist.
 */
const writeConfig = ({ accessToken, credentials, thingIds, sessionIds, pageUrl }: CheckedServer): string =>
  [
    `headers = { Authorization = ${show(`Bearer ${accessToken}`)} }`,
    'generation.allow-x00 = false',
    // The header contains the token already, and the server rejects a second one.
    'generation.with-security-parameters = false',
    dictionary('_id', thingIds),
    dictionary('id', sessionIds),
    dictionary('grant_type', ['password']),
    dictionary('url', [pageUrl]),
    ...Object.entries(credentials).map(([field, value]) => dictionary(field, [value])),
    forOperations('^/(token|revoke)$', [
      'checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "401", "429"]',
      '[operations.parameters]',
      ...['grant_type', ...Object.keys(credentials)].map((field) => bind(field, 0.8)),
    ]),
    forOperations('^/(webhook/register|register/device|device/register)$', [
      'checks.positive_data_acceptance.expected-statuses = ["2xx", "400"]',
    ]),
    forOperations('^/link/preview$', [
      'checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "422", "429"]',
      '[operations.parameters]',
      bind('url', 0.5, 'query'),
    ]),
    // A stream does not end, and Schemathesis reads responses to their end. The suite checks streams.
    forOperations('^/sync/events$', ['enabled = false']),
    forOperations('^/thing/(change|delete)$', ['[operations.parameters]', bind('_id', 0.7)]),
    forOperations('^/session/revoke$', ['[operations.parameters]', bind('id', 0.7)]),
  ].join('\n')

/** A running server, and the credentials and ids that exist on it. */
interface CheckedServer {
  readonly baseUrl: string
  readonly accessToken: string
  readonly credentials: Readonly<Record<'client_id' | 'client_secret' | 'username' | 'password', string>>
  readonly thingIds: readonly string[]
  /** Ids of sessions other than the session of the access token. */
  readonly sessionIds: readonly string[]
  /** The URL of a page whose title the server can read. */
  readonly pageUrl: string
  readonly close: () => Promise<void>
}

/** Starts the server on JSON files in a folder, with a user, an app, sessions and things. The caller must close it. */
const openCheckedServer = async (folder: string): Promise<CheckedServer> => {
  const log = pino({ level: 'error' }, pino.destination(2))
  const store = await openJsonFileStore({ folder: join(folder, 'data'), now: systemEnvironment.now })
  const pages = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end('<title>A page</title><meta name="description" content="Some text">')
  }).listen(0, '127.0.0.1')
  await once(pages, 'listening')
  const pageHost = `127.0.0.1:${(pages.address() as AddressInfo).port}`
  const user = { name: 'anna', password: 'correct horse' }
  await addUser(store, user, systemEnvironment)
  const { clientId, clientSecret } = await addApp(store, 'schemathesis', systemEnvironment)
  const settings = {
    host: '127.0.0.1',
    port: 0,
    maxBodyBytes: 33_554_432,
    requestTimeoutSeconds: 60,
    corsOrigins: [],
    linkPreviewAllow: [pageHost],
    // The server limits attempts per client address; hooks.py sends each case from its own.
    trustProxy: ['loopback'],
  }
  const server = await openServer({ store, settings, log })
  const names = { username: user.name, password: user.password }
  const credentials = { client_id: clientId, client_secret: clientSecret, ...names }
  const accessToken = await signIn(server.baseUrl, credentials)
  return {
    baseUrl: server.baseUrl,
    accessToken,
    credentials,
    thingIds: await addThings(server.baseUrl, accessToken),
    sessionIds: await addSessions(server.baseUrl, credentials),
    pageUrl: `http://${pageHost}/page`,
    close: async () => {
      pages.close()
      await server.close()
      await store.close()
    },
  }
}

const signIn = async (baseUrl: string, credentials: CheckedServer['credentials']): Promise<string> => {
  const body = new URLSearchParams({ grant_type: 'password', ...credentials })
  const response = await fetch(`${baseUrl}token`, { method: 'POST', body })
  return ((await response.json()) as { access_token: string }).access_token
}

/** Adds sessions that may be revoked, and returns their ids. The session that lists them is not one of them. */
const addSessions = async (baseUrl: string, credentials: CheckedServer['credentials']): Promise<readonly string[]> => {
  const before = await listSessions(baseUrl, await signIn(baseUrl, credentials))
  for (let i = 0; i < 30; i++) await signIn(baseUrl, credentials)
  const after = await listSessions(baseUrl, await signIn(baseUrl, credentials))
  return after.filter(({ id, current }) => !current && !before.some((one) => one.id === id)).map(({ id }) => id)
}

const listSessions = async (baseUrl: string, token: string): Promise<{ id: string; current: boolean }[]> => {
  const response = await fetch(`${baseUrl}session/list`, { headers: { authorization: `Bearer ${token}` } })
  return (await response.json()) as { id: string; current: boolean }[]
}

/** Adds things, enough for every case that deletes one, and returns their ids. */
const addThings = async (baseUrl: string, token: string): Promise<readonly string[]> => {
  const things = Array.from({ length: 100 }, (_, index) => ({ local_id: index, title: 'A' }))
  const response = await fetch(`${baseUrl}sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ new_thing: things }),
  })
  const { things: given } = (await response.json()) as { things: { new: Record<string, string> } }
  return Object.values(given.new)
}

/**
 * Runs Schemathesis, an independent tool, against a running server with `openapi.yaml` and `openapi.sdk.yaml`: signed
 * in, over all operations. `npm run schemathesis [-- --seed N] [DOCUMENT]`. Exits 1 on a 5xx, an undeclared
 * status, a response of another shape, an error for a valid request, too few cases, or an operation without success.
 */

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'positive_data_acceptance',
]

const inProject = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const documents = ['openapi.yaml', 'openapi.sdk.yaml']

/** The SDK profile omits methods on purpose, so the Allow header of the server does not match it. */
const checksOf = (document: string): string =>
  [...checks, ...(document.endsWith('.sdk.yaml') ? [] : ['allow_header_conformance'])].join(',')

const runSchemathesis = async (document: string, folder: string, seed: string): Promise<Report> => {
  const program = installSchemathesis()
  const reportPath = join(folder, 'report.json')
  const configPath = join(folder, 'schemathesis.toml')
  const server = await openCheckedServer(folder)
  writeFileSync(configPath, writeConfig(server))
  const options = {
    '--url': server.baseUrl.replace(/\/$/, ''),
    '--checks': checksOf(document),
    '--max-examples': '80',
    '--seed': seed,
    '--warnings': 'off',
    '--report': 'json',
    '--report-json-path': reportPath,
  }
  const run = ['run', inProject(document), '--continue-on-failure', ...Object.entries(options).flat()]
  const env = {
    ...process.env,
    TESTED_ACCESS_TOKEN: server.accessToken,
    TESTED_CREDENTIALS: JSON.stringify(server.credentials),
    SCHEMATHESIS_HOOKS: inProject('scripts/schemathesis/hooks.py'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  try {
    // Schemathesis stores examples in its working directory.
    const child = spawn(program, ['--config-file', configPath, ...run], { stdio: 'inherit', env, cwd: folder })
    await once(child, 'close')
  } finally {
    await server.close()
  }
  return JSON.parse(readFileSync(reportPath, 'utf8'))
}

const countStreams = (document: string): number =>
  readFileSync(inProject(document), 'utf8').split('text/event-stream:').length - 1

const checkDocument = async (document: string, seed: string): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-schemathesis-'))
  try {
    const { summary, problems } = checkReport(await runSchemathesis(document, folder, seed), countStreams(document))
    console.log(`${document}: ${summary}`)
    for (const problem of problems) console.error(`${document}: ${problem}`)
    return problems.length === 0
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' } },
})
try {
  for (const document of positionals.length > 0 ? positionals : documents) {
    if (!(await checkDocument(document, values.seed))) process.exitCode = 1
  }
} catch (error) {
  if (!(error instanceof ToolMissing)) throw error
  console.error(error.message)
  process.exitCode = 1
}
