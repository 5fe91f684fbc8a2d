import type { Operation } from './read-operations.ts'
import { type CollectionRequest, requests, settings, writeJson } from './requests.ts'

const asPairs = (values: Readonly<Record<string, string>>) =>
  Object.entries(values).map(([key, value]) => ({ key, value }))

/** Checks the answer, and keeps of it what later requests need. */
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

/** The Postman collection (format 2.1) of these operations. */
export function writePostman(title: string, operations: ReadonlyMap<string, Operation>): string {
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
