import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createReference } from '../../../scripts/reference/make-reference.ts'

const text = readFileSync('openapi.yaml', 'utf8')
const operationOf = (reference: ReturnType<typeof createReference>, id: string) =>
  reference.groups.flatMap(({ operations }) => operations).find((operation) => operation.id === id)

test('code for an operation stands at that operation', () => {
  const reference = createReference(text, { getUser: [{ lang: 'python', label: 'Python', source: 'client.user()' }] })

  expect(operationOf(reference, 'getUser')?.samples).toEqual([{ label: 'Python', source: 'client.user()' }])
  expect(operationOf(reference, 'getTest')?.samples).toEqual([])
})

test('a form has the fields that the form of the operation declares, but for the access token, which the page keeps', () => {
  const controls = operationOf(createReference(text, {}), 'postSync')?.controls ?? []

  expect(controls.map(({ name, kind }) => [name, kind])).toEqual([
    ['from', 'number'],
    ['skip', 'number'],
    ['limit', 'number'],
    ['new_thing', 'lines'],
    ['changed_thing', 'lines'],
    ['deleted_thing', 'lines'],
    ['tag', 'lines'],
    ['skip_id', 'line'],
  ])
  expect(controls.find(({ name }) => name === 'tag')?.example).toBe('{"todo":{"todo":true,"color":"#f80"}}')
})

test('secrets are typed unseen', () => {
  const controls = operationOf(createReference(text, {}), 'grantToken')?.controls ?? []

  const hidden = controls.filter(({ kind }) => kind === 'secret').map(({ name }) => name)
  expect(hidden).toEqual(expect.arrayContaining(['client_secret', 'password', 'refresh_token']))
})

test('every shape that is named is listed', () => {
  const { groups, shapes } = createReference(text, {})
  const fields = groups.flatMap(({ operations }) =>
    operations.flatMap(({ query, bodies }) => [...query, ...bodies.flatMap((body) => body.fields)]),
  )
  const responses = groups.flatMap(({ operations }) => operations.flatMap((operation) => operation.responses))

  const named = [...fields, ...responses, ...shapes.flatMap((shape) => shape.fields)].flatMap(
    ({ shape }) => shape ?? [],
  )
  const listed = new Set(shapes.map(({ name }) => name))
  expect(named.filter((name) => !listed.has(name))).toEqual([])
})
