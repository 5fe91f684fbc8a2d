import fc from 'fast-check'
import { expect, test } from 'vitest'
import { routes } from '../../generated/routes.ts'
import { ApiError } from '../api-error.ts'
import { runToEnd } from '../scheduling.ts'
import { defaultJsonLimits } from '../wire/json.ts'
import { gatherParameters, normalizeValues, type Spelling } from '../wire/parameters.ts'
import { describeViolation } from '../wire/schema-errors.ts'
import { decodeParameters, findViolations } from './request.ts'
import type { Route } from './routes.ts'

const route = routes.get('/sync')?.get('POST') as Route
const schema = route.bodySchema ?? {}

const describe = (violations: ReturnType<Route['validate']>) =>
  violations.length === 0 ? 'valid' : describeViolation(violations)

/** Reads and validates the fields as a short request. */
const readWhole = (fields: [string, unknown][], spelling: Spelling): unknown => {
  const parameters = normalizeValues(runToEnd(gatherParameters(fields, schema, spelling)), schema, spelling) as object
  return [parameters, describe(route.validate(parameters))]
}

const readLong = (fields: [string, unknown][], spelling: Spelling): unknown => {
  const parameters = runToEnd(decodeParameters({ fields, spelling, isLong: true }, schema, defaultJsonLimits))
  return [parameters, describe(runToEnd(findViolations(route, parameters)))]
}

const orErrorMessage = (read: () => unknown): unknown => {
  try {
    return read()
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}

/** Generates mostly valid values, so that invalid ones appear anywhere. */
const mostly = (valid: fc.Arbitrary<unknown>, ...wrong: unknown[]) =>
  fc.oneof({ arbitrary: valid, weight: 60 }, { arbitrary: fc.constantFrom(...wrong), weight: 1 })

const thing = (id: string) =>
  mostly(
    fc.record(
      {
        [id]: mostly(fc.string(), 1, null, '\0', undefined, { a: 1 }),
        title: mostly(fc.string(), 1, null, '\0', undefined, 'x'.repeat(70_000)),
        date: mostly(fc.constantFrom(1, '2', '-1e3', null), 'a', {}, '1e999'),
        archived: mostly(fc.constantFrom('TRUE', 0, true, '1'), 'a', 2),
        todoStatus: fc.constantFrom(true, '0'),
        __proto__: fc.constant(1),
      },
      { requiredKeys: [id, 'title'] },
    ),
    null,
    [],
    'a',
  )

const list = (item: fc.Arbitrary<unknown>) => mostly(fc.array(item, { maxLength: 150, size: 'max' }), null, 'a', {}, 1)

const request = fc.record(
  {
    from: mostly(fc.nat(), -1, 'a'),
    new_thing: list(thing('local_id')),
    changed_thing: list(thing('_id')),
    deleted_thing: list(mostly(fc.string(), 1, '\0', null, 'x'.repeat(3000))),
    tag: fc.constantFrom({}, { red: { color: '#fff' } }, { red: { color: 'red' } }),
    limit: mostly(fc.nat(), -1, 1.5),
  },
  { requiredKeys: [] },
)

test('long requests give the same parameters and errors as short ones', () => {
  const verdicts = new Set<string>()
  fc.assert(
    fc.property(request, fc.constantFrom<Spelling>('text', 'json'), (body, spelling) => {
      const fields = Object.entries(JSON.parse(JSON.stringify(body)) as object).map(
        ([name, value]): [string, unknown] =>
          spelling === 'json' || typeof value === 'string' ? [name, value] : [name, JSON.stringify(value)],
      )
      const whole = orErrorMessage(() => readWhole(fields, spelling))
      expect(orErrorMessage(() => readLong(fields, spelling))).toEqual(whole)
      const asBytes = fields.map(([name, value]): [string, unknown] =>
        typeof value === 'string' ? [name, Buffer.from(value)] : [name, value],
      )
      if (spelling === 'text') expect(orErrorMessage(() => readLong(asBytes, spelling))).toEqual(whole)
      verdicts.add(JSON.stringify(Array.isArray(whole) ? whole[1] : whole).replace(/\d+/g, ''))
    }),
    { numRuns: 300 },
  )
  expect(verdicts.size).toBeGreaterThan(10)
})

test('the error names an invalid item by its index in the whole list', () => {
  const things = Array.from({ length: 5000 }, (_, index) => ({ local_id: index, title: 'a' }))
  const wrong = [...things.slice(0, 4321), { local_id: 'x' }, ...things.slice(4321)]

  const violations = runToEnd(findViolations(route, { deleted_thing: ['a'], new_thing: wrong }))

  expect(describeViolation(violations)).toEqual({
    parameter: 'new_thing[4321].title',
    reason: 'is required',
    tooMany: false,
  })
})

test('a list above its maximum is rejected before its items are validated', () => {
  const ids = Array.from({ length: 100_001 }, () => 7)

  const violations = runToEnd(findViolations(route, { deleted_thing: ids }))

  expect(describeViolation(violations)).toEqual(describeViolation(route.validate({ deleted_thing: ids })))
  expect(describeViolation(violations).tooMany).toBe(true)
})
