import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { pino } from 'pino'
import { addApp, addUser, openJsonFileStore, openServer, systemEnvironment, thingForm } from '../../src/index.ts'
import { installSchemathesis, ToolMissing } from '../outside-tools/install-tools.ts'
import { checkReport, type Report } from './report.ts'

// A JSON text is a text of TOML, too.
const show = (value: unknown): string => JSON.stringify(value)

const dictionary = (name: string, values: readonly string[]): string =>
  `[dictionaries.${name}]\nvalues = ${show(values)}\n`

const bind = (field: string, probability: number): string =>
  `${show(`body.${field}`)} = { dictionary = ${show(field)}, probability = ${probability} }`

const forOperations = (path: string, lines: readonly string[]): string =>
  `[[operations]]\ninclude-path-regex = ${show(path)}\n${lines.join('\n')}\n`

/**
 * What Schemathesis is told of the judged server, in its own words (TOML): the access token for the header; credentials and
 * ids for most requests that take them. Only at the token endpoint, and where something is to be delivered to, a well-formed
 * request may be refused for what it holds: a schema cannot say which passwords are right, which addresses are public, and
 * which points lie on a curve.
 */
const writeConfig = ({ accessToken, credentials, thingIds, sessionIds }: CheckedServer): string =>
  [
    `headers = { Authorization = ${show(`Bearer ${accessToken}`)} }`,
    'generation.allow-x00 = false',
    // The header has the token already; another one beside it is refused.
    'generation.with-security-parameters = false',
    dictionary('_id', thingIds),
    dictionary('id', sessionIds),
    dictionary('grant_type', ['password']),
    ...Object.entries(credentials).map(([field, value]) => dictionary(field, [value])),
    forOperations('^/(token|revoke)$', [
      'checks.positive_data_acceptance.expected-statuses = ["2xx", "400", "401", "429"]',
      '[operations.parameters]',
      ...['grant_type', ...Object.keys(credentials)].map((field) => bind(field, 0.8)),
    ]),
    forOperations('^/(webhook/register|register/device|device/register)$', [
      'checks.positive_data_acceptance.expected-statuses = ["2xx", "400"]',
    ]),
    // A stream does not end, and Schemathesis reads answers to their end; the suite judges it.
    forOperations('^/sync/events$', ['enabled = false']),
    forOperations('^/thing/(change|delete)$', ['[operations.parameters]', bind('_id', 0.7)]),
    forOperations('^/session/revoke$', ['[operations.parameters]', bind('id', 0.7)]),
  ].join('\n')

/** A server that is to be judged, and what exists on it. */
interface CheckedServer {
  readonly baseUrl: string
  readonly accessToken: string
  readonly credentials: Readonly<Record<'client_id' | 'client_secret' | 'username' | 'password', string>>
  readonly thingIds: readonly string[]
  /** Sessions beside the one that the access token is of. */
  readonly sessionIds: readonly string[]
  readonly close: () => Promise<void>
}

/** Opens the server on JSON files in a folder, with one user, one app, a session and things. The caller closes it. */
const openCheckedServer = async (folder: string): Promise<CheckedServer> => {
  const log = pino({ level: 'error' }, pino.destination(2))
  const store = await openJsonFileStore({ folder: join(folder, 'data'), form: thingForm, now: systemEnvironment.now })
  const user = { name: 'anna', password: 'correct horse' }
  await addUser(store, user, systemEnvironment)
  const { clientId, clientSecret } = await addApp(store, 'schemathesis', systemEnvironment)
  const settings = {
    host: '127.0.0.1',
    port: 0,
    maxBodyBytes: 33_554_432,
    requestTimeoutSeconds: 60,
    corsOrigins: [],
    // Attempts are limited per address; the judge comes from many.
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
    close: async () => {
      await server.close()
      await store.close()
    },
  }
}

const signIn = async (baseUrl: string, credentials: CheckedServer['credentials']): Promise<string> => {
  const body = new URLSearchParams({ grant_type: 'password', ...credentials })
  const answer = await fetch(`${baseUrl}token`, { method: 'POST', body })
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Some that may be ended; the newest, which lists them, is not among them. */
const addSessions = async (baseUrl: string, credentials: CheckedServer['credentials']): Promise<readonly string[]> => {
  const before = await listSessions(baseUrl, await signIn(baseUrl, credentials))
  for (let i = 0; i < 30; i++) await signIn(baseUrl, credentials)
  const after = await listSessions(baseUrl, await signIn(baseUrl, credentials))
  return after.filter(({ id, current }) => !current && !before.some((one) => one.id === id)).map(({ id }) => id)
}

const listSessions = async (baseUrl: string, token: string): Promise<{ id: string; current: boolean }[]> => {
  const answer = await fetch(`${baseUrl}session/list`, { headers: { authorization: `Bearer ${token}` } })
  return (await answer.json()) as { id: string; current: boolean }[]
}

/** Enough for every case that deletes one. */
const addThings = async (baseUrl: string, token: string): Promise<readonly string[]> => {
  const things = Array.from({ length: 100 }, (_, index) => ({ local_id: index, title: 'A' }))
  const answer = await fetch(`${baseUrl}sync`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ new_thing: things }),
  })
  const { things: given } = (await answer.json()) as { things: { new: Record<string, string> } }
  return Object.values(given.new)
}

/**
 * Lets Schemathesis, which knows nothing of this project, judge a running server by `openapi.yaml` and by `openapi.sdk.yaml` as
 * they are released: signed in, over all operations. `npm run judge:schemathesis [-- --seed N] [DOCUMENT]`. Exits 1 on a 5xx, an
 * undeclared status, an answer of another shape, a request that is refused though it is as the document says, too few
 * cases, or an operation that never succeeded.
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

/** The document for generators leaves methods out on purpose, which the server does not. */
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
    JUDGE_ACCESS_TOKEN: server.accessToken,
    JUDGE_CREDENTIALS: JSON.stringify(server.credentials),
    SCHEMATHESIS_HOOKS: inProject('scripts/schemathesis/hooks.py'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  try {
    // It keeps examples of its own where it runs.
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
