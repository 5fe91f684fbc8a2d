/*
 * Generated cases at the borders of listings (interface 4.3): which settings a full sync and its pages list, numbers
 * around the sizes of integers as limit and skip, pages over deleted IDs, counts of uploads, and skip_id in full syncs.
 */
import { showValue } from '../encoding.ts'
import { expect, expectSame, expectTag, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import type { Replica } from '../replica.ts'
import { coreRulesOf } from '../rule.ts'
import {
  isSyncResponse,
  off,
  readSyncResponse,
  type SyncParameters,
  type SyncResponse,
  type TagSettings,
} from '../sync-messages.ts'
import { lowerCase } from './upload-steps.ts'

type Settings = Required<TagSettings>

/** The seven combinations of settings that are not all default. */
const specialSettings = [true, false].flatMap((favorite) =>
  (['#12ab9f', false] as const).flatMap((color) =>
    [true, false]
      .map((todo): Settings => ({ favorite, color, todo }))
      .filter((each) => Object.values(each).some(Boolean)),
  ),
)

/** Expects the settings of a tag, if `tags` must contain them. */
const expectSettings = (response: SyncResponse, name: string, wanted: Settings, because: string): void => {
  const { favorite, color, todo } = expectTag(response, name, because)
  const came = [favorite, lowerCase(color), todo !== false]
  const expected = `favorite, color and todo of the tag ${name}, because ${because}`
  expectSame(came, [wanted.favorite, wanted.color, wanted.todo], expected, response)
}

/** Fetches all pages of a listing. */
const fetchPages = async (
  replica: Replica,
  limit: number,
  parameters: SyncParameters = {},
): Promise<SyncResponse[]> => {
  const pages: SyncResponse[] = []
  for (let skip = 0; ; skip += limit) {
    const page = await replica.sync({ ...parameters, skip, limit })
    pages.push(page)
    const count = typeof page.json.thingCount === 'number' ? page.json.thingCount : 0
    if (skip + limit >= count) return pages
  }
}

/** Numbers around the sizes of integers, and usual maximums. */
const borderNumbers = [
  6, 10, 99, 100, 101, 127, 128, 129, 255, 256, 500, 999, 1000, 1001, 9999, 32_767, 32_768, 65_535, 65_536, 65_537,
  99_999, 1_000_000, 16_777_216, 16_777_217, 2_147_483_647, 2_147_483_648, 4_294_967_295, 4_294_967_296, 4_294_967_297,
  9_007_199_254_740_991,
] as const

/** Creates and deletes things after laptop's position. */
const changeAfter = async (lab: Lab, changed: number, deleted: number) => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const old = await phone.createMany(Array.from({ length: deleted }, () => ({})))
  const from = await laptop.position()
  const ids = changed === 0 ? [] : await phone.createMany(Array.from({ length: changed }, () => ({})))
  if (deleted > 0) await phone.remove(...old)
  return { laptop, from, changed: ids.sort(), deleted: [...old].sort() }
}

/** Numbers of changed and deleted things. */
const mixtures = [
  [0, 5],
  [1, 4],
  [3, 3],
  [5, 1],
] as const

/** Uploads beside others' changes, in each kind of sync. */
const countedUploads = (
  lab: Lab,
  ids: readonly string[],
): Readonly<Record<string, (index: number) => SyncParameters>> => {
  const things = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ local_id: `c${index}`, title: lab.unique() }))
  const at = (index: number): string => ids[index] ?? ''
  return {
    'one new thing': () => ({ new_thing: things(1) }),
    'seven new things': () => ({ new_thing: things(7) }),
    'a change': (index) => ({ changed_thing: [{ _id: at(index), title: lab.unique() }] }),
    'a deletion': (index) => ({ deleted_thing: [at(index + 3)] }),
    'a tag setting': () => ({ tag: { [lab.unique()]: { ...off, favorite: true } } }),
    'all of these': (index) => ({
      new_thing: things(3),
      changed_thing: [{ _id: at(index), title: lab.unique() }],
      deleted_thing: [at(index + 6)],
      tag: { [lab.unique()]: { ...off, favorite: true } },
    }),
  }
}

/** Expects thingCount to count what the response lists; a thing that is new and changed may count once or twice. */
const expectCounted = (response: SyncResponse, because: string, skipped = 0): void => {
  const { thingCount = 0 } = response.json
  const created = [...response.created.values()]
  const minimum = new Set([...created, ...response.changed, ...response.deleted]).size
  const maximum = created.length + response.changed.length + response.deleted.length + skipped
  const isRight = typeof thingCount === 'number' && thingCount >= minimum && thingCount <= maximum
  const listed = `${created.length} new, ${response.changed.length} changed and ${response.deleted.length} deleted`
  const expected = `thingCount ${minimum}${minimum === maximum ? '' : ` to ${maximum}`}, because ${because} lists ${listed}`
  expect(isRight, expected, `${showValue(thingCount)} came`, response)
}

const listedOf = (response: SyncResponse, ids: readonly string[]): string[] =>
  ids.filter((id) => response.things.has(id) || response.deleted.includes(id))

/** Settings in listings (interface 4.3, rules 1 and 2). */
export const listedSettingRules = coreRulesOf('4.3', [
  {
    // Without its color a new client could not show the tag: a setting that is not default makes a tag special.
    id: 'LIST-TAGS-01',
    title:
      'MUST list in a full sync every tag with a favorite, a color or a todo, in each combination and as it was set',
    requirements: ['C-4.3-25', 'C-2.2-1', 'C-2.2-2', 'C-2.2-3'],
    basis: 'implied',
    faults: [
      'full-tags-no-colors',
      'full-tags-favorites-without-color',
      'full-tags-not-by-post',
      'full-tags-only-without-from',
      'full-tags-colors-of-favorites',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const tag = Object.fromEntries(
        specialSettings.map((settings, index): [string, Settings] => [`${lab.mark}s${index}`, settings]),
      )
      await phone.sync({ from: await phone.position(), tag })
      for (const parameters of [{}, { from: 0 }, { method: 'POST' }, { from: 0, method: 'POST' }] as const) {
        const response = await laptop.sync(parameters)
        const because = `phone set them and this is a full sync (${showValue(parameters)})`
        for (const [name, wanted] of Object.entries(tag)) expectSettings(response, name, wanted, because)
      }
    },
  },
  {
    // On which page, the interface does not say; a client that fetches every page needs all of them.
    id: 'LIST-TAGS-02',
    title: 'MUST list the tag settings of a full and of an incremental sync on one of its pages at least',
    requirements: ['C-4.3-25', 'C-4.3-26', 'C-4.3-9'],
    basis: 'implied',
    faults: [
      'full-tags-lost-with-limit',
      'incremental-tags-lost-with-limit',
      'page-tags-after-the-end',
      'incremental-repeats-tags',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const tag = Object.fromEntries(
        specialSettings.map((settings, index): [string, Settings] => [`${lab.mark}s${index}`, settings]),
      )
      await phone.createMany([{}, {}, {}])
      await phone.sync({ from, tag })
      const { thingCount } = (await laptop.listAll()).json
      const half = Math.ceil(Number(thingCount ?? 2) / 2)
      const incremental = await fetchPages(laptop, 2, { from })
      for (const [kind, pages] of [
        ['a full', await fetchPages(laptop, half)],
        ['an incremental', incremental],
      ] as const) {
        for (const name of Object.keys(tag)) {
          const page = pages.find((each) => each.tags.has(name)) ?? pages[0]
          if (page !== undefined)
            expectTag(page, name, `phone set them, and one of ${pages.length} pages of ${kind} sync lists them`)
        }
      }
      const last = incremental.at(-1)
      if (last === undefined) return
      const next = await laptop.sync({ from: last.pos })
      const again = Object.keys(tag).filter((name) => next.tags.has(name))
      expectSame(again, [], `tags listed again from ${last.pos}, the position of the last page`, next)
    },
  },
  {
    id: 'LIST-TAGS-03',
    title: 'MUST list each change of one setting from every position before it, and from no position after it',
    requirements: ['C-4.3-26', 'C-4.3-5', 'C-4.3-31'],
    faults: [
      'tag-color-takes-no-position',
      'tag-todo-takes-no-position',
      'tag-off-takes-no-position',
      'tag-second-change-unlisted',
      'tag-off-unlisted-from-far-behind',
      'incremental-repeats-tags',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const flips: readonly Settings[] = [
        { favorite: true, color: false, todo: false },
        { favorite: true, color: '#a1b2c3', todo: false },
        { favorite: true, color: '#c3b2a1', todo: false },
        { favorite: true, color: '#c3b2a1', todo: true },
        { favorite: false, color: '#c3b2a1', todo: true },
        { favorite: false, color: false, todo: true },
        { favorite: false, color: false, todo: false },
      ]
      const positions = [await laptop.position()]
      for (const settings of flips) {
        const from = positions.at(-1) ?? 0
        await phone.setTag(lab.mark, settings)
        const response = await laptop.sync({ from })
        expectSettings(response, lab.mark, settings, `phone changed them after ${from}`)
        const next = await laptop.sync({ from: response.pos })
        const came = showValue(next.tags.get(lab.mark))
        expect(!next.tags.has(lab.mark), `no settings of ${lab.mark}, unchanged since ${response.pos}`, came, next)
        positions.push(response.pos)
      }
      for (const from of positions.slice(0, -1)) {
        const response = await laptop.sync({ from })
        expectSettings(response, lab.mark, { ...off }, `phone changed them after ${from}, the last time to none`)
      }
    },
  },
])

/** Pages at the borders of numbers and over deleted IDs (interface 4.3: skip, limit, thingCount). */
export const borderPageRules = coreRulesOf('4.3', [
  {
    id: 'PAGE-LIMIT-01',
    title: 'MUST list everything for a limit that is large enough, however large, unless it rejects the number',
    requirements: ['C-4.3-7', 'C-4.3-9'],
    basis: 'implied',
    faults: [
      'limit-above-32767-lists-nothing',
      'limit-of-8-bits',
      'limit-of-16-bits',
      'limit-of-31-bits',
      'limit-of-32-bits',
      'limit-above-1000-ignored-with-empty',
      'limit-as-large-as-count-loses-one',
    ],
    alone: true,
    check: async (lab) => {
      const { laptop, from, changed, deleted } = await changeAfter(lab, 3, 2)
      for (const limit of [5, ...borderNumbers]) {
        const reply = await laptop.trySync({ from, limit })
        if (!isSyncResponse(reply)) continue
        const response = readSyncResponse(reply, `an incremental sync with limit=${limit}`)
        const came = [[...response.changed].sort(), [...response.deleted].sort()]
        expectSame(came, [changed, deleted], `3 changed and 2 deleted things for limit=${limit}`, response)
      }
    },
  },
  {
    id: 'PAGE-SKIP-01',
    title: 'MUST list nothing for a skip beyond the end, however large, and still count, unless it rejects the number',
    requirements: ['C-4.3-6', 'C-4.3-8'],
    basis: 'implied',
    faults: ['skip-of-8-bits', 'skip-of-16-bits', 'skip-of-31-bits', 'skip-of-32-bits', 'skip-large-is-none'],
    alone: true,
    check: async (lab) => {
      const { laptop, from } = await changeAfter(lab, 3, 2)
      for (const skip of borderNumbers) {
        const reply = await laptop.trySync({ from, skip, limit: 10 })
        if (!isSyncResponse(reply)) continue
        const response = readSyncResponse(reply, `an incremental sync with skip=${skip}`)
        const came = [response.changed, response.deleted, response.json.thingCount ?? 0]
        expectSame(came, [[], [], 5], `no things and thingCount 5 for skip=${skip}`, response)
      }
    },
  },
  {
    id: 'PAGE-DELETED-01',
    title: 'MUST list each changed thing and each deleted ID on exactly one page, whatever their numbers are',
    requirements: ['C-4.3-9', 'C-4.3-8', 'C-4.3-24'],
    basis: 'implied',
    faults: [
      'deleted-on-every-page',
      'deleted-never-beside-things',
      'deleted-last-page-lost',
      'deleted-alone-not-paged',
      'page-count-without-deleted',
      'page-count-deleted-twice',
    ],
    alone: true,
    check: async (lab) => {
      for (const [changes, deletions] of mixtures) {
        const { laptop, from, changed, deleted } = await changeAfter(lab, changes, deletions)
        for (const limit of [1, 2, 4, 6]) {
          const pages = await fetchPages(laptop, limit, { from })
          const [last] = pages.slice(-1)
          if (last === undefined) continue
          const came = [pages.flatMap((page) => page.changed).sort(), pages.flatMap((page) => page.deleted).sort()]
          const what = `${changes} changed and ${deletions} deleted things on pages of ${limit}`
          expectSame(came, [changed, deleted], `${what}, each once`, last)
          const counts = [...new Set(pages.map(({ json }) => json.thingCount ?? 0))]
          expectSame(counts, [changes + deletions], `thingCount of every page, with ${what}`, last)
        }
      }
    },
  },
  {
    id: 'COUNT-UPLOAD-01',
    title: 'MUST count in the response to an upload what it lists as new, changed and deleted, in each kind of sync',
    requirements: ['C-4.3-19'],
    faults: [
      'thing-count-without-new',
      'thing-count-without-new-in-full',
      'thing-count-new-is-one',
      'thing-count-of-uploads-missing',
      'thing-count-of-uploads-without-from-missing',
      'thing-count-new-alone-missing',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const ids = await phone.createMany(Array.from({ length: 11 }, () => ({})))
      const uploads = countedUploads(lab, ids)
      const start = await laptop.position()
      await laptop.createMany([{}, {}])
      for (const [index, kind] of (['latest', 'earlier', 'zero'] as const).entries()) {
        for (const [what, write] of Object.entries(uploads)) {
          const from = { latest: await phone.position(), earlier: start, zero: 0 }[kind]
          const response = await phone.sync({ from, ...write(index) })
          expectCounted(response, `the response to ${what} with from=${from}`)
        }
      }
      const upload = {
        new_thing: [{ local_id: 'c', title: lab.unique() }],
        changed_thing: [{ _id: ids[9] ?? '', title: lab.unique() }],
        deleted_thing: [ids[10] ?? ''],
      }
      expectCounted(await phone.sync(upload), 'the response to an upload without from')
    },
  },
  {
    id: 'SKIPID-FULL-01',
    title: 'MUST leave the ids given as skip_id out of a full sync, and nothing else',
    requirements: ['C-4.3-14', 'C-4.3-4'],
    faults: [
      'skip-id-ignored-in-full',
      'skip-id-ignored-without-from',
      'skip-id-empties-full',
      'skip-id-full-first-only',
      'skip-id-ignored-beside-upload',
      'skip-id-rejected-in-full',
      'skip-id-full-counts-none',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const ids = await phone.createMany([{}, {}, { archived: true }, {}])
      const [first = '', second = '', third = ''] = ids
      for (const from of [{}, { from: 0 }]) {
        const upload = { new_thing: [{ local_id: 'k', title: lab.unique() }] }
        for (const [skipId, more] of [
          [[first], {}],
          [[first, second, third], {}],
          [[first], upload],
        ] as const) {
          // A server may read several IDs in one notation only (README, Freedoms).
          const responses: SyncResponse[] = []
          for (const form of ['array', 'repeated'] as const) {
            const reply = await laptop.trySync({ ...from, ...more, skip_id: skipId, form, method: 'POST' })
            if (isSyncResponse(reply)) responses.push(readSyncResponse(reply, 'a full sync with skip_id'))
          }
          const [best] = responses.sort((a, b) => listedOf(a, skipId).length - listedOf(b, skipId).length)
          expect(best !== undefined, 'a full sync with skip_id in one of two notations', 'both were rejected')
          const expected = `ids of skip_id in a full sync (${showValue(from)}) with ${skipId.length} ids as skip_id`
          expectSame(listedOf(best, skipId), [], expected, best)
          for (const id of ids.filter((each) => !(skipId as readonly string[]).includes(each)))
            expectThing(best, id, 'phone created it, it is not given as skip_id, and this is a full sync')
          expectCounted(best, 'a full sync with skip_id', skipId.length)
        }
      }
    },
  },
])
