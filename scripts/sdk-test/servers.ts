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

/** A request to a front server; `path` is relative to the base URL and contains the query. */
export type GivenRequest = { method: string; path: string; headers: IncomingMessage['headers']; body: string }

/** The response of the server behind a front server. */
export type PassedResponse = { status: number; body: string }

/** The hooks of a front server. */
type Watch = {
  /** Returns status and sentence of an error, or undefined for a request that the front server forwards unchanged. */
  findError?: (given: GivenRequest) => { status: number; description: string } | undefined
  /** Sees each response before the client does. */
  see?: (given: GivenRequest, response: PassedResponse) => void
}

const sendError = (response: ServerResponse, status: number, description: string): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: 'front_server', error_description: description }))
}

async function pass(target: URL, given: IncomingMessage, response: ServerResponse, watch: Watch): Promise<void> {
  const sent = await buffer(given)
  const path = (given.url ?? '').replace(/^\/v1\//, '')
  const seen = { method: given.method ?? '', path, headers: given.headers, body: sent.toString() }
  const error = watch.findError?.(seen)
  if (error !== undefined) return sendError(response, error.status, error.description)
  const url = new URL(path, target)
  // The front server reads responses, so the server behind must not compress them.
  const { 'accept-encoding': _encoding, ...kept } = given.headers
  const headers: OutgoingHttpHeaders = { ...kept, host: url.host }
  const passed = request(url, { method: given.method, headers, agent: false })
  passed.end(sent)
  const [upstream] = (await once(passed, 'response')) as [IncomingMessage]
  const body = await buffer(upstream)
  const status = upstream.statusCode ?? 500
  watch.see?.(seen, { status, body: body.toString() })
  response.writeHead(status, upstream.headers)
  response.end(body)
}

/** Starts a front server: it forwards requests below `/v1/` to the server at `baseUrl`. `close` stops it. */
export async function openForwardingServer(
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

/** Whether interface 4.3 specifies this parameter of /sync and its spelling. */
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
 * Starts a front server that accepts only forms. It responds with 415 to any other body, and with 400 to a parameter of
 * /sync that interface 4.3 does not specify. So an SDK that passes works with every server of the interface.
 */
export const openFormsOnlyServer = (baseUrl: string) => openForwardingServer(baseUrl, { findError })

/** A server with one user and one app. `close` stops it and removes its data. */
type LiveServer = { baseUrl: string; clientId: string; clientSecret: string; close: () => Promise<void> }

const cli = [process.execPath, '--import', 'tsx', 'src/cli/start.cts'] as const

const runCommand = (args: readonly string[], input = ''): string =>
  execFileSync(cli[0], [...cli.slice(1), ...args], { encoding: 'utf8', input, stdio: ['pipe', 'pipe', 'inherit'] })

/**
 * Starts our server from its sources on a free port, with one user and one app in its data folder. The web app, which
 * would have to be built first, is not served. `prepareData` can change the folder before the start.
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
  const options = ['--port', '0', '--no-first-run', '--no-web', '--ready-file', readyFile, '--log-level', 'warn']
  // The tours and the collections preview a page of the server itself.
  options.push('--link-preview-allow', '127.0.0.1')
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
