import { createRandom } from '../../lab.ts'
import { type Behavior, plainTag, rightServer } from '../behavior.ts'
import { type Account, ApiError, type Json, type JsonObject, type ServerState, type TagSettings } from '../state.ts'
import { addThing } from '../sync.ts'
import { emptyFields } from '../thing-fields.ts'
import { openSession } from '../token-endpoint.ts'
import { eachAccount, type LegalDifference, legal, notReturningOwnTags } from './difference.ts'

function rejecting(
  isTooMuch: (text: string, field: 'title' | 'tags' | 'url' | 'html') => boolean,
): () => Partial<Behavior> {
  return () => ({
    keepText: (text, field) => {
      if (isTooMuch(text, field)) throw new ApiError('text-invalid', `this server does not take such a ${field}`)
      return text
    },
  })
}

function rejectingDates(isTooMuch: (date: number) => boolean): () => Partial<Behavior> {
  return () => ({
    keepDate: (date) => {
      if (isTooMuch(date)) throw new ApiError('number-invalid', 'this server does not take such a date')
      return date
    },
  })
}

function rejectingUploads(maxCount: number): () => Partial<Behavior> {
  return () => ({
    applied: (upload) => {
      const counts = [upload.created, upload.changed, upload.deleted].map(({ length }) => length)
      if (Math.max(...counts) > maxCount) throw new ApiError('things-many', `more than ${maxCount} things`)
      return upload
    },
  })
}

function rejectingBodies(bytes: number): () => Partial<Behavior> {
  return () => ({
    form: (body, { path }) => {
      const length = body.reduce((sum, [name, value]) => sum + name.length + String(value).length, 0)
      if (path === 'sync' && length > bytes) throw new ApiError('body-large', `more than ${bytes} bytes`)
      return body
    },
  })
}

/** Limits, which a server need not show (interface 8): it rejects a request above a limit as a whole. */
export const legalLimits: readonly LegalDifference[] = [
  legal(
    'core',
    'limits-title-255',
    'rejects titles of more than 255 characters',
    rejecting((text, field) => field === 'title' && text.length > 255),
  ),
  legal(
    'core',
    'limits-url-2000',
    'rejects urls of more than 2,000 characters',
    rejecting((text, field) => field === 'url' && text.length > 2000),
  ),
  legal(
    'core',
    'limits-url-must-be-http',
    'rejects urls that are not of http',
    rejecting((text, field) => field === 'url' && !/^https?:\/\/[\w@.:/?#&=%+;,-]+$/.test(text)),
  ),
  legal(
    'core',
    'limits-html-64k',
    'rejects html of more than 65,535 characters',
    rejecting((text, field) => field === 'html' && text.length > 65_535),
  ),
  legal(
    'core',
    'limits-tags-50',
    'rejects things with more than fifty tags',
    rejecting((text, field) => field === 'tags' && text.split(' ').length > 50),
  ),
  legal(
    'core',
    'limits-tag-length',
    'rejects tags of more than a hundred characters',
    rejecting((text, field) => field === 'tags' && text.split(' ').some((tag) => tag.length > 100)),
  ),
  legal(
    'core',
    'limits-no-past',
    'rejects dates before 1970',
    rejectingDates((date) => date < 0),
  ),
  legal(
    'core',
    'limits-31-bits',
    'rejects dates after 2038',
    rejectingDates((date) => Math.abs(date) > 2_147_483_647),
  ),
  legal(
    'core',
    'limits-year-9999',
    'rejects dates of years with five digits',
    rejectingDates((date) => date > 253_402_300_799),
  ),
  legal('core', 'limits-upload-25', 'takes 25 things of each kind at once', rejectingUploads(25)),
  legal('core', 'limits-upload-100', 'takes a hundred things of each kind at once', rejectingUploads(100)),
  legal('core', 'limits-upload-500', 'takes 500 things of each kind at once', rejectingUploads(500)),
  legal('core', 'limits-body-16k', 'takes bodies of 16 KB', rejectingBodies(16_000)),
  legal('core', 'limits-body-100k', 'takes bodies of 100 KB', rejectingBodies(100_000)),
  legal('core', 'limits-parameters-1000', 'rejects forms of more than a thousand parameters', () => ({
    form: (body) => {
      if (body.length > 1000) throw new ApiError('body-large', 'more than 1,000 parameters')
      return body
    },
  })),
  legal('core', 'limits-tags-at-once', 'sets thirty tags at once at most, and rejects more', () => ({
    submittedTags: (tags) => {
      if (tags.size > 30) throw new ApiError('things-many', 'more than 30 tags')
      return tags
    },
  })),
  legal('core', 'limits-tag-name', 'rejects tag names of more than 128 characters', () => ({
    submittedTags: (tags) => {
      if ([...tags.keys()].some((name) => name.length > 128)) throw new ApiError('text-invalid', 'a name is too long')
      return tags
    },
  })),
  legal('core', 'limits-local-id', 'rejects client-assigned IDs of more than 64 characters', () => ({
    keepLocalId: (localId) => {
      if (String(localId).length > 64) throw new ApiError('text-invalid', 'local_id is too long')
      return String(localId)
    },
  })),
]

const noThings = new Set<never>()

function next(account: Account, step: number): number {
  account.position += step
  return account.position
}

/** Puts old data into each account: things of every kind, tombstones, tag settings. */
function fill(state: ServerState): void {
  for (const account of state.accounts.values()) {
    const session = openSession(state, account.username)
    for (let index = 0; index < 3000; index += 1) {
      const at = next(account, 1)
      const note = {
        url: index % 2 ? `https://example.org/${index}` : undefined,
        html: index % 3 ? '<p>ä</p>' : undefined,
      }
      const rest = { tags: index % 4 ? 'old todo' : '', date: index * 1e5 - 1e8, ...note }
      const fields = { title: index % 50 ? `old ${index}` : '', archived: index % 5 === 0, ...rest }
      addThing(account, session, `old${index}`, fields, at).deleted = index % 7 === 0
    }
    const settings = { favorite: true, color: '#ABCDEF', todo: 'strike' } as const
    account.tags.set('old', { settings: { ...settings, todo: false }, position: next(account, 1) })
    account.tags.set('todo', { settings, position: next(account, 1) })
    account.tags.set('plain', { settings: { favorite: false, color: false, todo: false }, position: next(account, 1) })
  }
}

const beyond = 9_000_000_000_000_000_000n

/** Adds default settings for the tags of listed things, when the response lists settings or all things. */
function withTagsCarried(response: JsonObject, isFull: boolean): JsonObject {
  const changed = (response.things as { changed?: { tags: string }[] } | undefined)?.changed ?? []
  const names = changed.flatMap(({ tags }) => tags.split(/\s+/)).filter((name) => name !== '')
  if (!isFull || names.length === 0) return response
  const carried = names.map((name) => [name, { favorite: false, color: false, todo: false }] as const)
  return { ...response, tags: { ...Object.fromEntries(carried), ...(response.tags as JsonObject | undefined) } }
}

/** Differences in positions and listings. */
export const legalListings: readonly LegalDifference[] = [
  legal(
    'full',
    'pos-is-a-time',
    'takes the clock in milliseconds for positions, and one more within the same',
    () => ({
      nextPosition: (account) => next(account, Math.max(1, Date.now() - account.position)),
    }),
    eachAccount((account) => next(account, Date.now())),
  ),
  legal('full', 'pos-jumps', 'leaves gaps between positions', () => {
    const random = createRandom('gaps')
    return { nextPosition: (account) => next(account, 1 + Math.floor(random() * 1000)) }
  }),
  legal(
    'full',
    'pos-is-huge',
    'has positions near the largest exact number',
    () => ({}),
    eachAccount((account) => next(account, Number.MAX_SAFE_INTEGER - 1_000_000)),
  ),
  legal('core', 'pos-beyond-exact-numbers', 'has positions beyond 2^53, written out', () => ({
    parameters: (all) =>
      all.map(([name, value]) => {
        const isBig = name === 'from' && /^\d{19}$/.test(String(value))
        return isBig ? ([name, String(BigInt(String(value)) - beyond)] as const) : ([name, value] as const)
      }),
    encode: (body) =>
      JSON.stringify(body).replace(/("pos":)(\d+)/g, (_, name: string, pos: string) => name + (BigInt(pos) + beyond)),
  })),
  legal(
    'core',
    'pos-has-fractions',
    'has positions that are no whole numbers',
    () => ({ nextPosition: (account) => next(account, 0.125) }),
    eachAccount((account) => next(account, 1.5e9)),
  ),
  legal('full', 'pos-shared-by-accounts', 'counts the positions of all accounts with one counter', () => {
    let counter = 0
    return {
      nextPosition: (account) => {
        counter += 1
        return next(account, counter - account.position)
      },
    }
  }),
  legal('core', 'pos-moves-by-itself', 'moves pos when nothing changed', () => ({
    position: (account, session, of) => {
      next(account, 1)
      return rightServer.position(account, session, of)
    },
  })),
  legal('core', 'pos-once-an-upload', 'gives all changes of one upload the same position', () => ({
    commit: async (account, work) => {
      const taken = next(account, 1)
      work(() => taken)
    },
  })),
  legal('core', 'order-newest-first', 'lists the latest change first', () => ({
    order: (a, b) => b.position - a.position,
  })),
  legal('core', 'order-by-id', 'lists in the order of ids', () => ({
    order: (a, b) => (String(a.id) < String(b.id) ? -1 : 1),
  })),
  legal('core', 'order-deleted-first', 'pages through deleted ids before things', () => ({ deletedFirst: true })),
  legal('core', 'full-tells-deleted', 'lists deleted ids in full syncs', () => ({
    listsDeleted: (thing, of) => rightServer.listsDeleted(thing, of) || (of.full && thing.deleted),
  })),
  legal('core', 'full-tells-all-tags', 'lists all tag settings in full syncs', () => ({
    listsTag: (name, tag, of) => of.full || rightServer.listsTag(name, tag, of),
  })),
  legal('core', 'created-and-deleted-told', 'lists what was created and deleted between two syncs', () => ({
    listsDeleted: (thing, of) => rightServer.listsDeleted({ ...thing, created: 0 }, of),
  })),
  legal('core', 'own-uploads-echoed', 'lists own uploads and deletions', () => ({
    listsThing: (thing, of) => rightServer.listsThing(thing, { ...of, own: noThings }),
    listsDeleted: (thing, of) => rightServer.listsDeleted(thing, { ...of, own: noThings }),
  })),
  legal(
    'core',
    'own-uploads-echoed-counted-once',
    'lists own uploads, and counts a thing that is both new and changed once',
    () => ({
      listsThing: (thing, of) => rightServer.listsThing(thing, { ...of, own: noThings }),
      thingCount: (counts) => rightServer.thingCount({ ...counts, created: 0 }),
    }),
  ),
  legal(
    'core',
    'own-tags-not-returned',
    'does not repeat the tag settings that were submitted',
    () => notReturningOwnTags,
  ),
  legal('core', 'empty-lists-in-things', 'gives empty lists where things has anything to list', () => ({
    things: (things) => (Object.keys(things).length === 0 ? undefined : { changed: [], deleted: [], ...things }),
  })),
  legal('core', 'pages-from-the-moment', 'makes each page from the state of that moment', () => ({
    keepsPages: false,
  })),
  legal('core', 'limit-zero-lists-all', 'takes limit=0 for no limit', () => ({
    page: (list, skip, limit) => rightServer.page(list, skip, limit || undefined),
  })),
  legal('core', 'future-from-rejected', 'rejects a from beyond the current position', () => ({
    isFull: (from, account) => {
      if ((from ?? 0) > account.position) throw new ApiError('number-invalid', 'from was never given')
      return from === undefined || from === 0
    },
  })),
  legal('full', 'account-holds-old-things', 'holds 3,000 old things', () => ({}), fill),
  legal(
    'core',
    'full-listing-tells-tags-carried',
    'lists in full syncs the settings of every tag that a thing carries, also default ones',
    () => ({
      syncResponse: (response, { parameters }) =>
        withTagsCarried(response, !parameters.some(([name, value]) => name === 'from' && Number(value) > 0)),
    }),
  ),
  legal('full', 'pos-comes-last', 'writes the fields of its responses in another order', () => ({
    syncResponse: (response) => Object.fromEntries(Object.entries(response).reverse()),
    thing: (thing, isTodo) =>
      Object.fromEntries(Object.entries(rightServer.thing(thing, isTodo) as JsonObject).reverse()),
  })),
]

function nextNumber({ memory }: Account): number {
  const number = Number(memory.get('ids') ?? 0) + 1
  memory.set('ids', number)
  return number
}

/** Creates ids of letters that differ only by case. */
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

/** Differences in accepting uploads. */
export const legalUploads: readonly LegalDifference[] = [
  legal(
    'core',
    'same-tag-settings-are-no-change',
    'takes settings that a tag has already for no change, and lists them for no client',
    () => ({
      applied: (upload, _session, { tags }) => ({
        ...upload,
        tags: new Map([...upload.tags].filter(([name, given]) => !saysNothingNew(tags.get(name)?.settings, given))),
      }),
      ...notReturningOwnTags,
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
  legal('core', 'unknown-change-rejected', 'rejects a change of an unknown id', () => ({
    onUnknownChange: () => {
      throw new ApiError('thing-unknown', 'there is no such thing')
    },
  })),
  legal('core', 'unknown-change-ignored', 'ignores a change of an unknown id', () => ({ reportsUnknownChange: false })),
  legal('core', 'unknown-deletion-rejected', 'rejects a deletion of an unknown id', () => ({
    findToDelete: (account, id, state) => {
      const thing = rightServer.findToDelete(account, id, state)
      if (thing === undefined) throw new ApiError('thing-unknown', 'there is no such thing')
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
      several: (kind, given) => rightServer.several(kind, { ...given, indexed: [] }),
      submittedTags: (tags, given) => (given.has('map') || given.has('nested') ? new Map() : tags),
    }),
  ),
  legal('core', 'overlooks-everything', 'rejects nothing that it need not reject', () => ({
    overlooks: [
      ...(['bad-json', 'title-missing', 'local-id-missing', 'boolean-invalid', 'number-invalid'] as const),
      ...(['color-invalid', 'todo-invalid', 'tag-not-map', 'upload-in-get', 'token-twice', 'content-type'] as const),
    ],
  })),
  legal('core', 'limits-are-tight', 'takes at most 100 things and 200,000 characters at once', () => ({
    parameters: (all) => {
      const length = all.reduce((sum, [, value]) => sum + String(value).length, 0)
      if (length > 200_000) throw new ApiError('body-large', 'the body is too large')
      return all
    },
    applied: (upload) => {
      if (upload.created.length > 100) throw new ApiError('things-many', 'more than 100 things')
      return upload
    },
  })),
  legal('core', 'limits-are-very-tight', 'takes at most 20 things at once, of whatever kind', () => ({
    applied: (upload) => {
      const count = upload.created.length + upload.changed.length + upload.deleted.length
      if (count > 20) throw new ApiError('things-many', 'more than 20 things')
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
    'brings a deleted thing back for every client when one changes it later',
    () => ({
      findToChange: (account, id) => {
        const thing = account.things.get(id)
        if (thing !== undefined) thing.deleted = false
        return thing
      },
    }),
  ),
  legal('core', 'empty-title-rejected', 'rejects empty titles', () => ({
    keepText: (text, field) => {
      if (field === 'title' && text === '') throw new ApiError('title-missing', 'title is empty')
      return text
    },
  })),
]
