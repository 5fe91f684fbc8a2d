import { expect, test } from 'vitest'
import { document } from '../../generated/document.ts'
import { routes } from '../../generated/routes.ts'
import { runToEnd } from '../scheduling.ts'
import type { JsonSchema } from '../wire/json-schema.ts'
import { gatherParameters } from '../wire/parameters.ts'

type Marked = { readonly 'x-repeated-as'?: string }

const spellings = Object.entries(document.paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).flatMap(([method, { parameters = [], requestBody }]) => {
      const form = requestBody?.content['application/x-www-form-urlencoded']?.schema.properties ?? {}
      const marked: [string, Marked][] = [
        ...parameters.map((parameter): [string, Marked] => [parameter.name, parameter]),
        ...(Object.entries(form) as [string, Marked][]),
      ]
      return marked.flatMap(([name, { 'x-repeated-as': spelling }]) =>
        spelling === undefined ? [] : [{ path, method: method.toUpperCase(), name, spelling }],
      )
    }),
)

interface Operation {
  readonly parameters?: readonly ({ readonly name: string } & Marked)[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: JsonSchema }> }
}

test('the fields that can be repeated are marked', () => {
  expect(spellings.map(({ method, spelling }) => `${method} ${spelling}`)).toEqual([
    'GET skip_id[]',
    'POST new_thing[]',
    'POST changed_thing[]',
    'POST deleted_thing[]',
    'POST skip_id[]',
  ])
})

test.each(spellings)('$method $path reads $spelling as the document says', ({ path, method, name, spelling }) => {
  const route = routes.get(path)?.get(method)
  const fields: [string, string][] = [
    [spelling, '"a"'],
    [spelling, '"b"'],
  ]

  const gathered = runToEnd(gatherParameters(fields, route?.bodySchema ?? route?.querySchema ?? {}, 'text'))

  expect(JSON.stringify(gathered).replaceAll('\\"', '')).toBe(JSON.stringify({ [name]: ['a', 'b'] }))
})
