import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { plainTag } from '../server/right-listings.ts'
import { emptyFields } from '../server/thing-fields.ts'
import type { Account, Json, TagSettings } from '../server/world.ts'
import { type LegalDifference, legal, notAnsweringOwnTags } from './difference.ts'

const { findToDelete } = right

function nextNumber({ memory }: Account): number {
  const number = Number(memory.get('ids') ?? 0) + 1
  memory.set('ids', number)
  return number
}

/** Ids of letters that differ by case alone. */
function letterCase(number: number): string {
  return [...number.toString(2).padStart(24, '0')].map((bit) => (bit === '1' ? 'A' : 'a')).join('')
}

function lastOfEach<T extends { readonly localId: Json }>(created: readonly T[]): readonly T[] {
  return [...new Map(created.map((thing) => [thing.localId, thing])).values()]
}

function saysNothingNew(old: TagSettings | undefined, given: Partial<TagSettings>): boolean {
  const names = Object.keys(given) as (keyof TagSettings)[]
  return old !== undefined && names.every((name) => given[name] === old[name])
}

/** Differences in how uploads are taken. */
export const legalUploads: readonly LegalDifference[] = [
  legal(
    'core',
    'same-tag-settings-are-no-change',
    'takes settings of a tag that are those it has for no change, and tells nobody',
    () => ({
      applied: (upload, _session, { tags }) => ({
        ...upload,
        tags: new Map([...upload.tags].filter(([name, given]) => !saysNothingNew(tags.get(name)?.settings, given))),
      }),
      ...notAnsweringOwnTags,
    }),
  ),
  legal('full', 'ids-look-like-numbers', 'gives ids that look like numbers', () => ({
    newId: (account) => String(1_000_000 + nextNumber(account)),
  })),
  legal('full', 'ids-are-long', 'gives ids of 200 characters', () => ({
    newId: (account) => `${nextNumber(account)}`.padStart(200, 'x'),
  })),
  legal('full', 'ids-differ-by-case', 'gives ids that differ by case alone', () => ({
    newId: (account) => letterCase(nextNumber(account)),
  })),
  legal('full', 'ids-repeat-in-accounts', 'gives the same ids in each account', () => ({
    newId: (account) => `thing${nextNumber(account)}`,
  })),
  legal('core', 'unknown-change-refused', 'refuses a change of an unknown id', () => ({
    onUnknownChange: () => {
      throw new Refusal('thing-unknown', 'there is no such thing')
    },
  })),
  legal('core', 'unknown-change-ignored', 'ignores a change of an unknown id', () => ({ reportsUnknownChange: false })),
  legal('core', 'unknown-deletion-refused', 'refuses a deletion of an unknown id', () => ({
    findToDelete: (account, id, world) => {
      const thing = findToDelete(account, id, world)
      if (thing === undefined) throw new Refusal('thing-unknown', 'there is no such thing')
      return thing
    },
  })),
  legal('core', 'shared-local-id-last-wins', 'keeps the last of two new things with one local_id', () => ({
    overlooks: ['local-id-shared'],
    applied: (upload) => ({ ...upload, created: lastOfEach(upload.created) }),
  })),
  legal('core', 'left-out-is-cleared', 'clears the fields that a changed thing leaves out', () => ({
    changedFields: (old, change) => ({ ...emptyFields, title: old.title, date: old.date, ...change }),
  })),
  legal('core', 'retries-create-again', 'creates things again when an upload is repeated', () => ({
    rememberedUploads: () => undefined,
  })),
  legal('core', 'todo-true-is-dont-strike', 'takes todo: true for dont-strike', () => ({ todoTrue: 'dont-strike' })),
  legal('core', 'colors-as-sent', 'keeps the case of colors', () => ({ keepColor: (color) => color })),
  legal('core', 'colors-in-upper-case', 'raises the case of colors', () => ({
    keepColor: (color) => color.toUpperCase(),
  })),
  legal('core', 'tag-settings-replaced', 'resets the tag settings that were left out', () => ({
    changedTag: (_old, change) => ({ ...plainTag, ...change }),
  })),
  legal(
    'core',
    'reads-only-what-is-given',
    'takes neither JSON bodies nor index brackets, nested tags, texts for booleans or the query of a POST',
    () => ({
      readsJsonBody: false,
      readsBooleanText: false,
      readsTodoText: false,
      readsQueryOfPost: false,
      several: (kind, given) => right.several(kind, { ...given, indexed: [] }),
      submittedTags: (tags, given) => (given.has('map') || given.has('nested') ? new Map() : tags),
    }),
  ),
  legal('core', 'overlooks-everything', 'refuses nothing that it need not refuse', () => ({
    overlooks: [
      ...(['bad-json', 'title-missing', 'local-id-missing', 'boolean-invalid', 'number-invalid'] as const),
      ...(['color-invalid', 'todo-invalid', 'tag-not-map', 'upload-in-get', 'token-twice', 'content-type'] as const),
    ],
  })),
  legal('core', 'limits-are-tight', 'takes at most 100 things and 200,000 characters at once', () => ({
    parameters: (all) => {
      const length = all.reduce((sum, [, value]) => sum + String(value).length, 0)
      if (length > 200_000) throw new Refusal('body-large', 'the body is too large')
      return all
    },
    applied: (upload) => {
      if (upload.created.length > 100) throw new Refusal('things-many', 'more than 100 things')
      return upload
    },
  })),
  legal('core', 'limits-are-very-tight', 'takes at most 20 things at once, of whatever kind', () => ({
    applied: (upload) => {
      const count = upload.created.length + upload.changed.length + upload.deleted.length
      if (count > 20) throw new Refusal('things-many', 'more than 20 things')
      return upload
    },
  })),
  legal('core', 'tags-are-a-set', 'keeps the tags of a thing as a set, in the order of the alphabet', () => ({
    keepText: (text, field) =>
      field === 'tags' ? [...new Set(text.split(' ').filter((tag) => tag !== ''))].sort().join(' ') : text,
  })),
  legal(
    'core',
    'late-change-revives',
    'brings a deleted thing back for everybody when somebody changes it later',
    () => ({
      findToChange: (account, id) => {
        const thing = account.things.get(id)
        if (thing !== undefined) thing.deleted = false
        return thing
      },
    }),
  ),
  legal('core', 'empty-title-refused', 'refuses empty titles', () => ({
    keepText: (text, field) => {
      if (field === 'title' && text === '') throw new Refusal('title-missing', 'title is empty')
      return text
    },
  })),
]
