import {
  type Behavior,
  type ChangedThing,
  type Exchange,
  type Parameter,
  rightServer,
} from '../../src/model/behavior.ts'
import { type Account, ApiError, type JsonObject, type Thing } from '../../src/model/state.ts'
import type { ThingFields } from '../../src/model/thing-fields.ts'
import { createFaults, type Fault, fault } from './fault.ts'

type TextName = 'title' | 'tags' | 'url' | 'html'

/** Takes a changed text for the old one when both are equal in another form. */
const equalBy = (key: (text: string) => string, ...names: readonly TextName[]): Partial<Behavior> => ({
  changedFields: (old, change) => {
    const result: ThingFields = { ...old, ...change }
    for (const name of names) {
      const [before, after] = [old[name], change[name]]
      if (before !== undefined && after !== undefined && key(before) === key(after)) result[name] = before
    }
    return result
  },
})

/** Takes an emptied field of a change for an omitted one. */
const emptyIsAbsent = (name: 'tags' | 'url' | 'html' | 'title'): Partial<Behavior> => ({
  changedFields: (old, change) => ({
    ...old,
    ...change,
    ...((change[name] ?? '') === '' ? { [name]: old[name] } : {}),
  }),
})

const withoutAccents = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '')
const everyText = ['title', 'tags', 'url', 'html'] as const

const firstOfEach = (changed: readonly ChangedThing[]): readonly ChangedThing[] => [
  ...new Map([...changed].reverse().map((each) => [each.id, each])).values(),
]

/** Whether a change gives a thing the html of its creation. */
const isChangeBack = (account: Account, { id, fields }: ChangedThing): boolean =>
  fields.html !== undefined && fields.html === account.things.get(id)?.first.html

/** Rejects uploads with some changes. */
const rejectingChanges = (isRejected: (fields: Partial<ThingFields>) => boolean): Partial<Behavior> => ({
  applied: (upload) => {
    if (upload.changed.some(({ fields }) => isRejected(fields)))
      throw new ApiError('parameter-invalid', 'this change is not allowed')
    return upload
  },
})

/** Servers that ignore, reject or spread some changes of one thing. */
export const singleChangeFaults: readonly Fault[] = [
  ...createFaults(
    equalBy,
    ['change-of-case-ignored', 'ignores a change of letter case', (text) => text.toLowerCase(), 'title', 'html'],
    ['change-of-tag-case-ignored', 'ignores a change of the letter case of tags', (text) => text.toLowerCase(), 'tags'],
    ['change-of-accent-ignored', 'ignores a change of accents', withoutAccents, ...everyText],
    ['change-of-blanks-ignored', 'ignores a change of blanks', (text) => text.replace(/\s+/g, ''), 'title', 'html'],
    [
      'change-of-url-end-ignored',
      'ignores a slash or a fragment added to a url',
      (text) => text.replace(/(\/|#.*)$/, ''),
      'url',
    ],
    ['change-of-markup-ignored', 'ignores a change of elements alone', (text) => text.replace(/<[^>]*>/g, ''), 'html'],
  ),
  ...createFaults(
    emptyIsAbsent,
    ['change-empty-tags-ignored', 'ignores tags that a change empties', 'tags'],
    ['change-empty-title-ignored', 'ignores a title that a change empties', 'title'],
    ['change-empty-html-ignored', 'ignores html that a change empties', 'html'],
    ['change-empty-url-ignored', 'ignores a url that a change empties', 'url'],
  ),
  fault('change-to-date-zero-ignored', 'ignores a change of a date to 0', {
    changedFields: (old, change) => ({ ...old, ...change, date: change.date || old.date }),
  }),
  fault('change-back-unlisted', 'does not list a thing that is again as it was created', {
    listsThing: (thing, of) =>
      rightServer.listsThing(thing, of) &&
      (of.full || thing.created > of.from || thing.fields.html !== thing.first.html),
  }),
  fault('change-back-ignored', 'ignores a change to the state of the creation', {
    applied: (upload, _session, account) => ({
      ...upload,
      changed: upload.changed.filter((change) => !isChangeBack(account, change)),
    }),
  }),
  fault(
    'change-back-listed-only',
    'lists a thing that is changed to the state of its creation, and does not change it',
    {
      applied: (upload, _session, account) => ({
        ...upload,
        changed: upload.changed.map((change) => (isChangeBack(account, change) ? { ...change, fields: {} } : change)),
      }),
    },
  ),
  ...createFaults(
    rejectingChanges,
    ['change-to-date-zero-rejected', 'rejects a change of a date to 0', ({ date }) => date === 0],
    ['change-empty-tags-rejected', 'rejects a change that empties the tags', ({ tags }) => tags === ''],
  ),
  fault('change-of-archived-redates', 'gives a thing a new date when a change archives it', {
    changedFields: (old, change) => ({
      ...old,
      ...change,
      ...(change.archived === true && !old.archived ? { date: Math.floor(Date.now() / 1000) } : {}),
    }),
  }),
  fault('change-emptied-tags-untitled', 'takes the title of a thing away when a change empties its tags', {
    changedFields: (old, change) => ({ ...old, ...change, ...(change.tags === '' ? { title: '' } : {}) }),
  }),
  fault('change-first-of-several', 'applies the first of several changes of a thing', {
    applied: (upload) => ({ ...upload, changed: firstOfEach(upload.changed) }),
  }),
  fault('change-several-listed-twice', 'lists a thing for each of its changes in one upload', {
    applied: (upload, _session, account) => {
      const ids = upload.changed.map(({ id }) => id)
      if (ids.length > 0) account.memory.set('twice', new Set(ids.filter((id, index) => ids.indexOf(id) !== index)))
      return upload
    },
    listed: (list, kind, { account }) => {
      const twice = (account.memory.get('twice') ?? new Set()) as ReadonlySet<unknown>
      return kind === 'deleted' ? list : list.flatMap((each) => (twice.has(each.id) ? [each, each] : [each]))
    },
  }),
  fault('change-several-counted-twice', 'counts a thing for each of its changes in one upload', {
    applied: (upload, _session, account) => {
      if (upload.changed.length > 0)
        account.memory.set('more', upload.changed.length - new Set(upload.changed.map(({ id }) => id)).size)
      return upload
    },
    syncResponse: (response, { account }) => {
      const more = Number(account?.memory.get('more') ?? 0)
      return response.thingCount === undefined
        ? response
        : { ...response, thingCount: Number(response.thingCount) + more }
    },
  }),
]

/** Drops some upload parameters, by all parameters of the request. */
const dropping = (
  isDropped: (name: string, all: readonly Parameter[], index: number) => boolean,
): Partial<Behavior> => ({
  parameters: (all) => all.filter(([name], index) => !isDropped(name, all, index)),
})

const isArray = (value: unknown): boolean => String(value).startsWith('[')

/** Servers that lose parts of an upload in some mixtures of notations. */
export const mixedNotationFaults: readonly Fault[] = createFaults(
  dropping,
  [
    'mixed-kind-plain-only',
    'ignores repeated things beside the same name without brackets',
    (name, all) => /_thing\[\]$/.test(name) && all.some(([other]) => other === name.slice(0, -2)),
  ],
  [
    'mixed-kind-repeated-only',
    'ignores things without brackets beside the same name with them',
    (name, all) => name.endsWith('_thing') && all.some(([other]) => other === `${name}[]`),
  ],
  [
    'mixed-kind-first-only',
    'takes the things of one kind from the notation that comes first',
    (name, all) => {
      const kind = name.replace('[]', '')
      const first = all.find(([other]) => other === kind || other === `${kind}[]`)
      return kind.endsWith('_thing') && first !== undefined && first[0] !== name
    },
  ],
  [
    'mixed-changed-plain-lost',
    'ignores a changed thing without brackets beside changed_thing[]',
    (name, all) => name === 'changed_thing' && all.some(([other]) => other === 'changed_thing[]'),
  ],
  [
    'mixed-changed-repeated-lost',
    'ignores changed_thing[] beside a changed thing without brackets',
    (name, all) => name === 'changed_thing[]' && all.some(([other]) => other === 'changed_thing'),
  ],
  [
    'mixed-deleted-plain-lost',
    'ignores a deletion without brackets beside deleted_thing[]',
    (name, all) => name === 'deleted_thing' && all.some(([other]) => other === 'deleted_thing[]'),
  ],
  [
    'mixed-deleted-repeated-lost',
    'ignores deleted_thing[] beside a deletion without brackets',
    (name, all) => name === 'deleted_thing[]' && all.some(([other]) => other === 'deleted_thing'),
  ],
  [
    'mixed-array-hides-repeated',
    'ignores changed_thing[] beside a new_thing that is an array',
    (name, all) => name === 'changed_thing[]' && all.some(([other, value]) => other === 'new_thing' && isArray(value)),
  ],
  [
    'mixed-plain-deletion-lost',
    'ignores a plain deleted_thing beside changed_thing[]',
    (name, all) =>
      name === 'deleted_thing' &&
      !isArray(all.find(([other]) => other === name)?.[1]) &&
      all.some(([other]) => other === 'changed_thing[]'),
  ],
  [
    'mixed-object-beside-array-lost',
    'ignores a new_thing that is an object beside a changed_thing that is an array',
    (name, all) =>
      name === 'new_thing' &&
      !isArray(all.find(([other]) => other === name)?.[1]) &&
      isArray(all.find(([other]) => other === 'changed_thing')?.[1]),
  ],
  [
    'mixed-tag-before-things-lost',
    'ignores tag settings that come before new things',
    (name, all, index) => name.startsWith('tag[') && all.slice(index).some(([other]) => other.startsWith('new_thing')),
  ],
  [
    'mixed-new-last-lost',
    'ignores new things that come after deletions',
    (name, all, index) =>
      name.startsWith('new_thing') && all.slice(0, index).some(([other]) => other.startsWith('deleted_thing')),
  ],
)

const parsed = (value: unknown): JsonObject | undefined => {
  try {
    return JSON.parse(String(value)) as JsonObject
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

/** Applies a piece of an upload that was rejected with 400. */
const leaving = (
  apply: (account: Account, parameters: readonly Parameter[], exchange: Exchange) => void,
): Partial<Behavior> => ({
  reply: (reply, exchange) => {
    const { account, parameters, path } = exchange
    if (reply.status === 400 && path === 'sync' && account !== undefined) apply(account, parameters, exchange)
    return reply
  },
})

/** Touches an existing thing that a parameter of the upload names. */
const touching =
  (name: string, edit: (thing: Thing, value: unknown) => void) =>
  (account: Account, parameters: readonly Parameter[]): void => {
    for (const [given, value] of parameters) {
      const id = given !== name ? undefined : name.startsWith('deleted') ? value : parsed(value)?._id
      const thing = account.things.get(id)
      if (thing === undefined || thing.deleted) continue
      edit(thing, value)
      account.position += 1
      thing.position = account.position
    }
  }

/** Servers that apply a part of a rejected request; they violate only the contract. */
export const halfRequestFaults: readonly Fault[] = createFaults(
  leaving,
  [
    'half-request-new-applied',
    'creates the new things before a wrong part',
    (account, parameters) => {
      const [thing] = account.things.values()
      const given = parameters.find(([name]) => name === 'new_thing[]')
      if (thing === undefined || given === undefined) return
      account.position += 1
      account.things.set(`half${account.position}`, {
        ...thing,
        id: `half${account.position}`,
        deleted: false,
        position: account.position,
      })
    },
  ],
  [
    'half-request-change-applied',
    'applies the changes of a rejected request',
    touching('changed_thing[]', (thing, value) => {
      thing.fields = { ...thing.fields, title: String(parsed(value)?.title ?? thing.fields.title) }
    }),
  ],
  [
    'half-request-deletion-applied',
    'deletes what a rejected request deletes',
    touching('deleted_thing[]', (thing) => {
      thing.deleted = true
    }),
  ],
  [
    'half-request-tag-applied',
    'applies the tag settings of a rejected request',
    (account, parameters) => {
      const name = parameters.map(([each]) => /^tag\[(\w+)\]$/.exec(each)?.[1]).find((each) => each !== undefined)
      if (name === undefined) return
      account.position += 1
      account.tags.set(name, { settings: { favorite: true, color: false, todo: false }, position: account.position })
    },
  ],
  [
    'wrong-color-rest-applied',
    'applies the changes of a request with a wrong color',
    (account, parameters) => {
      if (!parameters.some(([, value]) => String(value).includes('"color":"red"'))) return
      touching('changed_thing[]', (thing) => {
        thing.fields = { ...thing.fields, title: 'half' }
      })(account, parameters)
    },
  ],
)
