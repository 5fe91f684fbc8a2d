import { parse } from 'yaml'
import { asObject, isObject } from '../json.ts'

/** The part of an operation that a collection shows. */
type Operation = {
  id: string
  method: string
  /** The path without the first slash. */
  path: string
  summary: string
  description: string
  /** Whether the operation takes an access token. */
  isSignedIn: boolean
}

/** Reads the operations of a document, by `operationId`. */
export function readOperations(document: unknown): Map<string, Operation> {
  const { paths, security = [] } = asObject(document, 'the document')
  const found = new Map<string, Operation>()
  for (const [path, item] of Object.entries(asObject(paths, 'its paths'))) {
    for (const [method, operation] of Object.entries(asObject(item, path))) {
      if (!isObject(operation) || typeof operation.operationId !== 'string') continue
      const needs = operation.security ?? security
      found.set(operation.operationId, {
        id: operation.operationId,
        method: method.toUpperCase(),
        path: path.slice(1),
        summary: String(operation.summary),
        description: String(operation.description ?? ''),
        isSignedIn: Array.isArray(needs) && needs.length > 0,
      })
    }
  }
  return found
}

/** A request of the collections: an operation and its content. `{{name}}` is a variable, also for a number. */
type CollectionRequest = {
  operation: string
  query?: Readonly<Record<string, string>>
  form?: Readonly<Record<string, string>>
  json?: object
  /** The variables to set from the response, with their paths in its JSON. */
  keep?: Readonly<Record<string, string>>
}

/** The settings of a collection, with their default values. */
const settings: Readonly<Record<string, string>> = {
  baseUrl: 'http://127.0.0.1:8484/v1',
  clientId: '',
  clientSecret: '',
  username: '',
  password: '',
  pageUrl: 'https://example.com/',
}

/** Variables with numbers, which JSON writes without quotes. */
const numbers = ['pos']

const hook = { target_url: 'https://hooks.example.org/', event: 'any' }
const push = {
  endpoint: 'https://push.example.org/x',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
const app = { client_id: '{{clientId}}', client_secret: '{{clientSecret}}' }

/** The requests, in an order in which each finds its variables set. */
export const requests: readonly CollectionRequest[] = [
  {
    operation: 'grantToken',
    form: { grant_type: 'password', ...app, username: '{{username}}', password: '{{password}}' },
    keep: { accessToken: '.access_token', requestToken: '.request_token' },
  },
  { operation: 'getTest' },
  { operation: 'getUser' },
  { operation: 'getSync', keep: { pos: '.pos' } },
  {
    operation: 'postSync',
    json: { from: '{{pos}}', new_thing: [{ local_id: 'n1', title: 'Buy milk', tags: 'home' }] },
    keep: { thingId: '.things.new.n1' },
  },
  { operation: 'addThing', json: { title: 'Call Bert', tags: 'phone', url: 'https://example.com/' } },
  { operation: 'changeThing', json: { _id: '{{thingId}}', title: 'Buy oat milk' } },
  { operation: 'getThings', query: { archived: 'include', tag: 'phone' } },
  { operation: 'previewLink', query: { url: '{{pageUrl}}' } },
  { operation: 'getTags' },
  { operation: 'deleteThing', json: { _id: '{{thingId}}' } },
  { operation: 'registerWebhook', json: hook },
  { operation: 'listWebhooks' },
  { operation: 'unregisterWebhook', json: hook },
  { operation: 'getDeviceKey' },
  { operation: 'registerDevice', json: { type: 'webpush', id: 'phone', ...push } },
  { operation: 'listDevices' },
  { operation: 'unregisterDevice', json: { type: 'webpush', id: 'phone' } },
  { operation: 'listSessions', keep: { sessionId: '[0].id' } },
  { operation: 'revokeSession', json: { id: '{{sessionId}}' } },
  { operation: 'revokeToken', json: { token: '{{requestToken}}', ...app } },
]

/** Writes JSON with the variables of `numbers` as numbers. */
const writeJson = (value: object): string =>
  numbers.reduce((text, name) => text.replaceAll(`"{{${name}}}"`, `{{${name}}}`), JSON.stringify(value, null, 2))

const indent = (text: string): string => text.replaceAll(/^(?=.)/gm, '  ')
const writeBlock = (name: string, text: string): string => `${name} {\n${indent(text)}\n}\n`
const writePairs = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map((pair) => pair.join(': '))
    .join('\n')

const nameBody = ({ form, json }: CollectionRequest): string => {
  if (form !== undefined) return 'formUrlEncoded'
  return json === undefined ? 'none' : 'json'
}

/** Writes a request in Bruno's language, with its checks and variables. */
function writeRequest(request: CollectionRequest, operation: Operation, seq: number): string {
  const { query, form, json, keep = {} } = request
  const { method, path, summary, description, isSignedIn } = operation
  // Braces of variables stay as they are.
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`.replace(/%7B%7B(\w+)%7D%7D/g, '{{$1}}')
  const kept = Object.fromEntries(Object.entries(keep).map(([name, at]) => [name, `res.body${at}`]))
  return [
    writeBlock('meta', writePairs({ name: summary, type: 'http', seq: String(seq) })),
    writeBlock(
      method.toLowerCase(),
      writePairs({
        url: `{{baseUrl}}/${path}${search}`,
        body: nameBody(request),
        auth: isSignedIn ? 'bearer' : 'none',
      }),
    ),
    ...(query === undefined ? [] : [writeBlock('params:query', writePairs(query))]),
    ...(isSignedIn ? [writeBlock('auth:bearer', 'token: {{accessToken}}')] : []),
    ...(form === undefined ? [] : [writeBlock('body:form-urlencoded', writePairs(form))]),
    ...(json === undefined ? [] : [writeBlock('body:json', writeJson(json))]),
    ...(Object.keys(kept).length === 0 ? [] : [writeBlock('vars:post-response', writePairs(kept))]),
    writeBlock('assert', 'res.status: eq 200'),
    ...(description === '' ? [] : [writeBlock('docs', description.trim())]),
  ].join('\n')
}

/** Writes the files of the Bruno collection, by name. */
function writeBruno(title: string, operations: ReadonlyMap<string, Operation>): Map<string, string> {
  const about = { version: '1', name: title, type: 'collection' }
  const files = new Map([
    ['bruno.json', `${JSON.stringify(about, null, 2)}\n`],
    ['environments/server.bru', writeBlock('vars', writePairs(settings))],
  ])
  for (const [index, request] of requests.entries()) {
    const operation = operations.get(request.operation)
    if (operation === undefined) continue
    const name = `${String(index + 1).padStart(2, '0')}-${operation.id}.bru`
    files.set(name, writeRequest(request, operation, index + 1))
  }
  return files
}

const asPairs = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([key, value]) => ({ key, value }))

/** Writes a script that checks the response, and sets variables for later requests. */
const writeScript = ({ keep = {} }: CollectionRequest): string[] => [
  "pm.test('status is 200', () => pm.response.to.have.status(200))",
  ...Object.entries(keep).map(
    ([name, path]) => `pm.collectionVariables.set('${name}', pm.response.json()${path.replaceAll('.', '?.')})`,
  ),
]

function writeBody({ form, json }: CollectionRequest): object {
  if (form !== undefined) return { body: { mode: 'urlencoded', urlencoded: asPairs(form) } }
  if (json === undefined) return {}
  return { body: { mode: 'raw', raw: writeJson(json), options: { raw: { language: 'json' } } } }
}

function writeItem(request: CollectionRequest, { summary, method, path, description, isSignedIn }: Operation): object {
  const query = asPairs(request.query ?? {})
  const search = query.map(({ key, value }) => `${key}=${value}`).join('&')
  return {
    name: summary,
    event: [{ listen: 'test', script: { type: 'text/javascript', exec: writeScript(request) } }],
    request: {
      ...(isSignedIn ? {} : { auth: { type: 'noauth' } }),
      method,
      header: [],
      ...writeBody(request),
      url: {
        raw: `{{baseUrl}}/${path}${search === '' ? '' : `?${search}`}`,
        host: ['{{baseUrl}}'],
        path: path.split('/'),
        ...(query.length > 0 ? { query } : {}),
      },
      description,
    },
  }
}

/** Writes the Postman collection (format 2.1). */
function writePostman(title: string, operations: ReadonlyMap<string, Operation>): string {
  const collection = {
    info: { name: title, schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json' },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{accessToken}}', type: 'string' }] },
    variable: asPairs(settings),
    item: requests.flatMap((request) => {
      const operation = operations.get(request.operation)
      return operation === undefined ? [] : [writeItem(request, operation)]
    }),
  }
  return `${JSON.stringify(collection, null, 2)}\n`
}

/** Folder of the collections. */
const collectionFolder = 'sdk/collections'
/** Path of the Postman collection, and of the folder of the Bruno collection. */
export const collectionPaths = {
  postman: `${collectionFolder}/thingsync.postman_collection.json`,
  bruno: `${collectionFolder}/bruno`,
}

/** Writes the files of both collections from the text of the SDK profile, by path. */
export function writeCollections(profile: string): Map<string, string> {
  const document = parse(profile)
  const operations = readOperations(document)
  const files = [...writeBruno(document.info.title, operations)]
  return new Map([
    [collectionPaths.postman, writePostman(document.info.title, operations)],
    ...files.map(([name, text]) => [`${collectionPaths.bruno}/${name}`, text] as const),
  ])
}
