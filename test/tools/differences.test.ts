import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Document, parseDocument } from 'yaml'
import { describeBreak, findDifferences } from '../../scripts/contract/differences.ts'
import { installOasdiff } from '../../scripts/outside-tools/install-tools.ts'

type Change = (document: Document) => unknown

const source = 'openapi.yaml'
const oasdiff = installOasdiff()
const folder = mkdtempSync(join(tmpdir(), 'thingsync-breaks-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes the document after a deliberate change and gives its path. */
const writeChanged = (change: Change): string => {
  const document = parseDocument(readFileSync(source, 'utf8'))
  const before = String(document)
  change(document)
  expect(String(document), 'the change changes something').not.toBe(before)
  const path = join(folder, 'changed.yaml')
  writeFileSync(path, String(document))
  return path
}

/** A change at a path, written as the keys to it; lists are counted from 0. */
const set =
  (path: string, value: unknown): Change =>
  (document) =>
    document.setIn(path.split(' '), document.createNode(value))
const drop =
  (path: string): Change =>
  (document) =>
    document.deleteIn(path.split(' '))

const schemas = 'components schemas'

const breaking: readonly [string, Change, string][] = [
  [
    'an operation is removed',
    drop('paths /user/get'),
    'Clients break that call GET /user/get (getUser): they will get 404 or 405',
  ],
  [
    'a method is removed',
    drop('paths /test post'),
    'Clients break that call POST /test (postTest): they will get 404 or 405',
  ],
  [
    'a field of a request becomes required',
    set(`${schemas} ThingAddition required`, ['title', 'url']),
    'Clients break that send to POST /thing/add (addThing) what they were allowed to send: the request property `url`',
  ],
  [
    'a limit becomes lower',
    set(`${schemas} Title maxLength`, 100),
    "`title` request property's maxLength was decreased to `100`",
  ],
  [
    'a choice of a request is removed',
    set(`${schemas} Webhook properties event enum`, ['any']),
    'Clients break that send to POST /webhook/register (registerWebhook), POST /webhook/unregister',
  ],
  [
    'a parameter is removed',
    drop('paths /sync get parameters 1'),
    'Clients break that send to GET /sync (getSync) what they were allowed to send: deleted the `query` request parameter `skip`',
  ],
  [
    'a body may no longer be JSON',
    drop('paths /sync post requestBody content application/json'),
    'Clients break that send to POST /sync (postSync)',
  ],
  [
    'a field of a response that is always there may be missing',
    set(`${schemas} Thing required`, ['_id', 'title', 'tags']),
    'Clients break that read the response of GET /sync (getSync), POST /sync (postSync)',
  ],
  [
    'a field of a response that is sometimes there goes',
    drop(`${schemas} SyncResponse properties thingCount`),
    'Clients break that read the response of GET /sync (getSync), POST /sync (postSync): removed the optional property `thingCount`',
  ],
  [
    'a field of a response gets another type',
    set(`${schemas} SyncResponse properties pos type`, 'string'),
    'Clients break that read the response of GET /sync (getSync), POST /sync (postSync): the `pos`',
  ],
  [
    'a field of a response may be null',
    set(`${schemas} UserInfo properties username nullable`, true),
    'the response property `username` became nullable',
  ],
  [
    'a response loses a header',
    drop('components responses Unauthorized headers'),
    'Clients break that read the response of',
  ],
  [
    'a way to give the access token is removed',
    drop('paths /sync get security 1'),
    'Clients break that give their access token to GET /sync (getSync) in this way',
  ],
  [
    'an operation gets another name',
    set('paths /sync get operationId', 'download'),
    'Code breaks that was written on generated SDKs',
  ],
]

test.each(breaking)('it breaks a client when %s', (_name, change, sentence) => {
  const differences = findDifferences(oasdiff, source, writeChanged(change))

  const sentences = differences.filter(({ isBreaking }) => isBreaking).map(describeBreak)
  expect(sentences.join('\n')).toContain(sentence)
})

const ping = { operationId: 'ping', summary: 'Ping', security: [], responses: { 200: { description: 'Pong' } } }
const additive: readonly [string, Change][] = [
  ['an operation is added', set('paths /ping get', ping)],
  ['an optional field of a request is added', set(`${schemas} ThingAddition properties mood`, { type: 'string' })],
  ['a field of a response is added', set(`${schemas} Thing properties mood`, { type: 'string' })],
  ['a limit becomes higher', set(`${schemas} Title maxLength`, 1_000_000)],
  ['a choice of a request is added', set(`${schemas} Webhook properties event enum 5`, 'archived')],
  [
    'an optional parameter is added',
    set('paths /tags/get get parameters 1', { name: 'mood', in: 'query', schema: { type: 'string' } }),
  ],
  ['an error status is added', set('paths /user/get get responses 418', { description: 'A teapot' })],
  ['words change', set(`${schemas} Title description`, 'What it is called.')],
]

test.each(additive)('it breaks no client when %s', (_name, change) => {
  const differences = findDifferences(oasdiff, source, writeChanged(change))

  expect(differences.filter(({ isBreaking }) => isBreaking)).toEqual([])
})

test('the command fails with the sentence when something breaks, and passes when something is added', () => {
  const run = (path: string) => {
    const args = ['--import', 'tsx', 'scripts/contract/check-breaks.ts', path, source]
    const { status, stderr, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    return { status, stderr, stdout }
  }

  const broken = run(writeChanged(drop('paths /tags/get')))
  const extended = run(writeChanged(set('paths /ping get', ping)))

  expect(broken.status).toBe(1)
  expect(broken.stderr).toContain('Clients break that call GET /tags/get (getTags): they will get 404 or 405')
  expect(extended).toEqual({
    status: 0,
    stderr: '',
    stdout: expect.stringContaining('endpoint added, GET /ping (ping)'),
  })
})
