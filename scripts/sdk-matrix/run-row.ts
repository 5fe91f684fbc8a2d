import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import * as nodeFiles from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { readFormat, writeFormat } from '../../src/store/disk/directory.ts'
import { asObject, isObject, type JsonObject } from '../json.ts'
import { type GivenRequest, openForwardingServer, openLiveServer, type PassedResponse } from '../sdk-test/servers.ts'
import type { Command, DocumentKind, Row } from './rows.ts'

/** A request of a first script and its response, as they went over the wire. */
export type Exchange = { given: GivenRequest; response: PassedResponse }

const wanted = [
  ['POST token', 'a token by password'],
  ['POST sync', 'an upload of one new thing'],
  ['GET sync', 'a full sync'],
  ['POST sync', 'a change'],
  ['GET sync', 'an incremental sync'],
  ['POST sync', 'a deletion'],
  ['GET sync', 'an incremental sync with the deletion'],
  ['POST token', 'a refresh'],
  ['GET sync', 'an incremental sync with the new token'],
] as const

/** For each step with `from`: the earlier step whose position it must send, by their numbers. */
const follows: readonly (readonly [step: number, earlier: number])[] = [
  [3, 2],
  [4, 2],
  [5, 4],
  [6, 4],
  [8, 6],
]

const nameCall = ({ given }: Exchange): string => `${given.method} ${given.path.split('?')[0]}`

/** Finds the spelling of a number on the wire: in the query, a form or a JSON body. */
function findSpelling({ path, headers, body }: GivenRequest, name: string): string | undefined {
  const query = new URL(path, 'http://localhost/').searchParams.get(name)
  if (query !== null) return query
  if (!headers['content-type']?.startsWith('application/json')) return new URLSearchParams(body).get(name) ?? undefined
  return new RegExp(`"${name}"\\s*:\\s*([^,}\\s]+)`).exec(body)?.[1]
}

const readResponse = (exchange: Exchange | undefined): JsonObject =>
  exchange === undefined ? {} : asObject(JSON.parse(exchange.response.body), 'a response')

function checkSteps(exchanges: readonly Exchange[]): string[] {
  for (const [index, [call, name]] of wanted.entries()) {
    const exchange = exchanges[index]
    if (exchange === undefined) return [`the script ended before ${name}`]
    if (nameCall(exchange) !== call) return [`instead of ${name} came ${nameCall(exchange)}`]
    const { status, body } = exchange.response
    if (status !== 200) return [`${name} got the status ${status} ${body.slice(0, 200)}`]
  }
  return exchanges.length > wanted.length ? [`the script sent ${exchanges.length} requests`] : []
}

/** Checks the positions that the script sent, in the steps that it reached. Returns one sentence for each mistake. */
export function checkPositions(exchanges: readonly Exchange[]): string[] {
  return follows.flatMap(([step, earlier]) => {
    const exchange = exchanges[step]
    if (exchange === undefined || nameCall(exchange) !== wanted[step]?.[0]) return []
    const { pos } = readResponse(exchanges[earlier])
    if (typeof pos !== 'number') return []
    const position = String(pos)
    const sent = findSpelling(exchange.given, 'from')
    return sent === position ? [] : [`the position ${position} was sent back as ${sent} in ${wanted[step]?.[1]}`]
  })
}

function checkRefresh([first, , , , , , , refresh, last]: readonly Exchange[]): string[] {
  const token = readResponse(first).request_token
  const sent = new URLSearchParams(refresh?.given.body).get('refresh_token')
  const used = last?.given.headers.authorization?.endsWith(String(readResponse(refresh).access_token))
  return [
    ...(sent === token ? [] : ['the refresh did not send the request_token that was given']),
    ...(used ? [] : ['the new token was not used']),
  ]
}

/** Returns the lines that a first script must print, from the values of the responses. */
function expectLines(exchanges: readonly Exchange[]): string[] {
  const things = readResponse(exchanges[1]).things
  const ids = isObject(things) && isObject(things.new) ? things.new : {}
  const last = readResponse(exchanges.at(-1)).pos
  return [`created ${ids.n1}`, 'listed Buy milk 🥛', 'changed Buy oat milk', `deleted ${ids.n1}`, `position ${last}`]
}

/** Checks the run of a first script by its requests and its output. Returns one sentence for each mistake. */
export function checkRun(exchanges: readonly Exchange[], printed: string): string[] {
  const wrong = checkSteps(exchanges)
  if (wrong.length > 0) return wrong
  const lines = printed.split('\n').map((line) => line.trimEnd())
  const unread = expectLines(exchanges).filter((line) => !lines.includes(line))
  return [
    ...checkPositions(exchanges),
    ...checkRefresh(exchanges),
    ...unread.map((line) => `the script did not read "${line}"`),
  ]
}

/** Finds the lowest position in the responses; undefined when they have none. */
export function findLowestPosition(exchanges: readonly Exchange[]): number | undefined {
  const given = exchanges
    .filter(({ response }) => response.status === 200)
    .map((exchange) => readResponse(exchange).pos)
  const positions = given.filter((position) => typeof position === 'number')
  return positions.length === 0 ? undefined : Math.min(...positions)
}

/** Returns the work folder of a name, outside the project: `~/.cache/thingsync/sdk-matrix/<name>`. */
const workFolder = (name: string): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'thingsync', 'sdk-matrix', name)

/** The result of a command: whether it succeeded, its standard output and its standard error. */
type CommandResult = { succeeded: boolean; output: string; errors: string }

const maxMinutes = 20

/** Runs a command to its end, in a folder. Programs of the folder's `node_modules` take precedence. */
async function runCommand(
  [program = '', ...args]: Command,
  folder: string,
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const path = `${folder}/node_modules/.bin:${process.env.PATH ?? ''}`
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, PATH: path, PWD: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Not `timeout`, whose timer keeps running when the program does not exist.
    signal: AbortSignal.timeout(maxMinutes * 60_000),
  })
  const outputs = Promise.all([text(child.stdout), text(child.stderr)])
  try {
    const [code] = await once(child, 'close')
    const [output, errors] = await outputs
    return { succeeded: code === 0, output, errors }
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    const failed = { succeeded: false, output: '' }
    if (error.code === 'ENOENT') return { ...failed, errors: `${program} is not on this machine` }
    if (error.code === 'ABORT_ERR') return { ...failed, errors: `${program} took more than ${maxMinutes} minutes` }
    throw error
  }
}

/** A live server, the credentials for a first script, and the position above which all its positions lie. */
type MatrixServer = { baseUrl: string; credentials: Readonly<Record<string, string>>; above: number }

/** Two servers: on `usual` positions begin at 0, on `raised` above the integers that a 32-bit float can hold. */
export type MatrixServers = { usual: MatrixServer; raised: MatrixServer; close: () => Promise<void> }

const user = { username: 'anna', password: 'correct horse battery' }
const highPosition = 300_000_000

/** Starts both servers for all rows, which can share them: a first script deletes what it creates. */
export async function openMatrixServers(): Promise<MatrixServers> {
  const usual = await openLiveServer(user)
  const raised = await openLiveServer(user, (data) => raisePositions(data, highPosition))
  const describe = ({ baseUrl, clientId, clientSecret }: typeof usual, above: number): MatrixServer => ({
    baseUrl,
    above,
    credentials: {
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      USERNAME: user.username,
      PASSWORD: user.password,
    },
  })
  return {
    usual: describe(usual, 0),
    raised: describe(raised, highPosition),
    async close() {
      await usual.close()
      await raised.close()
    },
  }
}

/** Raises the positions of all accounts in a data folder that no server has open, as a restored backup does. */
async function raisePositions(folder: string, by: number): Promise<void> {
  const format = await readFormat(folder, nodeFiles)
  if (format === null) throw new Error(`${folder} has no format.json`)
  await writeFormat(folder, nodeFiles, { ...format, raises: [{ write: 1, by }] })
}

const looksLikeError = /error|exception|failed|panic|cannot|undefined|not found/i
const maxReasonLength = 240

/**
 * Explains in one line why a command failed: with the row's known reason for the output, else with the first line that
 * looks like an error.
 */
export function explainFailure(
  { reasons = [] }: Pick<Row, 'reasons'>,
  { output, errors }: CommandResult,
): string | undefined {
  const printed = `${errors}\n${output}`
  const known = reasons.find((reason) => reason.printed.test(printed))
  if (known !== undefined) return known.because
  const lines = printed
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^npm (warn|notice)/i.test(line))
  return (lines.find((line) => looksLikeError.test(line)) ?? lines[0])?.slice(0, maxReasonLength)
}

/** The step that a row reached with one document; `why` says in one line what stopped it. */
export type Outcome = { reached: 'nothing' | 'generated' | 'compiled' | 'first script' | 'everything'; why?: string }

function respell(path: string, spelled: Readonly<Record<string, string>>): void {
  const text = readFileSync(path, 'utf8')
  for (const usual of Object.keys(spelled)) if (!text.includes(usual)) throw new Error(`${path} has no "${usual}"`)
  writeFileSync(
    path,
    Object.entries(spelled).reduce((all, [usual, onWire]) => all.replaceAll(usual, onWire), text),
  )
}

function prepareFolder(row: Row, kind: DocumentKind): string {
  const folder = workFolder(`${row.name}-${kind}`)
  const keep = row.keep ?? []
  if (existsSync(folder)) {
    for (const name of readdirSync(folder)) {
      if (!keep.includes(name)) rmSync(join(folder, name), { recursive: true })
    }
  }
  mkdirSync(folder, { recursive: true })
  if (row.run !== undefined) cpSync(join('sdk/first-scripts', row.name), folder, { recursive: true })
  if (kind === 'wire' && row.onWire !== undefined) respell(join(folder, row.onWire.script), row.onWire.spelled)
  return folder
}

async function findMissing(needs: Row['needs'], folder: string): Promise<string | undefined> {
  for (const { program, version, install } of needs) {
    if (!(await runCommand([program, ...version], folder)).succeeded) return `needs ${program} (${install})`
  }
  return undefined
}

/** Runs commands until one fails, and returns the result of the failed command. */
async function runAll(commands: readonly Command[], folder: string): Promise<CommandResult | undefined> {
  for (const command of commands) {
    const ran = await runCommand(command, folder)
    if (!ran.succeeded) return ran
  }
  return undefined
}

async function runScript(row: Row, folder: string, server: MatrixServer): Promise<string | undefined> {
  if (row.run === undefined) return 'there is no first script yet'
  const exchanges: Exchange[] = []
  const front = await openForwardingServer(server.baseUrl, {
    see: (given, response) => exchanges.push({ given, response }),
  })
  try {
    const baseUrl = front.baseUrl.replace(/\/$/, '')
    const ran = await runCommand(row.run, folder, { ...server.credentials, BASE_URL: baseUrl })
    const lowest = findLowestPosition(exchanges)
    if (lowest !== undefined && lowest < server.above)
      throw new Error(`the server gave ${lowest}, below ${server.above}`)
    // A wrong position is the cause of the later errors, so it is the reason to report.
    const lost = checkPositions(exchanges)
    if (lost.length > 0) return lost.join('; ')
    const wrong = checkRun(exchanges, ran.output)
    if (!ran.succeeded) return explainFailure(row, ran) ?? wrong[0] ?? 'the script failed in silence'
    return wrong.length > 0 ? wrong.join('; ') : undefined
  } finally {
    await front.close()
  }
}

/** Generates, compiles and runs one row with one document, until something fails. */
export async function runRow(row: Row, kind: DocumentKind, document: string, servers: MatrixServers): Promise<Outcome> {
  const folder = prepareFolder(row, kind)
  const cannotGenerate = await findMissing(row.generateNeeds ?? [], folder)
  if (cannotGenerate !== undefined) return { reached: 'nothing', why: cannotGenerate }
  const notGenerated = await runAll(row.generate(resolve(document)), folder)
  if (notGenerated !== undefined) return { reached: 'nothing', why: explainFailure(row, notGenerated) ?? 'failed' }
  const cannotBuild = await findMissing(row.needs, folder)
  if (cannotBuild !== undefined) return { reached: 'generated', why: cannotBuild }
  const notBuilt = await runAll(row.build, folder)
  if (notBuilt !== undefined) return { reached: 'generated', why: explainFailure(row, notBuilt) ?? 'failed' }
  const failed = await runScript(row, folder, servers.usual)
  if (failed !== undefined) return { reached: 'compiled', why: failed }
  const failedHigh = await runScript(row, folder, servers.raised)
  return failedHigh === undefined ? { reached: 'everything' } : { reached: 'first script', why: failedHigh }
}

/** Returns a digest of the inputs of an outcome: the document, the row and its first script, byte for byte. */
function identify(row: Row, document: string): string {
  const hash = createHash('sha256').update(readFileSync(document))
  hash.update(JSON.stringify({ ...row, generate: row.generate('document') }))
  if (row.run === undefined) return hash.digest('hex')
  const folder = join('sdk/first-scripts', row.name)
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  for (const path of files.map((entry) => join(entry.parentPath, entry.name)).sort()) hash.update(readFileSync(path))
  return hash.digest('hex')
}

// The name contains the digest of the inputs, so that a run with another document overwrites nothing.
const findFile = (row: Row, kind: DocumentKind, document: string): string =>
  workFolder(join('outcomes', `${row.name}-${kind}-${identify(row, document).slice(0, 16)}.json`))

/** Stores the outcome of a row, so that later runs can omit the row. */
export function storeOutcome(row: Row, kind: DocumentKind, document: string, outcome: Outcome): void {
  const path = findFile(row, kind, document)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(outcome))
}

/** Finds the stored outcome of a row with exactly this document and script; undefined when there is none. */
export function findOutcome(row: Row, kind: DocumentKind, document: string): Outcome | undefined {
  const path = findFile(row, kind, document)
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

/** The outcomes of a row, one for each document. */
export type Result = { row: Row; outcomes: Readonly<Record<DocumentKind, Outcome>> }

const page = 'contributing/sdk-generation.md'
const begin = '<!-- matrix: written by npm run sdk:matrix -->'
const end = '<!-- end of matrix -->'

const words: Readonly<Record<Outcome['reached'], string>> = {
  everything: 'yes',
  'first script': 'not at high positions',
  compiled: 'compiles',
  generated: 'generates',
  nothing: 'no',
}
const names: Readonly<Record<DocumentKind, string>> = { sdk: 'SDK document', wire: 'wire document' }

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

function explainOutcomes({ sdk, wire }: Result['outcomes']): string {
  if (sdk.why === wire.why) return sdk.why ?? ''
  return [
    sdk.why === undefined ? '' : `${names.sdk}: ${sdk.why}`,
    wire.why === undefined ? '' : `${names.wire}: ${wire.why}`,
  ]
    .filter((text) => text !== '')
    .join('; ')
}

const count = (results: readonly Result[], kind: DocumentKind): number =>
  results.filter(({ outcomes }) => outcomes[kind].reached === 'everything').length

/** Renders the table of results, with a row for each generator, and a sentence with the totals. */
export function renderTable(results: readonly Result[]): string {
  const rows = results.map(({ row, outcomes }) =>
    line([
      row.run === undefined ? row.generator : `[${row.generator}](../sdk/first-scripts/${row.name})`,
      row.version,
      row.language,
      words[outcomes.sdk.reached],
      words[outcomes.wire.reached],
      escapeCell(explainOutcomes(outcomes)),
    ]),
  )
  return [
    line(['generator', 'version', 'language', names.sdk, names.wire, 'why not']),
    line(['---', '---', '---', '---', '---', '---']),
    ...rows,
    '',
    `Of ${results.length} generators ${count(results, 'sdk')} run the whole script from the SDK document and ${count(results, 'wire')} from the wire document.`,
  ].join('\n')
}

/** Returns the text of the page with the table between its marks. @throws Error when the page has no marks */
export function putTable(text: string, table: string): string {
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from) throw new Error(`${page} has no marks for the matrix (${begin} … ${end})`)
  return `${text.slice(0, from)}${begin}\n\n${table}\n\n${text.slice(to)}`
}

/** Writes the table into `contributing/sdk-generation.md`. */
export function writeTable(results: readonly Result[]): void {
  writeFileSync(page, putTable(readFileSync(page, 'utf8'), renderTable(results)))
}
