import { Refusal } from '../server/refusal.ts'
import { hasUpload } from '../server/upload.ts'
import type { Json } from '../server/world.ts'
import { errors, type Fault, fault, forms, fromOf, without } from './fault.ts'

function isArray(value: Json): boolean {
  return Array.isArray(value)
}

function isSingle(value: Json): boolean {
  return !Array.isArray(value)
}

function firstOf(value: Json): Json {
  return Array.isArray(value) ? value[0] : value
}

/** Faults in reading the forms in which several things are submitted (interface 4.3). */
export const uploadFormFaults: readonly Fault[] = [
  fault(
    'form-object-ignored',
    'ignores a new_thing that is one object',
    forms('new_thing', ({ plain }) => ({ plain: plain.filter(isArray) })),
  ),
  fault(
    'form-object-refused',
    'refuses a new_thing that is one object',
    forms('new_thing', ({ plain }) => {
      if (plain.some(isSingle)) throw new Refusal('parameter-invalid', 'new_thing must be an array')
      return {}
    }),
  ),
  fault(
    'form-array-ignored',
    'ignores a new_thing that is an array',
    forms('new_thing', ({ plain }) => ({ plain: plain.filter(isSingle) })),
  ),
  fault(
    'form-array-first-only',
    'takes only the first of an array of new things',
    forms('new_thing', ({ plain }) => ({ plain: plain.map(firstOf) })),
  ),
  fault(
    'form-repeated-ignored',
    'ignores new_thing[]',
    forms('new_thing', () => ({ repeated: [] })),
  ),
  fault(
    'form-repeated-last-only',
    'takes only the last new_thing[]',
    forms('new_thing', ({ repeated }) => ({ repeated: repeated.slice(-1) })),
  ),
  fault(
    'form-twenty-repeated',
    'takes only the first twenty new_thing[]',
    forms('new_thing', ({ repeated }) => ({ repeated: repeated.slice(0, 20) })),
  ),
  fault(
    'changed-object-ignored',
    'ignores a changed_thing that is one object',
    forms('changed_thing', ({ plain }) => ({ plain: plain.filter(isArray) })),
  ),
  fault(
    'changed-array-first-only',
    'takes only the first of an array of changed things',
    forms('changed_thing', ({ plain }) => ({ plain: plain.map(firstOf) })),
  ),
  fault(
    'changed-repeated-last-only',
    'takes only the last changed_thing[]',
    forms('changed_thing', ({ repeated }) => ({ repeated: repeated.slice(-1) })),
  ),
  fault(
    'changed-repeated-ignored',
    'ignores changed_thing[]',
    forms('changed_thing', () => ({ repeated: [] })),
  ),
  fault(
    'deleted-plain-ignored',
    'ignores a deleted_thing that is a plain id',
    forms('deleted_thing', ({ plain }) => ({ plain: plain.filter(isArray) })),
  ),
  fault(
    'deleted-array-ignored',
    'ignores a deleted_thing that is an array',
    forms('deleted_thing', ({ plain }) => ({ plain: plain.filter(isSingle) })),
  ),
  fault(
    'deleted-repeated-last-only',
    'takes only the last deleted_thing[]',
    forms('deleted_thing', ({ repeated }) => ({ repeated: repeated.slice(-1) })),
  ),
  fault(
    'deleted-repeated-ignored',
    'ignores deleted_thing[]',
    forms('deleted_thing', () => ({ repeated: [] })),
  ),
  fault('upload-new-only', 'takes only the new things when others are submitted beside them', {
    applied: (upload) => (upload.created.length === 0 ? upload : { ...upload, changed: [], deleted: [] }),
  }),
  fault(
    'bad-upload-plain-text',
    'refuses an upload that is no JSON with plain text',
    errors('bad-json', (body) => `${body.error_description}`),
  ),
  fault(
    'bad-upload-without-description',
    'refuses an upload that is no JSON without a description',
    errors('bad-json', (body) => without(body, 'error_description')),
  ),
  fault('upload-after-from-refused', 'refuses an upload that carries a from', {
    delay: async (exchange) => {
      const refused = exchange.method === 'POST' && hasUpload(exchange) && Number(fromOf(exchange) ?? 0) > 0
      if (refused) throw new Refusal('parameter-invalid', 'from can not be given with an upload')
    },
  }),
]
