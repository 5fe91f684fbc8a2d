import { showValue } from '../encoding.ts'
import { expect, expectDeleted, expectSame, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import type { Replica } from '../replica.ts'
import { coreRulesOf, extensionRule, type Rule } from '../rule.ts'
import type { SyncResponse } from '../sync-messages.ts'
import { createAfter } from './upload-steps.ts'

/** Returns all pages of the incremental sync, until they cover `count` things. */
const readPages = async (replica: Replica, from: number, limit: number, count: number): Promise<SyncResponse[]> => {
  const pages: SyncResponse[] = []
  for (let skip = 0; skip < count; skip += limit) pages.push(await replica.sync({ from, skip, limit }))
  return pages
}

const expectPages = async (lab: Lab, count: number, limit: number): Promise<void> => {
  const { laptop, from, ids } = await createAfter(lab, count)
  const pages = await readPages(laptop, from, limit, count)
  const listed = pages.flatMap((page) => page.changed)
  const missing = ids.filter((id) => !listed.includes(id))
  const expected = `all ${count} things that phone created, over ${pages.length} pages of ${limit}`
  expect(
    missing.length === 0,
    expected,
    `${missing.length} are on none: ${showValue(missing.slice(0, 5))}`,
    pages.at(-1),
  )
  const twice = listed.filter((id, index) => listed.indexOf(id) !== index)
  expect(
    twice.length === 0,
    `each thing on one page of ${limit}`,
    `on two pages: ${showValue(twice.slice(0, 5))}`,
    pages.at(-1),
  )
}

/** skip, limit and thingCount (interface 4.3, 8). */
export const pagingRules = coreRulesOf('4.3', [
  {
    id: 'SYNC-PAGE-01',
    title: 'MUST list no more things than limit',
    requirements: ['C-4.3-7'],
    faults: ['limit-ignored', 'limit-one-more'],
    alone: true,
    check: async (lab) => {
      const { laptop, from } = await createAfter(lab, 5)
      for (const limit of [1, 3]) {
        const response = await laptop.sync({ from, limit })
        const came = response.changed.length
        expect(
          came === limit,
          `${limit} of the 5 things that phone created, because limit=${limit}`,
          `${came} came`,
          response,
        )
      }
    },
  },
  {
    id: 'SYNC-PAGE-02',
    title: 'MUST leave out as many of the first things as skip says',
    requirements: ['C-4.3-6'],
    faults: ['skip-ignored', 'skip-one-less', 'skip-beyond-starts-again', 'skip-beyond-last-page'],
    alone: true,
    check: async (lab) => {
      const { laptop, from } = await createAfter(lab, 5)
      const [some, none] = [await laptop.sync({ from, skip: 2 }), await laptop.sync({ from, skip: 5 })]
      const beyond = await laptop.sync({ from, skip: 6, limit: 2 })
      const came = [some, none, beyond].map(({ changed }) => changed.length)
      const expected =
        'how many of the 5 things that phone created come with skip=2, with skip=5, and with skip=6 and limit=2'
      expectSame(came, [3, 0, 0], expected, beyond)
    },
  },
  {
    id: 'SYNC-PAGE-03',
    title: 'MUST give thingCount as without skip and limit',
    requirements: ['C-4.3-8', 'C-4.3-19'],
    faults: ['thing-count-of-page'],
    alone: true,
    check: async (lab) => {
      const { laptop, from } = await createAfter(lab, 5)
      for (const page of [{ limit: 2 }, { skip: 3 }, { skip: 2, limit: 1 }]) {
        const response = await laptop.sync({ from, ...page })
        expectSame(
          response.json.thingCount,
          5,
          `thingCount with ${showValue(page)}, because phone created 5 things`,
          response,
        )
      }
    },
  },
  {
    // Skip and limit together fetch the next batch: nothing is missing between two batches, and nothing comes twice.
    id: 'SYNC-PAGE-04',
    title: 'MUST list every thing on exactly one of the pages fetched with skip and limit',
    requirements: ['C-4.3-9'],
    faults: ['limit-before-skip', 'page-order-random', 'page-last-missing', 'skip-one-less'],
    alone: true,
    check: (lab) => expectPages(lab, 11, 3),
  },
  {
    // A client continues by the limit that it requested, so that a shorter page would make it miss things.
    id: 'SYNC-PAGE-05',
    title: 'MUST fill a page up to limit while there are things',
    requirements: ['C-4.3-7', 'C-4.3-9'],
    basis: 'implied',
    faults: ['page-size-capped'],
    alone: true,
    check: (lab) => expectPages(lab, 30, 24),
  },
  {
    id: 'SYNC-PAGE-06',
    title: 'MUST read skip and limit in a POST as in a GET',
    requirements: ['C-4.3-6', 'C-4.3-7', 'C-4.3-2'],
    faults: ['post-skip-ignored', 'post-limit-ignored'],
    alone: true,
    check: async (lab) => {
      const { laptop, from } = await createAfter(lab, 5)
      const skipped = await laptop.sync({ from, skip: 3, method: 'POST' })
      expect(skipped.changed.length === 2, '2 of 5 things, because skip=3', `${skipped.changed.length} came`, skipped)
      const limited = await laptop.sync({ from, limit: 3, method: 'POST' })
      expect(limited.changed.length === 3, '3 of 5 things, because limit=3', `${limited.changed.length} came`, limited)
    },
  },
  {
    // Deletions also belong to the listing; the server chooses their page.
    id: 'SYNC-PAGE-07',
    title: 'MUST list deletions on the pages of an incremental sync',
    requirements: ['C-4.3-9', 'C-4.3-30'],
    basis: 'implied',
    faults: ['paged-deleted-lost'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const removed = await phone.createMany([{}, {}])
      const from = await laptop.position()
      const ids = await phone.createMany([{}, {}, {}])
      await phone.remove(...removed)
      const pages = await readPages(laptop, from, 2, ids.length + removed.length)
      const notified = new Set(pages.flatMap((page) => [...page.changed, ...page.deleted]))
      const missing = [...ids, ...removed].filter((id) => !notified.has(id))
      const expected = '3 things created and 2 deleted by phone, over 3 pages of 2'
      expect(missing.length === 0, expected, `on none: ${showValue(missing)}`, pages.at(-1))
    },
  },
  {
    // The interface does not state it, but without it a client that pages while others write loses things.
    id: 'SYNC-PAGE-08',
    title: "SHOULD lead over pages to all things while another client writes, with the last page's pos",
    requirements: ['C-4.3-34'],
    basis: 'implied',
    faults: ['page-skips-under-writes', 'page-pos-moves', 'paged-things-not-again'],
    alone: true,
    check: async (lab) => {
      const { phone, laptop, from, ids } = await createAfter(lab, 6)
      const [first = ''] = ids
      const notified = new Map<string, unknown>()
      const report = ({ things }: SyncResponse): void => {
        for (const [id, { title }] of things) notified.set(id, title)
      }
      let last = await laptop.sync({ from, skip: 0, limit: 2 })
      report(last)
      const title = lab.unique()
      await phone.change(first, { title })
      const late = await phone.create()
      for (const skip of [2, 4]) {
        last = await laptop.sync({ from, skip, limit: 2 })
        report(last)
      }
      const incremental = await laptop.sync({ from: last.pos })
      report(incremental)
      const over =
        'over 3 pages and the incremental sync from the position of the last, phone having written after the first page'
      const missing = [...ids, late].filter((id) => !notified.has(id))
      expect(missing.length === 0, `all 7 things ${over}`, `${showValue(missing)} never came`, last)
      expectSame(notified.get(first), title, `the title that phone gave ${first} meanwhile, ${over}`, incremental)
    },
  },
  {
    id: 'SYNC-PAGE-16',
    title: 'MUST list everything behind skip when there is no limit',
    requirements: ['C-4.3-6', 'C-4.3-9'],
    basis: 'implied',
    faults: ['skip-alone-limited'],
    alone: true,
    check: async (lab) => {
      const { laptop, from, ids } = await createAfter(lab, 130)
      for (const skip of [1, 7]) {
        const response = await laptop.sync({ from, skip })
        const came = response.changed.length
        const expected = `${ids.length - skip} of the ${ids.length} things that phone created, because skip=${skip}`
        expect(came === ids.length - skip, expected, `${came} came`, response)
      }
    },
  },
  {
    // A client keeps the position of one page, usually the last one.
    id: 'SYNC-PAGE-14',
    title: 'MUST NOT give with any page a position beyond what was there',
    requirements: ['C-4.3-31', 'C-4.3-9'],
    basis: 'implied',
    faults: ['page-pos-ahead', 'last-page-pos-ahead'],
    alone: true,
    check: async (lab) => {
      const { phone, laptop, from, ids } = await createAfter(lab, 5)
      const pages = await readPages(laptop, from, 2, ids.length)
      const id = await phone.create()
      for (const [index, { pos }] of pages.entries()) {
        const incremental = await laptop.sync({ from: pos })
        expectThing(incremental, id, `phone created it after page ${index + 1}, which came with position ${pos}`)
      }
    },
  },
  {
    id: 'SYNC-PAGE-15',
    title: 'MUST list a thing again that changes after a page has listed it',
    requirements: ['C-4.3-31', 'C-4.3-5'],
    basis: 'implied',
    faults: ['paged-things-not-again'],
    alone: true,
    check: async (lab) => {
      const { phone, laptop, from, ids } = await createAfter(lab, 3)
      const [first = ''] = ids
      const { pos } = (await readPages(laptop, from, 2, ids.length)).at(-1) ?? { pos: from }
      const title = lab.unique()
      await phone.change(first, { title })
      const incremental = await laptop.sync({ from: pos })
      const because = `phone changed it after laptop had it by a page and ended its pages at ${pos}`
      expectSame(
        expectThing(incremental, first, because).title,
        title,
        `the title of ${first}: ${because}`,
        incremental,
      )
    },
  },
  {
    // The first sync of a phone with little memory: a full sync in batches.
    id: 'SYNC-PAGE-09',
    title: 'MUST list every thing of a full sync on exactly one of the pages fetched with skip and limit',
    requirements: ['C-4.3-9', 'C-4.3-4'],
    faults: ['limit-before-skip', 'page-order-random'],
    alone: true,
    check: async (lab) => {
      const laptop = await lab.replica('laptop')
      await laptop.createMany(Array.from({ length: 9 }, () => ({})))
      const full = await laptop.listAll()
      const count = full.changed.length + full.deleted.length
      const pages = await readPages(laptop, 0, Math.ceil(count / 4), count)
      const paged = pages.flatMap((page) => page.changed)
      const same = JSON.stringify(paged.toSorted()) === JSON.stringify(full.changed.toSorted())
      const came = `${paged.length} came, ${new Set(paged).size} of them different`
      expect(same, `the same ${full.changed.length} things over 4 pages as in one listing`, came, pages.at(-1))
    },
  },
])

/** Edges of pages, and counts of every mixture (interface 4.3, 8). */
export const listingEdgeRules = coreRulesOf('4.3', [
  {
    id: 'SYNC-PAGE-10',
    title: 'MUST lead over pages of any size, of 1 up to more than there is, to each thing once',
    requirements: ['C-4.3-9', 'C-4.3-6', 'C-4.3-7'],
    faults: [
      'limit-one-lists-none',
      'limit-of-all-lists-none',
      'limit-beyond-lists-none',

      'limit-one-repeats',
    ],
    alone: true,
    check: async (lab) => {
      const { laptop, from, ids } = await createAfter(lab, 6)
      for (const limit of [1, 2, 4, 5, 6, 7, 50]) {
        const notified: string[] = []
        for (let skip = 0; skip < ids.length; skip += limit) {
          notified.push(...(await laptop.sync({ from, skip, limit })).changed)
        }
        const [came, wanted] = [notified.toSorted(), ids.toSorted()]
        expect(
          showValue(came) === showValue(wanted),
          `the 6 things of phone once each over pages of ${limit}`,
          `${notified.length} came, ${new Set(notified).size} of them different`,
        )
      }
    },
  },
  {
    id: 'SYNC-PAGE-11',
    title: 'MUST begin a page at any skip, not only at multiples of limit',
    requirements: ['C-4.3-6', 'C-4.3-9'],
    basis: 'implied',
    faults: ['skip-rounded-to-limit', 'skip-counts-pages'],
    alone: true,
    check: async (lab) => {
      const { laptop, from } = await createAfter(lab, 7)
      for (const [skip, limit] of [
        [1, 3],
        [2, 4],
        [3, 2],
        [5, 4],
        [6, 1],
      ] as const) {
        const page = await laptop.sync({ from, skip, limit })
        expectSame(
          page.changed.length,
          Math.min(limit, 7 - skip),
          `how many of 7 things come with skip=${skip}, limit=${limit}`,
          page,
        )
      }
    },
  },
  {
    id: 'SYNC-PAGE-12',
    title: 'MUST keep the pages of two devices apart that fetch them in turns',
    requirements: ['C-4.3-9'],
    basis: 'implied',
    faults: ['page-cursor-per-account', 'page-limit-remembered', 'page-list-of-last-asker'],
    alone: true,
    check: async (lab) => {
      const { laptop, from, ids } = await createAfter(lab, 6)
      const tablet = await lab.replica('tablet')
      const [mine, theirs]: [string[], string[]] = [[], []]
      const middle = await tablet.position()
      for (const skip of [0, 2, 4]) {
        mine.push(...(await laptop.sync({ from, skip, limit: 2 })).changed)
        theirs.push(
          ...(await tablet.sync({ from, skip: skip === 0 ? 0 : skip + 1, limit: skip === 0 ? 3 : 3 })).changed,
        )
        await tablet.sync({ from: middle, skip: 0, limit: 5 })
      }
      for (const [who, notified] of [
        ['laptop, by pages of 2', mine],
        ['tablet, by pages of 3', theirs],
      ] as const) {
        const missing = ids.filter((id) => !notified.includes(id))
        expect(missing.length === 0, `all 6 things for ${who}`, `${missing.length} are missing`)
      }
    },
  },
  {
    id: 'SYNC-PAGE-13',
    title: 'MUST give pos, and thingCount as without skip and limit, with every page, also one beyond the end',
    requirements: ['C-4.3-8', 'C-4.3-18'],
    faults: [
      'thing-count-missing-on-later-pages',
      'thing-count-missing-beyond-end',
      'thing-count-of-rest',
      'pos-missing-on-pages',
    ],
    alone: true,
    check: async (lab) => {
      const { phone, laptop, from, ids } = await createAfter(lab, 4)
      await phone.remove(ids[0] ?? '')
      const whole = await laptop.sync({ from })
      for (const page of [
        { skip: 0, limit: 2 },
        { skip: 2, limit: 2 },
        { skip: 2, limit: 9 },
        { skip: 50, limit: 2 },
      ]) {
        const response = await laptop.sync({ from, ...page })
        const expected = `thingCount with ${showValue(page)} as without`
        expectSame(response.json.thingCount ?? null, whole.json.thingCount ?? null, expected, response)
      }
    },
  },
  {
    // The server may list a created and deleted thing or not; all others count as often as they are listed: once.
    id: 'SYNC-COUNT-03',
    title: 'MUST count each thing of an incremental sync once, whatever happened to it, and by POST as by GET',
    requirements: ['C-4.3-19'],
    faults: [
      'thing-count-counts-changes',
      'thing-count-without-archived',
      'thing-count-of-post-missing',
      'thing-count-counts-tags',
      'thing-count-of-new-only',
      'count-lists-deleted-as-changed',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [often = '', archived = '', removed = '', both = ''] = await phone.createMany([{}, {}, {}, {}])
      const from = await laptop.position()
      await phone.change(often)
      await phone.change(often)
      await phone.change(archived, { archived: true })
      await phone.change(both)
      await phone.remove(removed, both)
      await phone.createMany([{}, { archived: true }])
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: false })
      for (const method of ['GET', 'POST'] as const) {
        const response = await laptop.sync({ from, method })
        expectSame(
          response.json.thingCount,
          6,
          `thingCount by ${method}, phone having created 2 things, changed 2 and deleted 2`,
          response,
        )
        expectSame(
          [response.changed.length, response.deleted.length],
          [4, 2],
          'how many things are listed as changed and deleted',
          response,
        )
      }
    },
  },
  {
    id: 'SYNC-COUNT-04',
    title: 'MUST count in an incremental sync that holds deletions alone, or changes alone',
    requirements: ['C-4.3-19', 'C-4.3-24'],
    faults: ['thing-count-missing-for-deletions', 'thing-count-missing-for-changes', 'deletions-alone-without-things'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [changed = '', ...removed] = await phone.createMany([{}, {}, {}])
      const from = await laptop.position()
      await phone.remove(...removed)
      const first = await laptop.sync({ from })
      expectSame(
        [first.json.thingCount ?? null, first.deleted.length],
        [2, 2],
        'thingCount and deletions, because phone deleted two things',
        first,
      )
      await phone.change(changed)
      const second = await laptop.sync({ from: first.pos })
      expectSame(
        [second.json.thingCount ?? null, second.changed.length],
        [1, 1],
        'thingCount and changes, because phone changed one thing',
        second,
      )
    },
  },
  {
    id: 'SYNC-INCREMENTAL-17',
    title: 'MUST list from each of several positions exactly what happened after it',
    requirements: ['C-4.3-5', 'C-2.3-1'],
    faults: [
      'incremental-log-keeps-five',
      'incremental-of-old-positions-in-full',
      'position-of-change-forgotten',
      'deletion-forgotten-after-three',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const old = await phone.createMany([{}, {}, {}, {}, {}, {}])
      const steps: { from: number; id: string; isRemoved: boolean }[] = []
      for (const [index, id] of old.entries()) {
        const [first, second] = [await laptop.position(), index % 2 === 0]
        await (second ? phone.remove(id) : phone.change(id))
        steps.push({ from: first, id, isRemoved: second })
        steps.push({ from: await laptop.position(), id: await phone.create(), isRemoved: false })
      }
      for (const [index, { from }] of steps.entries()) {
        const response = await laptop.sync({ from })
        const later = steps.slice(index)
        const wanted = [later.filter(({ isRemoved }) => !isRemoved), later.filter(({ isRemoved }) => isRemoved)].map(
          (each) => each.map(({ id }) => id).sort(),
        )
        const expected = `ids listed as changed and as deleted from ${from}, the position after ${index} of ${steps.length} steps`
        expectSame([[...new Set(response.changed)].sort(), [...response.deleted].sort()], wanted, expected, response)
      }
    },
  },
  {
    id: 'SYNC-INCREMENTAL-18',
    title: 'MUST respond to a from that is sent by POST, with an upload or with skip_id as to the same from by GET',
    requirements: ['C-4.3-5', 'C-4.3-2'],
    basis: 'implied',
    faults: [
      'from-ignored-with-skip-id',
      'from-ignored-with-limit',
      'upload-response-lists-all',
      'upload-response-lists-nothing',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const before = await phone.create()
      const from = await laptop.position()
      const id = await phone.create()
      const upload = { new_thing: [{ local_id: lab.unique(), title: lab.unique() }] }
      for (const more of [{}, { skip_id: [lab.mark] }, { limit: 50 }, { skip: 0 }, upload]) {
        const response = await laptop.sync({ from, method: 'POST', ...more })
        const because = `phone created it after ${from}, which was sent with ${Object.keys(more).join() || 'nothing else'}`
        expectThing(response, id, because)
        expect(
          !response.things.has(before),
          `no ${before}, created before ${from}, in a response to ${showValue(more, 60)}`,
          'it is listed',
          response,
        )
      }
    },
  },
])

/** Rules of section 4.3: order and pages of listings (contract, sync 6). */
export const pageRules: readonly Rule[] = [
  extensionRule({
    id: 'SYNC-ORDER-01',
    title: 'MUST list things in the order of their last change',
    section: '4.3',
    requirements: ['K-sync-6'],
    faults: ['listing-order-by-id', 'listing-order-newest-first'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const ids = await phone.createMany([{}, {}, {}, {}, {}])
      const [first = '', , third = ''] = ids
      await phone.change(third)
      await phone.change(first)
      const incremental = await (await lab.replica('laptop')).sync({ from })
      const wanted = [...ids.filter((id) => id !== first && id !== third), third, first]
      expectSame(
        incremental.changed.filter((id) => ids.includes(id)),
        wanted,
        'ids in the order of their last change',
        incremental,
      )
    },
  }),
  extensionRule({
    id: 'SYNC-ORDER-02',
    title: 'MUST page through the things first and the deleted ids after them',
    section: '4.3',
    requirements: ['K-sync-6'],
    faults: ['listing-deleted-first', 'paged-deleted-lost', 'full-changed-is-map', 'incremental-omits-deleted'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const removed = await phone.create()
      const from = await phone.position()
      await phone.remove(removed)
      const [kept = ''] = await phone.createMany([{}])
      const first = await phone.sync({ from, limit: 1 })
      const second = await phone.sync({ from, skip: 1, limit: 1 })
      expectThing(first, kept, 'the one changed thing stands before the deleted id')
      expectDeleted(second, removed, 'the deleted id stands behind the one changed thing')
    },
  }),
  extensionRule({
    id: 'SYNC-ZERO-01',
    title: 'MUST list nothing for limit=0 and still count',
    section: '4.3',
    requirements: ['K-sync-6'],
    faults: ['limit-zero-lists-all', 'thing-count-of-page', 'thing-count-missing'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      await phone.createMany([{}, {}])
      const response = await phone.sync({ from, limit: 0 })
      expectSame([response.changed, response.deleted], [[], []], 'changed and deleted for limit=0', response)
      expect(
        Number(response.json.thingCount) >= 2,
        'thingCount of at least 2, because two things were created after from',
        showValue(response.json),
        response,
      )
    },
  }),
  extensionRule({
    id: 'SYNC-SNAPSHOT-01',
    title: 'MUST return the same pos with every page of one listing, and miss nothing after it',
    section: '4.3',
    requirements: ['K-sync-7'],
    faults: ['page-pos-moves', 'page-pos-goes-back', 'incremental-omits-created'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await phone.position()
      await laptop.createMany([{}, {}, {}, {}])
      const first = await phone.sync({ from, limit: 2 })
      const late = await laptop.create()
      const second = await phone.sync({ from, skip: 2, limit: 10_000 })
      expectSame(second.pos, first.pos, 'pos of the second page, the same as of the first', second)
      expectThing(await phone.sync({ from: second.pos }), late, 'laptop created it after the first page')
    },
  }),
  extensionRule({
    id: 'SYNC-SNAPSHOT-02',
    title: 'MUST list in the pages of one listing all that was there at the first page',
    section: '4.3',
    requirements: ['K-sync-7', 'C-4.3-34'],
    faults: ['page-skips-under-writes'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await phone.position()
      const ids = await laptop.createMany([{}, {}, {}, {}])
      const first = await phone.sync({ from, limit: 2 })
      await laptop.change(ids[0] ?? '')
      await laptop.change(ids[1] ?? '')
      const second = await phone.sync({ from, skip: 2, limit: 10_000 })
      const seen = new Set([...first.changed, ...second.changed])
      const missing = ids.filter((id) => !seen.has(id))
      expectSame(missing, [], 'things created before the first page that no page lists', second)
    },
  }),
]
