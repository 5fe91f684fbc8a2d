import { once } from 'node:events'
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { isObject } from '../json.ts'

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

const refuse = (response: ServerResponse, status: number, description: string): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: 'forms_only', error_description: description }))
}

async function pass(target: URL, given: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(given)
  const type = given.headers['content-type']?.split(';')[0]
  const hasBody = given.method === 'POST'
  if (hasBody && type !== form) return refuse(response, 415, `${type} is no form`)
  const url = new URL((given.url ?? '').replace(/^\/v1\//, ''), target)
  const foreign = url.pathname.endsWith('/sync')
    ? [...url.searchParams, ...new URLSearchParams(body.toString())].find((field) => !isPublished(field))
    : undefined
  if (foreign !== undefined) return refuse(response, 400, `${foreign.join('=')} is not a form of interface 4.3`)
  const headers: OutgoingHttpHeaders = { ...given.headers, host: url.host }
  const passed = request(url, { method: given.method, headers, agent: false })
  passed.end(body)
  const [answer] = (await once(passed, 'response')) as [IncomingMessage]
  response.writeHead(answer.statusCode ?? 500, answer.headers)
  answer.pipe(response)
}

/**
 * A server that takes forms only, before ours: any other body is refused with 415, and in /sync every parameter that is not a
 * published form (interface 4.3) with 400, so that an SDK that passes speaks to every server of the interface.
 */
export async function openFormsOnlyServer(baseUrl: string): Promise<{ baseUrl: string; close: () => Promise<void> }> {
  const server = createServer((given, response) => {
    pass(new URL(baseUrl), given, response).catch((error: Error) => refuse(response, 500, error.message))
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
