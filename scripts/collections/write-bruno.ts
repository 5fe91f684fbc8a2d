import type { Operation } from './read-operations.ts'
import { type CollectionRequest, requests, settings, writeJson } from './requests.ts'

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

/** A request in Bruno's language, checks and kept variables included. */
function writeRequest(request: CollectionRequest, operation: Operation, seq: number): string {
  const { query, form, json, keep = {} } = request
  const { method, path, summary, description, isSignedIn } = operation
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`
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

/** The files of the Bruno collection of these operations, by their names. */
export function writeBruno(title: string, operations: ReadonlyMap<string, Operation>): Map<string, string> {
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
