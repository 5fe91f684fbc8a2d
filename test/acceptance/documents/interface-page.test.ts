import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { fieldNames } from '../../../src/thing-table.ts'
import { createResponseCheck } from '../../support/check-response.ts'
import { openTestServer } from '../../support/open-test-server.ts'

const page = await readFile(new URL('../../../docs/reference/protocol.md', import.meta.url), 'utf8')
// A request, and the block with its response behind it.
const examples = [...page.matchAll(/^```http\n([\s\S]*?)^```\n\n```json ?(\d*)\n([\s\S]*?)^```$/gm)].map(
  ([, request = '', status, expected = '']) => ({ request, status: Number(status || 200), expected }),
)

type Names = Map<string, string>

const fill = (text: string, names: Names): string =>
  text.replace(/\{(\w+)\}/g, (word, name: string) => names.get(name) ?? word)

/** Sends a request as the page shows it: a line, headers, and a form: raw when it says its type, else one parameter a line. */
const send = async (origin: string, request: string, names: Names) => {
  const [head = '', ...parameters] = fill(request, names).trim().split('\n\n')
  const [line = '', ...headers] = head.split('\n')
  const [method = '', target = ''] = line.split(' ')
  const form = parameters.join('\n').split('\n').filter(Boolean)
  const isRaw = headers.some((header) => header.startsWith('Content-Type: '))
  const response = await fetch(new URL(target, origin), {
    method,
    headers: headers.map((header): [string, string] => [header.split(': ')[0] ?? '', header.split(': ')[1] ?? '']),
    ...(method === 'POST' && { body: isRaw ? form.join() : new URLSearchParams(form.map((one) => splitOnce(one))) }),
  })
  return { method, path: new URL(target, origin).pathname.slice('/v1'.length), response }
}

const splitOnce = (parameter: string): [string, string] => {
  const at = parameter.indexOf('=')
  return [parameter.slice(0, at), parameter.slice(at + 1)]
}

/** Learns what the server gave for words in braces that were not known yet. */
const learn = (promised: unknown, given: unknown, names: Names): void => {
  if (typeof promised === 'string') {
    const name = promised.match(/^\{(\w+)\}$/)?.[1]
    if (name !== undefined && !names.has(name)) names.set(name, String(given))
  } else if (typeof promised === 'object' && promised !== null && typeof given === 'object' && given !== null) {
    for (const [key, value] of Object.entries(promised)) learn(value, Reflect.get(given, key), names)
  }
}

test('the examples of the specification, sent in its order, get the responses that it shows', async () => {
  const server = await openTestServer()
  const check = await createResponseCheck()
  const names: Names = new Map([
    ['client_id', server.clientId],
    ['client_secret', server.clientSecret],
    ['username', 'anna'],
    ['password', 'correct horse'],
    ['token', await server.signIn()],
    ['laptop', await server.signIn()],
  ])

  for (const { request, status, expected } of examples) {
    const { method, path, response } = await send(server.baseUrl, request, names)
    const body: unknown = await response.json()
    const promised = JSON.parse(expected)
    learn(promised, body, names)

    expect([request, response.status, body]).toEqual([request, status, JSON.parse(fill(expected, names))])
    check(method, path, response.status, body)
  }
  expect(examples.length).toBeGreaterThan(18)
})

test('what the page calls an extension is in the document', async () => {
  const document = await readFile(new URL('../../../openapi.yaml', import.meta.url), 'utf8')
  const named = page.match(/\*\*Extensions\.\*\*[\s\S]*?this project has\s([\s\S]*?)\sand\s+the\s+parameter/)?.[1] ?? ''
  const extensions = [...named.matchAll(/`([a-z/]+)`/g)].map(([, name]) => name ?? '')

  expect(
    extensions.length,
    'the paragraph "Extensions." of docs/reference/protocol.md names no operations',
  ).toBeGreaterThan(5)
  expect(extensions.filter((name) => !document.includes(`\n  /${name}:\n`))).toEqual([])
})

test('every example is one that the test above sends', () => {
  const count = (language: string): number => page.split(`\n\`\`\`${language}`).length - 1

  expect([count('http'), count('json')]).toEqual([examples.length, examples.length])
})

test('the table of section 2.1 has each field of a thing', () => {
  const [, section = ''] = /^### 2\.1 Thing$([\s\S]*?)^### /m.exec(page) ?? []
  const named = [...section.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = '']) => cell.match(/\w+/g) ?? [])

  expect(named).toEqual(['local_id', '_id', ...fieldNames])
})
