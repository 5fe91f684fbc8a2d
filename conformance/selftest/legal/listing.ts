import { createRandom } from '../../src/random.ts'
import { right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { openSession } from '../server/token-endpoint.ts'
import type { Account, JsonObject, World } from '../server/world.ts'
import { addThing } from '../server/write.ts'
import { eachAccount, type LegalDifference, notAnsweringOwnTags } from './difference.ts'

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
      const rest = { tags: index % 4 ? 'old todo' : '', date: index * 1e5 - 1e8, todoStatus: undefined, ...note }
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
  {
    id: 'pos-is-a-time',
    title: 'takes the clock in milliseconds for positions, and one more within the same',
    profile: 'full',
    behaviour: () => ({
      nextPosition: (account) => next(account, Math.max(1, Date.now() - account.position)),
    }),
    prepare: eachAccount((account) => next(account, Date.now())),
  },
  {
    id: 'pos-jumps',
    title: 'leaves gaps between positions',
    profile: 'full',
    behaviour: () => {
      const random = createRandom('gaps')
      return { nextPosition: (account) => next(account, 1 + Math.floor(random() * 1000)) }
    },
  },
  {
    id: 'pos-is-huge',
    title: 'has positions near the largest exact number',
    profile: 'full',
    behaviour: () => ({}),
    prepare: eachAccount((account) => next(account, Number.MAX_SAFE_INTEGER - 1_000_000)),
  },
  {
    id: 'pos-beyond-exact-numbers',
    title: 'has positions beyond 2^53, written out',
    profile: 'core',
    behaviour: () => ({
      parameters: (all) =>
        all.map(([name, value]) => {
          const isBig = name === 'from' && /^\d{19}$/.test(String(value))
          return isBig ? ([name, String(BigInt(String(value)) - beyond)] as const) : ([name, value] as const)
        }),
      encode: (body) =>
        JSON.stringify(body).replace(/("pos":)(\d+)/g, (_, name: string, pos: string) => name + (BigInt(pos) + beyond)),
    }),
  },
  {
    id: 'pos-has-fractions',
    title: 'has positions that are no whole numbers',
    profile: 'core',
    behaviour: () => ({ nextPosition: (account) => next(account, 0.125) }),
    prepare: eachAccount((account) => next(account, 1.5e9)),
  },
  {
    id: 'pos-shared-by-accounts',
    title: 'counts the positions of all accounts with one counter',
    profile: 'full',
    behaviour: () => {
      let counter = 0
      return {
        nextPosition: (account) => {
          counter += 1
          return next(account, counter - account.position)
        },
      }
    },
  },
  {
    id: 'pos-moves-by-itself',
    title: 'moves pos when nothing changed',
    profile: 'core',
    behaviour: () => ({
      position: (account, session, of) => {
        next(account, 1)
        return position(account, session, of)
      },
    }),
  },
  {
    id: 'pos-once-an-upload',
    title: 'gives all changes of one upload the same position',
    profile: 'core',
    behaviour: () => ({
      commit: async (account, work) => {
        const taken = next(account, 1)
        work(() => taken)
      },
    }),
  },
  {
    id: 'order-newest-first',
    title: 'lists the latest change first',
    profile: 'core',
    behaviour: () => ({ order: (a, b) => b.position - a.position }),
  },
  {
    id: 'order-by-id',
    title: 'lists in the order of ids',
    profile: 'core',
    behaviour: () => ({ order: (a, b) => (String(a.id) < String(b.id) ? -1 : 1) }),
  },
  {
    id: 'order-deleted-first',
    title: 'pages through deleted ids before things',
    profile: 'core',
    behaviour: () => ({ deletedFirst: true }),
  },
  {
    id: 'full-tells-deleted',
    title: 'lists deleted ids in full listings',
    profile: 'core',
    behaviour: () => ({ listsDeleted: (thing, of) => listsDeleted(thing, of) || (of.full && thing.deleted) }),
  },
  {
    id: 'full-tells-all-tags',
    title: 'lists all tag settings in full listings',
    profile: 'core',
    behaviour: () => ({ listsTag: (name, tag, of) => of.full || listsTag(name, tag, of) }),
  },
  {
    id: 'created-and-deleted-told',
    title: 'lists what was created and deleted between two syncs',
    profile: 'core',
    behaviour: () => ({ listsDeleted: (thing, of) => listsDeleted({ ...thing, created: 0 }, of) }),
  },
  {
    id: 'own-uploads-echoed',
    title: 'lists own uploads and deletions',
    profile: 'core',
    behaviour: () => ({
      listsThing: (thing, of) => listsThing(thing, { ...of, own: nobody }),
      listsDeleted: (thing, of) => listsDeleted(thing, { ...of, own: nobody }),
    }),
  },
  {
    id: 'own-uploads-echoed-counted-once',
    title: 'lists own uploads, and counts a thing that is both new and changed once',
    profile: 'core',
    behaviour: () => ({
      listsThing: (thing, of) => listsThing(thing, { ...of, own: nobody }),
      thingCount: (counts) => thingCount({ ...counts, created: 0 }),
    }),
  },
  {
    id: 'own-tags-not-answered',
    title: 'does not repeat the tag settings that were submitted',
    profile: 'core',
    behaviour: () => notAnsweringOwnTags,
  },
  {
    id: 'empty-lists-in-things',
    title: 'gives empty lists where things has anything to list',
    profile: 'core',
    behaviour: () => ({
      things: (things) => (Object.keys(things).length === 0 ? undefined : { changed: [], deleted: [], ...things }),
    }),
  },
  {
    id: 'pages-from-the-moment',
    title: 'makes each page from the state of that moment',
    profile: 'core',
    behaviour: () => ({ keepsPages: false }),
  },
  {
    id: 'limit-zero-lists-all',
    title: 'takes limit=0 for no limit',
    profile: 'core',
    behaviour: () => ({ page: (list, skip, limit) => page(list, skip, limit || undefined) }),
  },
  {
    id: 'future-from-refused',
    title: 'refuses a from beyond the current position',
    profile: 'core',
    behaviour: () => ({
      isFull: (from, account) => {
        if ((from ?? 0) > account.position) throw new Refusal('number-invalid', 'from was never given')
        return from === undefined || from === 0
      },
    }),
  },
  {
    id: 'account-holds-old-things',
    title: 'holds 3,000 old things',
    profile: 'full',
    behaviour: () => ({}),
    prepare: fill,
  },
  {
    id: 'full-listing-tells-tags-carried',
    title: 'tells in full listings the settings of every tag that a thing carries, default ones too',
    profile: 'core',
    behaviour: () => ({
      syncAnswer: (answer, { parameters }) =>
        withTagsCarried(answer, !parameters.some(([name, value]) => name === 'from' && Number(value) > 0)),
    }),
  },
  {
    id: 'pos-comes-last',
    title: 'writes the fields of its answers in another order',
    profile: 'full',
    behaviour: () => ({
      syncAnswer: (answer) => Object.fromEntries(Object.entries(answer).reverse()),
      thing: (thing, isTodo) => Object.fromEntries(Object.entries(right.thing(thing, isTodo) as JsonObject).reverse()),
    }),
  },
]
