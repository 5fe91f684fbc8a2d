import { createRandom } from '../../src/random.ts'
import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { openSession } from '../server/token-endpoint.ts'
import type { Account, JsonObject, World } from '../server/world.ts'
import { addThing } from '../server/write.ts'
import { eachAccount, type LegalDifference, legal, notAnsweringOwnTags } from './difference.ts'

const { listsDeleted, listsTag, listsThing, page, position, thingCount } = right
const nobody = new Set<never>()

function next(account: Account, step: number): number {
  account.position += step
  return account.position
}

/** Puts years of old data into each account: things of every kind, tombstones, tag settings. */
function fill(world: World): void {
  for (const account of world.accounts.values()) {
    const session = openSession(world, account.username)
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

/** The answer with default settings for the tags that listed things carry, where settings are told at all or all is listed. */
function withTagsCarried(answer: JsonObject, isFull: boolean): JsonObject {
  const changed = (answer.things as { changed?: { tags: string }[] } | undefined)?.changed ?? []
  const names = changed.flatMap(({ tags }) => tags.split(/\s+/)).filter((name) => name !== '')
  if (!isFull || names.length === 0) return answer
  const carried = names.map((name) => [name, { favorite: false, color: false, todo: false }] as const)
  return { ...answer, tags: { ...Object.fromEntries(carried), ...(answer.tags as JsonObject | undefined) } }
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
      return position(account, session, of)
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
  legal('core', 'full-tells-deleted', 'lists deleted ids in full listings', () => ({
    listsDeleted: (thing, of) => listsDeleted(thing, of) || (of.full && thing.deleted),
  })),
  legal('core', 'full-tells-all-tags', 'lists all tag settings in full listings', () => ({
    listsTag: (name, tag, of) => of.full || listsTag(name, tag, of),
  })),
  legal('core', 'created-and-deleted-told', 'lists what was created and deleted between two syncs', () => ({
    listsDeleted: (thing, of) => listsDeleted({ ...thing, created: 0 }, of),
  })),
  legal('core', 'own-uploads-echoed', 'lists own uploads and deletions', () => ({
    listsThing: (thing, of) => listsThing(thing, { ...of, own: nobody }),
    listsDeleted: (thing, of) => listsDeleted(thing, { ...of, own: nobody }),
  })),
  legal(
    'core',
    'own-uploads-echoed-counted-once',
    'lists own uploads, and counts a thing that is both new and changed once',
    () => ({
      listsThing: (thing, of) => listsThing(thing, { ...of, own: nobody }),
      thingCount: (counts) => thingCount({ ...counts, created: 0 }),
    }),
  ),
  legal(
    'core',
    'own-tags-not-answered',
    'does not repeat the tag settings that were submitted',
    () => notAnsweringOwnTags,
  ),
  legal('core', 'empty-lists-in-things', 'gives empty lists where things has anything to list', () => ({
    things: (things) => (Object.keys(things).length === 0 ? undefined : { changed: [], deleted: [], ...things }),
  })),
  legal('core', 'pages-from-the-moment', 'makes each page from the state of that moment', () => ({
    keepsPages: false,
  })),
  legal('core', 'limit-zero-lists-all', 'takes limit=0 for no limit', () => ({
    page: (list, skip, limit) => page(list, skip, limit || undefined),
  })),
  legal('core', 'future-from-refused', 'refuses a from beyond the current position', () => ({
    isFull: (from, account) => {
      if ((from ?? 0) > account.position) throw new Refusal('number-invalid', 'from was never given')
      return from === undefined || from === 0
    },
  })),
  legal('full', 'account-holds-old-things', 'holds 3,000 old things', () => ({}), fill),
  legal(
    'core',
    'full-listing-tells-tags-carried',
    'tells in full listings the settings of every tag that a thing carries, default ones too',
    () => ({
      syncAnswer: (answer, { parameters }) =>
        withTagsCarried(answer, !parameters.some(([name, value]) => name === 'from' && Number(value) > 0)),
    }),
  ),
  legal('full', 'pos-comes-last', 'writes the fields of its answers in another order', () => ({
    syncAnswer: (answer) => Object.fromEntries(Object.entries(answer).reverse()),
    thing: (thing, isTodo) => Object.fromEntries(Object.entries(right.thing(thing, isTodo) as JsonObject).reverse()),
  })),
]
