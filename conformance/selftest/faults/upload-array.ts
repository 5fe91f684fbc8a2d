import type { Behaviour } from '../server/behaviour.ts'
import type { Exchange } from '../server/right-requests.ts'
import { findParameter } from '../server/right-requests.ts'
import type { Upload, UploadKind } from '../server/right-uploads.ts'
import type { Account, Json } from '../server/world.ts'
import { type Fault, forms } from './fault.ts'

/** Arrays of one value lost. */
function withoutArraysOfOne(kind: UploadKind): Partial<Behaviour> {
  return forms(kind, ({ plain }) => ({ plain: plain.filter((value) => !(Array.isArray(value) && value.length === 1)) }))
}

function withoutLoneRepeated(kind: UploadKind): Partial<Behaviour> {
  return forms(kind, ({ repeated }) => ({ repeated: repeated.length === 1 ? [] : repeated }))
}

export function applying(edit: (upload: Upload, account: Account) => Partial<Upload>): Partial<Behaviour> {
  return { applied: (upload, _session, account) => ({ ...upload, ...edit(upload, account) }) }
}

export function atMost(kind: 'created' | 'changed' | 'deleted', most: number): Partial<Behaviour> {
  return applying((upload) => ({ [kind]: upload[kind].slice(0, most) }))
}

/** Parameters of a request edited, when it has the one that is named. */
export function beside(
  name: string,
  edit: (all: Exchange['parameters'], value: Json) => Exchange['parameters'],
): Partial<Behaviour> {
  return {
    parameters: (all, { path }) => {
      const value = findParameter(all, name)
      return path === 'sync' && value !== undefined ? edit(all, value) : all
    },
  }
}

/** Arrays and repeated parameters of uploads, and how many there are (interface 4.3). */
export const uploadArrayFaults: readonly Fault[] = [
  {
    id: 'form-array-of-one-ignored',
    title: 'ignores a new_thing that is an array of one',
    behaviour: withoutArraysOfOne('new_thing'),
  },
  {
    id: 'changed-array-of-one-ignored',
    title: 'ignores a changed_thing that is an array of one',
    behaviour: withoutArraysOfOne('changed_thing'),
  },
  {
    id: 'deleted-array-of-one-ignored',
    title: 'ignores a deleted_thing that is an array of one',
    behaviour: withoutArraysOfOne('deleted_thing'),
  },
  {
    id: 'form-repeated-alone-ignored',
    title: 'ignores new_thing[] that comes once',
    behaviour: withoutLoneRepeated('new_thing'),
  },
  {
    id: 'changed-repeated-alone-ignored',
    title: 'ignores changed_thing[] that comes once',
    behaviour: withoutLoneRepeated('changed_thing'),
  },
  {
    id: 'deleted-repeated-alone-ignored',
    title: 'ignores deleted_thing[] that comes once',
    behaviour: withoutLoneRepeated('deleted_thing'),
  },
  {
    id: 'forms-mixed-first-only',
    title: 'reads repeated parameters only when no parameter is an array',
    behaviour: beside('new_thing', (all) => all.filter(([name]) => !name.endsWith('[]'))),
  },
  {
    id: 'upload-of-three-kinds-loses-deletions',
    title: 'loses the deletions of an upload of three kinds',
    behaviour: applying(({ created, changed, deleted }) => ({
      deleted: created.length > 0 && changed.length > 0 ? [] : deleted,
    })),
  },
  {
    id: 'changed-repeated-beside-array-ignored',
    title: 'ignores changed_thing[] beside deletions in an array',
    behaviour: beside('deleted_thing', (all) => all.filter(([name]) => name !== 'changed_thing[]')),
  },
  {
    id: 'upload-changes-only-as-many-as-new',
    title: 'changes only as many things as are new',
    behaviour: applying(({ created, changed }) => ({
      changed: created.length > 1 ? changed.slice(0, created.length) : changed,
    })),
  },
  {
    id: 'changed-twenty-repeated',
    title: 'takes only the first twenty changed_thing[]',
    behaviour: forms('changed_thing', ({ repeated }) => ({ repeated: repeated.slice(0, 20) })),
  },
  {
    id: 'deleted-twenty-repeated',
    title: 'takes only the first twenty deleted_thing[]',
    behaviour: forms('deleted_thing', ({ repeated }) => ({ repeated: repeated.slice(0, 20) })),
  },
  { id: 'changed-twenty-at-most', title: 'changes twenty things at most', behaviour: atMost('changed', 20) },
  { id: 'deleted-twenty-at-most', title: 'deletes twenty things at most', behaviour: atMost('deleted', 20) },
  { id: 'deleted-ten-at-most', title: 'deletes ten things at most', behaviour: atMost('deleted', 10) },
]
