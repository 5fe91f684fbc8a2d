import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCommandLine } from '../cli/command-line.ts'
import { createHistory, tellStep } from './histories.ts'

const rightClient = fileURLToPath(new URL('../../selftest/clients/right-client.mjs', import.meta.url))
const listing = fileURLToPath(new URL('../../selftest/clients/listing.mjs', import.meta.url))

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'client-suite-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

/** Runs the command line and returns its exit code and output. */
async function run(...words: readonly string[]): Promise<{ code: number; text: string; errors: string }> {
  const written = { text: '', errors: '' }
  const writeTo = (name: 'text' | 'errors') => ({
    write: (part: string): void => {
      written[name] += part
    },
    isTerminal: false,
    columns: 80,
  })
  const code = await runCommandLine(words, {
    environment: { NO_COLOR: '1' },
    output: writeTo('text'),
    errors: writeTo('errors'),
    signal: new AbortController().signal,
    rules: [],
  })
  return { code, ...written }
}

/** Writes a copy of the right client with one text replaced, and returns its path. */
async function breakClient(name: string, from: string, to: string): Promise<string> {
  const source = await readFile(rightClient, 'utf8')
  expect(source).toContain(from)
  const file = join(folder, `${name}.mjs`)
  await writeFile(file, source.replace(from, to).replace("'./listing.mjs'", JSON.stringify(listing)))
  return file
}

test('the right client passes rules of both profiles', { timeout: 120_000 }, async () => {
  const rules = ['CLIENT-UPLOAD', 'CLIENT-REFRESH', 'CLIENT-OFFLINE-0', 'CLIENT-CONFLICT', 'CLIENT-LOST-01']
  const { code, text } = await run(
    'client',
    ...rules.flatMap((id) => ['--rule', id]),
    '--',
    process.execPath,
    rightClient,
  )

  expect([code, text.split('\n').at(-2)]).toEqual([0, expect.stringMatching(/^PASSED: \d\d MUST rules/)])
})

test.each([
  ['request-token', 'refresh_token: pair.request_token', 'refresh_token: pair.access_token', 'CLIENT-REFRESH-01'],
  ['new-local-id', '{ local_id: ref,', '{ local_id: ref + Math.random(),', 'CLIENT-OFFLINE-01'],
  ['first-field', '...base, ...sent.edits[ref] }', '...sent.edits[ref] }', 'CLIENT-OFFLINE-08'],
  ['lost-edit', 'state.lost.push({ title: show(thing).title })\n    delete', 'delete', 'CLIENT-CONFLICT-01'],
  [
    'early-position',
    '    let pos\n',
    '    let pos\n    state.pos = (await api.sync({ from: state.pos, limit: 1 })).pos\n',
    'CLIENT-LISTING-01',
  ],
])('the fault %s is found, and its report says how to repeat it', { timeout: 60_000 }, async (name, from, to, rule) => {
  const file = await breakClient(name, from, to)

  const { code, text } = await run('client', '--rule', rule, '--seed', '5', '--', process.execPath, file)

  expect(code).toBe(1)
  expect(text).toContain(
    `repeat    thingsync-conformance client --rule ${rule} --seed 5 -- ${process.execPath} ${file}`,
  )
  expect(text).toContain('exchange  ')
  expect(text).not.toContain('p+ss w&rd')
})

test('a fault in a random history is told as a story with the wire log', { timeout: 300_000 }, async () => {
  const file = await breakClient(
    'history',
    'state.sent ??= buildUpload(max)',
    'state.sent = buildUpload(max); for (const [r, t] of Object.entries(state.things)) if (t.id === null) { delete state.things[r]; state.things[randomUUID()] = t }; state.sent = buildUpload(max)',
  )

  const { code, text } = await run(
    'client',
    '--rule',
    'CLIENT-HISTORY-02',
    '--seed',
    '2',
    '--histories',
    '30',
    '--verbose',
    '--',
    process.execPath,
    file,
  )

  expect(code).toBe(1)
  expect(text).toMatch(/story +1\. .* thing \d+ with the title/)
  expect(text).toMatch(/ {14}phone > create .*\n/)
  expect(text).toMatch(/ {18}POST \/v1\/sync .*\n {18}→ 200 /)
})

test('a crash in one of several variants is shown with the exchange and the story of that variant', {
  timeout: 60_000,
}, async () => {
  const crash = "if (text.startsWith('<!doctype')) throw new TypeError('the client fell over')\n    let body"
  const file = await breakClient('crash', 'let body', crash)

  const { code, text } = await run('client', '--rule', 'CLIENT-ERROR-04', '--verbose', '--', process.execPath, file)

  expect(code).toBe(1)
  expect(text).toContain('an error of kind internal (a crash of the client or the adapter): {"kind":"internal"')
  expect(text).toMatch(/exchange {2}GET \/v1\/sync {2}from=0\n +→ 200 <!doctype html>/)
  const story = text.slice(text.indexOf('    story '))
  expect(story.match(/client > init/g)).toHaveLength(1)
  expect(story).toMatch(/client > sync \{"from":0\}\n +GET .*\n +→ 200 <!doctype html>.*\n +client < error /)
  expect(story).toContain('"password":"{password}"')
  expect(text).not.toContain('p+ss w&rd')
})

test('an upload that a redirect kept from the server is shown, not the request that followed it', {
  timeout: 60_000,
}, async () => {
  const file = await breakClient('redirect', "redirect: 'manual'", "redirect: 'follow'")

  const { text } = await run('client', '--rule', 'CLIENT-ERROR-07', '--verbose', '--', process.execPath, file)

  expect(text).toMatch(/exchange {2}POST \/v1\/sync .*\n +→ 301 \(location: http/)
  expect(text).toMatch(/story[\s\S]*POST \/v1\/sync .*\n +→ 301 .*\n +GET \/v1\/sync/)
})

test('the same seed gives the same history, and each step can be told', () => {
  const plan = createHistory('seed', 40, true, true)

  expect(createHistory('seed', 40, true, true)).toEqual(plan)
  expect(
    plan.steps.map((step) => tellStep(step, true)).filter((text) => !/^(phone|another device) \w/.test(text)),
  ).toEqual([])
})

test('an adapter that cannot be used is exit code 2, with the command of the doctor', async () => {
  const { code, text } = await run('client', '--', process.execPath, '-e', 'console.log("hi")')

  expect(code).toBe(2)
  expect(text).toContain('NOT RUN: the adapter wrote a line that is not JSON')
  expect(text).toContain('Try: thingsync-conformance doctor -- ')
})

test.each([
  [['client'], 'write client -- COMMAND…'],
  [['client', '--'], 'needs the command that starts your adapter'],
  [['run', '--', 'x'], 'takes no command of an adapter'],
  [['client', '--rule', 'CLIENT-NOTHING', '--', 'x'], 'no rule for clients has this ID'],
  [['client', '--profile', 'core', '--', 'x'], '--profile must be api or replica'],
  [['doctor', '--user', 'a:b', '--', 'x'], 'takes no options'],
])('%j is a usage error', async (words, sentence) => {
  const { code, errors } = await run(...words)

  expect([code, errors]).toEqual([2, expect.stringContaining(sentence)])
})

test('the doctor finds nothing in a right adapter, and names what is wrong in another', {
  timeout: 60_000,
}, async () => {
  const file = await breakClient(
    'doctor',
    'sync: (parameters) => (replica',
    'sync: (parameters) => replica === undefined ? ({}) : (replica',
  )

  const [right, wrong] = [
    await run('doctor', '--', process.execPath, rightClient),
    await run('doctor', '--', process.execPath, file),
  ]

  expect([right.code, right.text]).toEqual([0, expect.not.stringContaining('PROBLEM')])
  expect([wrong.code, wrong.text]).toEqual([
    1,
    expect.stringContaining('PROBLEM  sync: the server should have one thing'),
  ])
})

test('rules and requirements for clients are listed and explained', async () => {
  const [list, rule, requirement] = [
    await run('list', '--profile', 'api'),
    await run('explain', 'CLIENT-LOST-01'),
    await run('explain', 'd-4.3-8'),
  ]

  expect(list.text).toMatch(/CLIENT-SYNC-01 +api +implied +MUST NOT send a parameter/)
  expect(rule.text).toContain('client --rule CLIENT-LOST-01 -- COMMAND…')
  expect(requirement.text).toMatch(/follows +from "A successful upload/)
})
