import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { document } from '../../generated/document.ts'
import { findFreePort } from '../free-port.ts'

const listen = async (response: RequestListener): Promise<number> => {
  const server = createServer(response).listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.close()
  })
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** Starts a program of this folder and waits until it listens; `lines` grows. */
const start = async (args: readonly string[]): Promise<{ child: ChildProcess; lines: string[] }> => {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const lines: string[] = []
  await new Promise<void>((resolve, reject) => {
    child.once('close', () => reject(new Error(lines.join('\n'))))
    createInterface({ input: child.stdout }).on('line', (line) => {
      lines.push(line)
      if (line.includes('listening on')) resolve()
    })
  })
  return { child, lines }
}

test('the proxy shows responses that break the document and nothing of the requests, and ends with 1', async () => {
  const wrong = JSON.stringify({ pos: '12' })
  const port = await listen((_request, response) => response.setHeader('content-type', 'application/json').end(wrong))
  // Prism takes no port 0.
  const own = String(await findFreePort())
  const upstream = `http://127.0.0.1:${port}/v1/`
  const { child, lines } = await start(['--import', 'tsx', 'scripts/prism/proxy.ts', upstream, '--port', own])

  const body = new URLSearchParams({ access_token: 'x', 'new_thing[]': '{"local_id":"1","title":"Milk"}' })
  const response = await fetch(`http://127.0.0.1:${own}/sync`, { method: 'POST', body })
  child.kill('SIGTERM')
  const [code] = await once(child, 'close')

  expect(await response.json()).toEqual({ pos: '12' })
  expect(lines).toEqual([
    `listening on http://127.0.0.1:${own}`,
    '/sync 200',
    '  BREAKS THE DOCUMENT body.pos: Response body property pos must be integer',
    '1 responses, 1 violations of openapi.yaml',
  ])
  expect(code).toBe(1)
})

test("the mock responds to every operation with the document's first example", async () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const [, ...args] = String(scripts.mock).split(' ')
  const port = String(await findFreePort())
  await start(['node_modules/@stoplight/prism-cli/dist/index.js', ...args, '--port', port])

  const paths = document.paths as unknown as Record<string, Record<string, Operation>>
  const examples = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, ...findExamples(operation) })),
  )
  const received = await Promise.all(
    examples.map(async ({ method, path, query, request }) => {
      const body = request === undefined ? null : JSON.stringify(request.value)
      const headers = { authorization: 'Bearer any', 'content-type': request?.type ?? 'application/json' }
      const form = request?.type.includes('form') ? new URLSearchParams(Object.entries(request.value)) : body
      const response = await fetch(`http://127.0.0.1:${port}${path}?${query}`, { method, headers, body: form })
      const isJson = response.headers.get('content-type')?.startsWith('application/json')
      return [response.status, isJson ? await response.json() : await response.text()]
    }),
  )

  expect(received).toHaveLength(25)
  expect(received).toEqual(examples.map(({ response }) => [200, response]))
})

interface Operation {
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Record<string, { readonly content: Content }>
}
interface Parameter {
  readonly name: string
  readonly required?: boolean
  readonly example?: string
}
type Content = Record<string, { readonly examples?: Record<string, { readonly value: Record<string, string> }> }>

const findExamples = ({ parameters = [], requestBody, responses }: Operation) => {
  const content = requestBody?.content ?? {}
  const success = responses['200']?.content ?? {}
  const type = 'application/json' in content ? 'application/json' : 'application/x-www-form-urlencoded'
  const value = firstExample(content, type)
  return {
    query: new URLSearchParams(listRequired(parameters)),
    request: value === undefined ? undefined : { type, value },
    response: firstExample(success, Object.keys(success)[0] ?? ''),
  }
}

/** Returns names and examples of the required parameters. */
const listRequired = (parameters: readonly (Parameter | { readonly $ref: string })[]): string[][] => {
  const shared = document.components?.parameters as unknown as Record<string, Parameter>
  const resolved = parameters.map((one) => ('$ref' in one ? shared[one.$ref.split('/').at(-1) ?? ''] : one))
  return resolved.flatMap((one) => (one?.required === true ? [[one.name, one.example ?? '']] : []))
}

const firstExample = (content: Content, type: string) => Object.values(content[type]?.examples ?? {})[0]?.value
