import type { Behaviour } from '../server/behaviour.ts'
import type { Exchange } from '../server/right-requests.ts'
import { findParameter } from '../server/right-requests.ts'
import type { Upload, UploadKind } from '../server/right-uploads.ts'
import type { Account, Json } from '../server/world.ts'
import { type Fault, fault, forms } from './fault.ts'

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
  fault('form-array-of-one-ignored', 'ignores a new_thing that is an array of one', withoutArraysOfOne('new_thing')),
  fault(
    'changed-array-of-one-ignored',
    'ignores a changed_thing that is an array of one',
    withoutArraysOfOne('changed_thing'),
  ),
  fault(
    'deleted-array-of-one-ignored',
    'ignores a deleted_thing that is an array of one',
    withoutArraysOfOne('deleted_thing'),
  ),
  fault('form-repeated-alone-ignored', 'ignores new_thing[] that comes once', withoutLoneRepeated('new_thing')),
  fault(
    'changed-repeated-alone-ignored',
    'ignores changed_thing[] that comes once',
    withoutLoneRepeated('changed_thing'),
  ),
  fault(
    'deleted-repeated-alone-ignored',
    'ignores deleted_thing[] that comes once',
    withoutLoneRepeated('deleted_thing'),
  ),
  fault(
    'forms-mixed-first-only',
    'reads repeated parameters only when no parameter is an array',
    beside('new_thing', (all) => all.filter(([name]) => !name.endsWith('[]'))),
  ),
  fault(
    'upload-of-three-kinds-loses-deletions',
    'loses the deletions of an upload of three kinds',
    applying(({ created, changed, deleted }) => ({
      deleted: created.length > 0 && changed.length > 0 ? [] : deleted,
    })),
  ),
  fault(
    'changed-repeated-beside-array-ignored',
    'ignores changed_thing[] beside deletions in an array',
    beside('deleted_thing', (all) => all.filter(([name]) => name !== 'changed_thing[]')),
  ),
  fault(
    'upload-changes-only-as-many-as-new',
    'changes only as many things as are new',
    applying(({ created, changed }) => ({
      changed: created.length > 1 ? changed.slice(0, created.length) : changed,
    })),
  ),
  fault(
    'changed-twenty-repeated',
    'takes only the first twenty changed_thing[]',
    forms('changed_thing', ({ repeated }) => ({ repeated: repeated.slice(0, 20) })),
  ),
  fault(
    'deleted-twenty-repeated',
    'takes only the first twenty deleted_thing[]',
    forms('deleted_thing', ({ repeated }) => ({ repeated: repeated.slice(0, 20) })),
  ),
  fault('changed-twenty-at-most', 'changes twenty things at most', atMost('changed', 20)),
  fault('deleted-twenty-at-most', 'deletes twenty things at most', atMost('deleted', 20)),
  fault('deleted-ten-at-most', 'deletes ten things at most', atMost('deleted', 10)),
]
