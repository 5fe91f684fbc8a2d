import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import { isObject, type JsonObject } from '../json.ts'

/** One call of the scenario and the expected response; `about` in `sdk/scenario.json` explains the fields. */
type Step = {
  name: string
  call: string
  with?: JsonObject
  token?: string
  present?: 'pair' | 'query' | 'body'
  expect?: Record<string, unknown>
  absent?: string[]
  size?: Record<string, number>
  error?: JsonObject
  keep?: Record<string, string>
  pages?: { limit: number; things: number }
}

/** The whole scenario, with the user that the server must have. */
type Scenario = { user: { username: string; password: string }; steps: Step[] }

/** Reads `sdk/scenario.json`. */
export const readScenario = (): Scenario => JSON.parse(readFileSync('sdk/scenario.json', 'utf8'))

/** Finds the value at a JSON pointer (RFC 6901); undefined when there is none. */
export function findAt(value: unknown, pointer: string): unknown {
  let at = value
  for (const part of pointer.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) at = at[Number(name)]
    else at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined
  }
  return at
}

function repeatItem({ repeat, item }: JsonObject, kept: ReadonlyMap<string, unknown>): unknown[] {
  const text = JSON.stringify(fillIn(item, kept))
  return Array.from({ length: Number(repeat) }, (_, index) => JSON.parse(text.replaceAll('{n}', String(index + 1))))
}

/** Replaces every `$name` in a value by its kept value and expands every `repeat`. @throws Error for an unknown name */
export function fillIn(value: unknown, kept: ReadonlyMap<string, unknown>): unknown {
  if (Array.isArray(value)) {
    return value.flatMap((item) => (isObject(item) && 'repeat' in item ? repeatItem(item, kept) : [fillIn(item, kept)]))
  }
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fillIn(item, kept)]))
  if (typeof value !== 'string' || !value.startsWith('$')) return value
  if (!kept.has(value.slice(1))) throw new Error(`sdk/scenario.json: nothing was kept as ${value}`)
  return kept.get(value.slice(1))
}

/**
 * The response as the SDK returns it: a value, an error of the server, or a failure of the SDK. `kind` says which
 * failure an SDK reports by an exception of its own: no whole response, or a response that it cannot decode.
 */
export type SdkResponse =
  | { value: unknown }
  | { status: number; error: unknown }
  | { failure: string; kind?: 'network' | 'unexpected_response' }

const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 300)
const countMembers = (value: unknown): number =>
  Array.isArray(value) ? value.length : isObject(value) ? Object.keys(value).length : 0

function checkError(error: object, response: SdkResponse): string[] {
  if (!('status' in response)) return [`expected the error ${show(error)}, got ${show(response)}`]
  const given = { status: response.status, ...(isObject(response.error) ? response.error : {}) }
  return Object.entries(error)
    .filter(([name, value]) => findAt(given, `/${name}`) !== value)
    .map(([name, value]) => `${name}: expected ${show(value)}, got ${show(findAt(given, `/${name}`))}`)
}

/** Checks the response to a step whose `$names` are filled in. Returns one sentence for each mistake. */
export function checkResponse(step: Step, response: SdkResponse): string[] {
  if (step.error !== undefined) return checkError(step.error, response)
  if (!('value' in response)) return [`got ${show(response)}`]
  const wrong = Object.entries(step.expect ?? {})
    .filter(([pointer, wanted]) => !isDeepStrictEqual(findAt(response.value, pointer), wanted))
    .map(([pointer, wanted]) => `${pointer}: expected ${show(wanted)}, got ${show(findAt(response.value, pointer))}`)
  const present = (step.absent ?? [])
    .filter((pointer) => findAt(response.value, pointer) !== undefined)
    .map((pointer) => `${pointer}: expected nothing, got ${show(findAt(response.value, pointer))}`)
  const miscounted = Object.entries(step.size ?? {})
    .filter(([pointer, size]) => countMembers(findAt(response.value, pointer)) !== size)
    .map(
      ([pointer, size]) => `${pointer}: expected ${size} members, got ${countMembers(findAt(response.value, pointer))}`,
    )
  const missing = Object.values(step.keep ?? {})
    .filter((pointer) => findAt(response.value, pointer) === undefined)
    .map((pointer) => `${pointer}: is missing`)
  return [...wrong, ...present, ...miscounted, ...missing]
}

/** Checks the pages of a listing: each thing must be on exactly one page, and all pages must have the same position. */
export function checkPages(things: number, pages: readonly SdkResponse[]): string[] {
  const values = pages.map((page) => ('value' in page ? page.value : undefined))
  if (values.includes(undefined)) return [`a page is ${show(pages.find((page) => !('value' in page)))}`]
  const ids = values.flatMap((value) => {
    const changed = findAt(value, '/things/changed')
    return Array.isArray(changed) ? changed.map((thing) => findAt(thing, '/_id')) : []
  })
  const positions = new Set(values.map((value) => findAt(value, '/pos')))
  const found = `${ids.length} things, ${new Set(ids).size} of them different, at ${positions.size} positions`
  return ids.length === things && new Set(ids).size === things && positions.size === 1 ? [] : [`pages give ${found}`]
}

/** A call to the runner of an SDK, which receives it as one line of JSON. */
type Call = { call: string; with: JsonObject; token?: string; wire: { bodies: string; token: string } }

/** The result of one step: one sentence for each mistake. */
export type StepResult = { name: string; wrong: string[] }

const findTotal = (response: SdkResponse): number =>
  'value' in response ? Number(findAt(response.value, '/thingCount') ?? 0) : 0

async function readPages(step: Step, call: Call, send: (call: Call) => Promise<SdkResponse>): Promise<SdkResponse[]> {
  const limit = step.pages?.limit ?? 0
  const pages: SdkResponse[] = []
  let skip = 0
  do {
    pages.push(await send({ ...call, with: { ...call.with, skip, limit } }))
    skip += limit
  } while (pages[0] !== undefined && skip < findTotal(pages[0]))
  return pages
}

/** Runs the scenario through an SDK and checks every response. `known`: the values of `$name` at the start. */
export async function runScenario(
  scenario: Scenario,
  known: Readonly<Record<string, string>>,
  bodies: 'form' | 'json',
  send: (call: Call) => Promise<SdkResponse>,
): Promise<StepResult[]> {
  const kept = new Map<string, unknown>(Object.entries({ ...scenario.user, ...known }))
  const results: StepResult[] = []
  for (const given of scenario.steps) {
    const { keep = {}, ...rest } = given
    const step = { ...(fillIn(rest, kept) as Step), keep }
    const call: Call = {
      call: step.call,
      with: step.with ?? {},
      ...(step.token === undefined ? {} : { token: step.token }),
      wire: { bodies, token: step.present ?? 'bearer' },
    }
    if (step.pages !== undefined) {
      results.push({ name: step.name, wrong: checkPages(step.pages.things, await readPages(step, call, send)) })
      continue
    }
    const response = await send(call)
    const wrong = checkResponse(step, response)
    results.push({ name: step.name, wrong })
    for (const [name, pointer] of Object.entries(keep))
      kept.set(name, 'value' in response ? findAt(response.value, pointer) : '')
  }
  return results
}

/** The runner of an SDK: a process that makes calls to a server. `close` ends it. */
type Runner = { send: (call: Call, baseUrl: string) => Promise<SdkResponse>; close: () => Promise<void> }

/** Splits a stream at line feeds; Node's readline also splits at U+2028, which JSON may contain. */
async function* splitLines(stream: Readable): AsyncGenerator<string, undefined> {
  let rest = ''
  for await (const text of stream.setEncoding('utf8')) {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
  return undefined
}

/** Starts the runner of an SDK. The runner inherits our standard error. */
export function openRunner(command: readonly string[], folder: string): Runner {
  const [program = '', ...args] = command
  const child = spawn(program, args, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'close')
  const lines = splitLines(child.stdout)
  return {
    async send(call, baseUrl) {
      const line = JSON.stringify({ ...call, base_url: baseUrl.replace(/\/$/, '') })
      // Some readers of lines break here too: Node's readline, and splitlines of Python.
      child.stdin.write(`${line.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`)
      const response = await lines.next()
      if (response.done) {
        const [code, signal] = await ended
        throw new Error(
          `${command.join(' ')} ended with ${signal ?? `exit code ${code}`} in the middle of ${call.call}`,
        )
      }
      return JSON.parse(response.value)
    },
    async close() {
      child.stdin.end()
      await ended
    },
  }
}
