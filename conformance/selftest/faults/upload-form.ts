import { Refusal } from '../server/refusal.ts'
import { hasUpload } from '../server/upload.ts'
import type { Json } from '../server/world.ts'
import { errors, type Fault, forms, fromOf, without } from './fault.ts'

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
  {
    id: 'form-object-ignored',
    title: 'ignores a new_thing that is one object',
    behaviour: forms('new_thing', ({ plain }) => ({ plain: plain.filter(isArray) })),
  },
  {
    id: 'form-object-refused',
    title: 'refuses a new_thing that is one object',
    behaviour: forms('new_thing', ({ plain }) => {
      if (plain.some(isSingle)) throw new Refusal('parameter-invalid', 'new_thing must be an array')
      return {}
    }),
  },
  {
    id: 'form-array-ignored',
    title: 'ignores a new_thing that is an array',
    behaviour: forms('new_thing', ({ plain }) => ({ plain: plain.filter(isSingle) })),
  },
  {
    id: 'form-array-first-only',
    title: 'takes only the first of an array of new things',
    behaviour: forms('new_thing', ({ plain }) => ({ plain: plain.map(firstOf) })),
  },
  {
    id: 'form-repeated-ignored',
    title: 'ignores new_thing[]',
    behaviour: forms('new_thing', () => ({ repeated: [] })),
  },
  {
    id: 'form-repeated-last-only',
    title: 'takes only the last new_thing[]',
    behaviour: forms('new_thing', ({ repeated }) => ({ repeated: repeated.slice(-1) })),
  },
  {
    id: 'form-twenty-repeated',
    title: 'takes only the first twenty new_thing[]',
    behaviour: forms('new_thing', ({ repeated }) => ({ repeated: repeated.slice(0, 20) })),
  },
  {
    id: 'changed-object-ignored',
    title: 'ignores a changed_thing that is one object',
    behaviour: forms('changed_thing', ({ plain }) => ({ plain: plain.filter(isArray) })),
  },
  {
    id: 'changed-array-first-only',
    title: 'takes only the first of an array of changed things',
    behaviour: forms('changed_thing', ({ plain }) => ({ plain: plain.map(firstOf) })),
  },
  {
    id: 'changed-repeated-last-only',
    title: 'takes only the last changed_thing[]',
    behaviour: forms('changed_thing', ({ repeated }) => ({ repeated: repeated.slice(-1) })),
  },
  {
    id: 'changed-repeated-ignored',
    title: 'ignores changed_thing[]',
    behaviour: forms('changed_thing', () => ({ repeated: [] })),
  },
  {
    id: 'deleted-plain-ignored',
    title: 'ignores a deleted_thing that is a plain id',
    behaviour: forms('deleted_thing', ({ plain }) => ({ plain: plain.filter(isArray) })),
  },
  {
    id: 'deleted-array-ignored',
    title: 'ignores a deleted_thing that is an array',
    behaviour: forms('deleted_thing', ({ plain }) => ({ plain: plain.filter(isSingle) })),
  },
  {
    id: 'deleted-repeated-last-only',
    title: 'takes only the last deleted_thing[]',
    behaviour: forms('deleted_thing', ({ repeated }) => ({ repeated: repeated.slice(-1) })),
  },
  {
    id: 'deleted-repeated-ignored',
    title: 'ignores deleted_thing[]',
    behaviour: forms('deleted_thing', () => ({ repeated: [] })),
  },
  {
    id: 'upload-new-only',
    title: 'takes only the new things when others are submitted beside them',
    behaviour: {
      applied: (upload) => (upload.created.length === 0 ? upload : { ...upload, changed: [], deleted: [] }),
    },
  },
  {
    id: 'bad-upload-plain-text',
    title: 'refuses an upload that is no JSON with plain text',
    behaviour: errors('bad-json', (body) => `${body.error_description}`),
  },
  {
    id: 'bad-upload-without-description',
    title: 'refuses an upload that is no JSON without a description',
    behaviour: errors('bad-json', (body) => without(body, 'error_description')),
  },
  {
    id: 'upload-after-from-refused',
    title: 'refuses an upload that carries a from',
    behaviour: {
      delay: async (exchange) => {
        const refused = exchange.method === 'POST' && hasUpload(exchange) && Number(fromOf(exchange) ?? 0) > 0
        if (refused) throw new Refusal('parameter-invalid', 'from can not be given with an upload')
      },
    },
  },
]
