import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { plainTag } from '../server/right-listings.ts'
import type { Account, Json, TagSettings } from '../server/world.ts'
import { type LegalDifference, notAnsweringOwnTags } from './difference.ts'

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
  {
    id: 'same-tag-settings-are-no-change',
    title: 'takes settings of a tag that are those it has for no change, and tells nobody',
    profile: 'core',
    behaviour: () => ({
      applied: (upload, _session, { tags }) => ({
        ...upload,
        tags: new Map([...upload.tags].filter(([name, given]) => !saysNothingNew(tags.get(name)?.settings, given))),
      }),
      ...notAnsweringOwnTags,
    }),
  },
  {
    id: 'ids-look-like-numbers',
    title: 'gives ids that look like numbers',
    profile: 'full',
    behaviour: () => ({ newId: (account) => String(1_000_000 + nextNumber(account)) }),
  },
  {
    id: 'ids-are-long',
    title: 'gives ids of 200 characters',
    profile: 'full',
    behaviour: () => ({ newId: (account) => `${nextNumber(account)}`.padStart(200, 'x') }),
  },
  {
    id: 'ids-differ-by-case',
    title: 'gives ids that differ by case alone',
    profile: 'full',
    behaviour: () => ({ newId: (account) => letterCase(nextNumber(account)) }),
  },
  {
    id: 'ids-repeat-in-accounts',
    title: 'gives the same ids in each account',
    profile: 'full',
    behaviour: () => ({ newId: (account) => `thing${nextNumber(account)}` }),
  },
  {
    id: 'unknown-change-refused',
    title: 'refuses a change of an unknown id',
    profile: 'core',
    behaviour: () => ({
      onUnknownChange: () => {
        throw new Refusal('thing-unknown', 'there is no such thing')
      },
    }),
  },
  {
    id: 'unknown-change-ignored',
    title: 'ignores a change of an unknown id',
    profile: 'core',
    behaviour: () => ({ reportsUnknownChange: false }),
  },
  {
    id: 'unknown-deletion-refused',
    title: 'refuses a deletion of an unknown id',
    profile: 'core',
    behaviour: () => ({
      findToDelete: (account, id, world) => {
        const thing = findToDelete(account, id, world)
        if (thing === undefined) throw new Refusal('thing-unknown', 'there is no such thing')
        return thing
      },
    }),
  },
  {
    id: 'shared-local-id-last-wins',
    title: 'keeps the last of two new things with one local_id',
    profile: 'core',
    behaviour: () => ({
      overlooks: ['local-id-shared'],
      applied: (upload) => ({ ...upload, created: lastOfEach(upload.created) }),
    }),
  },
  {
    id: 'left-out-is-cleared',
    title: 'clears the fields that a changed thing leaves out',
    profile: 'core',
    behaviour: () => ({
      changedFields: (old, change) => {
        const kept = { title: old.title, date: old.date, archived: false, tags: '' }
        return { ...kept, url: undefined, html: undefined, todoStatus: undefined, ...change }
      },
    }),
  },
  {
    id: 'retries-create-again',
    title: 'creates things again when an upload is repeated',
    profile: 'core',
    behaviour: () => ({ rememberedUploads: () => undefined }),
  },
  {
    id: 'todo-true-is-dont-strike',
    title: 'takes todo: true for dont-strike',
    profile: 'core',
    behaviour: () => ({ todoTrue: 'dont-strike' }),
  },
  {
    id: 'colors-as-sent',
    title: 'keeps the case of colors',
    profile: 'core',
    behaviour: () => ({ keepColor: (color) => color }),
  },
  {
    id: 'colors-in-upper-case',
    title: 'raises the case of colors',
    profile: 'core',
    behaviour: () => ({ keepColor: (color) => color.toUpperCase() }),
  },
  {
    id: 'tag-settings-replaced',
    title: 'resets the tag settings that were left out',
    profile: 'core',
    behaviour: () => ({ changedTag: (_old, change) => ({ ...plainTag, ...change }) }),
  },
  {
    id: 'reads-only-what-is-given',
    title: 'takes neither JSON bodies nor index brackets, nested tags, texts for booleans or the query of a POST',
    profile: 'core',
    behaviour: () => ({
      readsJsonBody: false,
      readsBooleanText: false,
      readsTodoText: false,
      readsQueryOfPost: false,
      several: (kind, given) => right.several(kind, { ...given, indexed: [] }),
      submittedTags: (tags, given) => (given.has('map') || given.has('nested') ? new Map() : tags),
    }),
  },
  {
    id: 'overlooks-everything',
    title: 'refuses nothing that it need not refuse',
    profile: 'core',
    behaviour: () => ({
      overlooks: [
        ...(['bad-json', 'title-missing', 'local-id-missing', 'boolean-invalid', 'number-invalid'] as const),
        ...(['color-invalid', 'todo-invalid', 'tag-not-map', 'upload-in-get', 'token-twice', 'content-type'] as const),
      ],
    }),
  },
  {
    id: 'limits-are-tight',
    title: 'takes at most 100 things and 200,000 characters at once',
    profile: 'core',
    behaviour: () => ({
      parameters: (all) => {
        const length = all.reduce((sum, [, value]) => sum + String(value).length, 0)
        if (length > 200_000) throw new Refusal('body-large', 'the body is too large')
        return all
      },
      applied: (upload) => {
        if (upload.created.length > 100) throw new Refusal('things-many', 'more than 100 things')
        return upload
      },
    }),
  },
  {
    id: 'limits-are-very-tight',
    title: 'takes at most 20 things at once, of whatever kind',
    profile: 'core',
    behaviour: () => ({
      applied: (upload) => {
        const count = upload.created.length + upload.changed.length + upload.deleted.length
        if (count > 20) throw new Refusal('things-many', 'more than 20 things')
        return upload
      },
    }),
  },
  {
    id: 'tags-are-a-set',
    title: 'keeps the tags of a thing as a set, in the order of the alphabet',
    profile: 'core',
    behaviour: () => ({
      keepText: (text, field) =>
        field === 'tags' ? [...new Set(text.split(' ').filter((tag) => tag !== ''))].sort().join(' ') : text,
    }),
  },
  {
    id: 'late-change-revives',
    title: 'brings a deleted thing back for everybody when somebody changes it later',
    profile: 'core',
    behaviour: () => ({
      findToChange: (account, id) => {
        const thing = account.things.get(id)
        if (thing !== undefined) thing.deleted = false
        return thing
      },
    }),
  },
  {
    id: 'empty-title-refused',
    title: 'refuses empty titles',
    profile: 'core',
    behaviour: () => ({
      keepText: (text, field) => {
        if (field === 'title' && text === '') throw new Refusal('title-missing', 'title is empty')
        return text
      },
    }),
  },
]
