import { expect, expectSame, expectThing } from '../../expect.ts'
import { showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { Replica } from '../../replica.ts'
import type { SyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'
import { createAfter } from './created-things.ts'

/** All pages of the delta, until they have covered `count` things. */
const readPages = async (replica: Replica, from: number, limit: number, count: number): Promise<SyncAnswer[]> => {
  const pages: SyncAnswer[] = []
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
export const pagingRules = coreSection('4.3', [
  {
    id: 'SYNC-PAGE-01',
    title: 'MUST list no more things than limit',
    clauses: ['C-4.3-7'],
    faults: ['limit-ignored', 'limit-one-more'],
    alone: true,
    check: async (lab) => {
      const { laptop, from } = await createAfter(lab, 5)
      for (const limit of [1, 3]) {
        const answer = await laptop.sync({ from, limit })
        const came = answer.changed.length
        expect(
          came === limit,
          `${limit} of the 5 things that phone created, because limit=${limit}`,
          `${came} came`,
          answer,
        )
      }
    },
  },
  {
    id: 'SYNC-PAGE-02',
    title: 'MUST leave out as many of the first things as skip says',
    clauses: ['C-4.3-6'],
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
    clauses: ['C-4.3-8', 'C-4.3-19'],
    faults: ['thing-count-of-page'],
    alone: true,
    check: async (lab) => {
      const { laptop, from } = await createAfter(lab, 5)
      for (const page of [{ limit: 2 }, { skip: 3 }, { skip: 2, limit: 1 }]) {
        const answer = await laptop.sync({ from, ...page })
        expectSame(
          answer.json.thingCount,
          5,
          `thingCount with ${showValue(page)}, because phone created 5 things`,
          answer,
        )
      }
    },
  },
  {
    // Skip and limit together fetch the next batch: nothing is left out between two, nothing comes twice.
    id: 'SYNC-PAGE-04',
    title: 'MUST list every thing on exactly one of the pages fetched with skip and limit',
    clauses: ['C-4.3-9'],
    faults: ['limit-before-skip', 'page-order-random', 'page-last-missing', 'skip-one-less'],
    alone: true,
    check: (lab) => expectPages(lab, 11, 3),
  },
  {
    // A client goes on by the limit that it asked for, so a shorter page would make it miss things.
    id: 'SYNC-PAGE-05',
    title: 'MUST fill a page up to limit while there are things',
    clauses: ['C-4.3-7', 'C-4.3-9'],
    basis: 'derived',
    faults: ['page-size-capped'],
    alone: true,
    check: (lab) => expectPages(lab, 30, 24),
  },
  {
    id: 'SYNC-PAGE-06',
    title: 'MUST read skip and limit in a POST as in a GET',
    clauses: ['C-4.3-6', 'C-4.3-7', 'C-4.3-2'],
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
    // Deletions belong to the listing as well; on which page they come is free.
    id: 'SYNC-PAGE-07',
    title: 'MUST list deletions on the pages of a delta',
    clauses: ['C-4.3-9', 'C-4.3-30'],
    basis: 'derived',
    faults: ['paged-deleted-lost'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const gone = await phone.createMany([{}, {}])
      const from = await laptop.position()
      const ids = await phone.createMany([{}, {}, {}])
      await phone.remove(...gone)
      const pages = await readPages(laptop, from, 2, ids.length + gone.length)
      const told = new Set(pages.flatMap((page) => [...page.changed, ...page.deleted]))
      const missing = [...ids, ...gone].filter((id) => !told.has(id))
      const expected = '3 things created and 2 deleted by phone, over 3 pages of 2'
      expect(missing.length === 0, expected, `on none: ${showValue(missing)}`, pages.at(-1))
    },
  },
  {
    // The interface does not say it, but without it a client that pages while others write loses things.
    id: 'SYNC-PAGE-08',
    title: "SHOULD lead over pages to all things while another client writes, with the last page's pos",
    clauses: ['C-4.3-34'],
    basis: 'derived',
    faults: ['page-skips-under-writes', 'page-pos-moves', 'paged-things-not-again'],
    alone: true,
    check: async (lab) => {
      const { phone, laptop, from, ids } = await createAfter(lab, 6)
      const [first = ''] = ids
      const told = new Map<string, unknown>()
      const tell = ({ things }: SyncAnswer): void => {
        for (const [id, { title }] of things) told.set(id, title)
      }
      let last = await laptop.sync({ from, skip: 0, limit: 2 })
      tell(last)
      const title = lab.unique()
      await phone.change(first, { title })
      const late = await phone.create()
      for (const skip of [2, 4]) {
        last = await laptop.sync({ from, skip, limit: 2 })
        tell(last)
      }
      const delta = await laptop.sync({ from: last.pos })
      tell(delta)
      const over = 'over 3 pages and the delta from the position of the last, phone having written after the first page'
      const missing = [...ids, late].filter((id) => !told.has(id))
      expect(missing.length === 0, `all 7 things ${over}`, `${showValue(missing)} never came`, last)
      expectSame(told.get(first), title, `the title that phone gave ${first} meanwhile, ${over}`, delta)
    },
  },
  {
    // A client keeps the position of some page; the last one is the usual choice.
    id: 'SYNC-PAGE-14',
    title: 'MUST NOT give with any page a position beyond what was there',
    clauses: ['C-4.3-31', 'C-4.3-9'],
    basis: 'derived',
    faults: ['page-pos-ahead', 'last-page-pos-ahead'],
    alone: true,
    check: async (lab) => {
      const { phone, laptop, from, ids } = await createAfter(lab, 5)
      const pages = await readPages(laptop, from, 2, ids.length)
      const id = await phone.create()
      for (const [place, { pos }] of pages.entries()) {
        const delta = await laptop.sync({ from: pos })
        expectThing(delta, id, `phone created it after page ${place + 1}, which came with position ${pos}`)
      }
    },
  },
  {
    id: 'SYNC-PAGE-15',
    title: 'MUST list a thing again that changes after a page has listed it',
    clauses: ['C-4.3-31', 'C-4.3-5'],
    basis: 'derived',
    faults: ['paged-things-not-again'],
    alone: true,
    check: async (lab) => {
      const { phone, laptop, from, ids } = await createAfter(lab, 3)
      const [first = ''] = ids
      const { pos } = (await readPages(laptop, from, 2, ids.length)).at(-1) ?? { pos: from }
      const title = lab.unique()
      await phone.change(first, { title })
      const delta = await laptop.sync({ from: pos })
      const because = `phone changed it after laptop had it by a page and ended its pages at ${pos}`
      expectSame(expectThing(delta, first, because).title, title, `the title of ${first}: ${because}`, delta)
    },
  },
  {
    // The first sync of a phone with little memory: everything, in batches.
    id: 'SYNC-PAGE-09',
    title: 'MUST list every thing of a full listing on exactly one of the pages fetched with skip and limit',
    clauses: ['C-4.3-9', 'C-4.3-4'],
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
