import { Ajv } from 'ajv'
import fc from 'fast-check'
import { type Context, OpenAPIBackend } from 'openapi-backend'
import { expect, test } from 'vitest'
import { document } from '../../generated/document.ts'
import { formats } from '../wire/json-schema.ts'
import { createRoutes } from './routes.ts'

const openStrictBackend = async () => {
  const verdict = (isValid: boolean) => () => isValid
  const api = new OpenAPIBackend({
    definition: document,
    strict: true,
    customizeAjv: () => new Ajv({ strict: false, formats }),
    securityHandlers: {
      bearerToken: verdict(true),
      headerToken: verdict(true),
      queryToken: verdict(true),
    },
    handlers: { validationFail: verdict(false), notFound: verdict(false), unauthorizedHandler: verdict(false) },
  })
  await api.init()
  for (const { operationId } of api.router.getOperations()) api.register(String(operationId), verdict(true))
  return (context: { path: string; method: string; query?: object; body?: object }): Promise<boolean> =>
    api.handleRequest({ headers: { 'content-type': 'application/json' }, ...context } as unknown as Context['request'])
}

test('every operation of the document is a route, and only token and revoke need no token', async () => {
  const routes = await createRoutes()

  const all = [...routes.values()].flatMap((methods) => [...methods.values()])
  const documented = Object.values(document.paths ?? {}).flatMap((path) => Object.keys(path ?? {}))
  expect(all).toHaveLength(documented.length)
  expect(all.filter(({ needsToken }) => !needsToken).map(({ path }) => path)).toEqual(['/token', '/revoke'])
})

test('the routes validate requests as openapi-backend itself does', async () => {
  const routes = await createRoutes()
  const send = await openStrictBackend()
  const value = fc.oneof(fc.constant(undefined), fc.constant(1), fc.constant('a'), fc.constant(true), fc.constant(null))
  const thing = fc.record(
    { local_id: value, _id: value, title: value, date: value, archived: value },
    { requiredKeys: [] },
  )
  const body = fc.record(
    {
      title: value,
      _id: value,
      new_thing: fc.oneof(fc.array(thing), value),
      changed_thing: fc.oneof(fc.array(thing), value),
      from: value,
      tag: fc.oneof(fc.dictionary(fc.string(), fc.record({ color: value, todo: value }, { requiredKeys: [] })), value),
    },
    { requiredKeys: [] },
  )
  const operation = fc.constantFrom('/sync', '/thing/add', '/thing/change', '/thing/delete')

  await fc.assert(
    fc.asyncProperty(operation, body, async (path, candidate) => {
      const decoded = JSON.parse(JSON.stringify(candidate))
      const violations = routes.get(path)?.get('POST')?.validate({ body: decoded })
      expect(violations?.length === 0).toBe(await send({ path, method: 'post', body: decoded }))
    }),
    { numRuns: 300 },
  )
})
