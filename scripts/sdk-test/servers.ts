import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { isObject } from '../json.ts'

/** A request on its way to the server behind: its path below the base address, with the query. */
export type GivenRequest = { method: string; path: string; headers: IncomingMessage['headers']; body: string }

/** What came back for a request that was passed on. */
export type PassedResponse = { status: number; body: string }

/** What a front server does with what passes. */
type Watch = {
  /** A status and a sentence for a request that is refused here; nothing for one that is passed on unchanged. */
  judge?: (given: GivenRequest) => { status: number; description: string } | undefined
  /** Told of each answer before the client has it. */
  see?: (given: GivenRequest, answer: PassedResponse) => void
}

const sendError = (response: ServerResponse, status: number, description: string): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: 'front_server', error_description: description }))
}

async function pass(target: URL, given: IncomingMessage, response: ServerResponse, watch: Watch): Promise<void> {
  const sent = await buffer(given)
  const path = (given.url ?? '').replace(/^\/v1\//, '')
  const seen = { method: given.method ?? '', path, headers: given.headers, body: sent.toString() }
  const refusal = watch.judge?.(seen)
  if (refusal !== undefined) return sendError(response, refusal.status, refusal.description)
  const url = new URL(path, target)
  // Answers are read here: nothing is to be compressed.
  const { 'accept-encoding': _encoding, ...kept } = given.headers
  const headers: OutgoingHttpHeaders = { ...kept, host: url.host }
  const passed = request(url, { method: given.method, headers, agent: false })
  passed.end(sent)
  const [answer] = (await once(passed, 'response')) as [IncomingMessage]
  const body = await buffer(answer)
  const status = answer.statusCode ?? 500
  watch.see?.(seen, { status, body: body.toString() })
  response.writeHead(status, answer.headers)
  response.end(body)
}

/** Starts a server that passes requests on to the one at `baseUrl`, below `/v1/`, and answers back; `close` stops it. */
export async function openFrontServer(
  baseUrl: string,
  watch: Watch,
): Promise<{ baseUrl: string; close: () => Promise<void> }> {
  const server = createServer((given, response) => {
    pass(new URL(baseUrl), given, response, watch).catch((error: Error) => sendError(response, 502, error.message))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const form = 'application/x-www-form-urlencoded'
const numbers = new Set(['from', 'skip', 'limit'])
const decimal = /^\d+(\.\d+)?$/
const ids = /^(deleted_thing|skip_id)(\[\])?$/
const things = /^(new_thing|changed_thing)(\[\])?$/
const tag = /^tag\[.*\]$/s

const isJson = (text: string, test: (value: unknown) => boolean): boolean => {
  try {
    return test(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}

/** Whether a parameter of /sync is one that interface 4.3 gives, spelled as it says. */
const isPublished = ([name, value]: [string, string]): boolean =>
  name === 'access_token' ||
  (numbers.has(name) && decimal.test(value)) ||
  ids.test(name) ||
  (things.test(name) && isJson(value, (item) => isObject(item) || (Array.isArray(item) && item.every(isObject)))) ||
  (tag.test(name) && isJson(value, isObject))

const findError = ({ method, path, headers, body }: GivenRequest) => {
  const type = headers['content-type']?.split(';')[0]
  if (method === 'POST' && type !== form) return { status: 415, description: `${type} is no form` }
  const { pathname, searchParams } = new URL(path, 'http://localhost/')
  const foreign =
    pathname === '/sync'
      ? [...searchParams, ...new URLSearchParams(body)].find((field) => !isPublished(field))
      : undefined
  return foreign && { status: 400, description: `${foreign.join('=')} is not a form of interface 4.3` }
}

/**
 * A server that takes forms only, before ours: any other body is refused with 415, and in /sync every parameter that is not a
 * published form (interface 4.3) with 400, so that an SDK that passes speaks to every server of the interface.
 */
export const openFormsOnlyServer = (baseUrl: string) => openFrontServer(baseUrl, { judge: findError })

/** A server with one user and one app; `close` stops it and removes its data. */
type LiveServer = { baseUrl: string; clientId: string; clientSecret: string; close: () => Promise<void> }

const cli = [process.execPath, '--import', 'tsx', 'src/cli/main.ts'] as const

const runCommand = (args: readonly string[], input = ''): string =>
  execFileSync(cli[0], [...cli.slice(1), ...args], { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'inherit'] })

/**
 * Starts our server from its sources on a free port, with a data folder that has one user and an app; `prepareData` may
 * change the folder before.
 */
export async function openLiveServer(
  user: { username: string; password: string },
  prepareData: (folder: string) => Promise<void> = async () => {},
): Promise<LiveServer> {
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-sdk-test-'))
  const readyFile = join(folder, 'ready.json')
  const data = ['--data', join(folder, 'data')]
  runCommand(['user', 'add', user.username, '--password-stdin', ...data], `${user.password}\n`)
  const app = JSON.parse(runCommand(['app', 'add', 'sdk', '--format', 'json', ...data]))
  await prepareData(join(folder, 'data'))
  const options = ['--port', '0', '--no-first-run', '--ready-file', readyFile, '--log-level', 'warn']
  const child = spawn(cli[0], [...cli.slice(1), 'serve', ...data, ...options], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = once(child, 'close')
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error('the server did not start')
    await sleep(20)
  }
  const { base_url: baseUrl } = JSON.parse(readFileSync(readyFile, 'utf8'))
  return {
    baseUrl,
    clientId: app.client_id,
    clientSecret: app.client_secret,
    async close() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true })
    },
  }
}
