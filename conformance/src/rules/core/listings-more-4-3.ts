import { expect, expectSame, expectThing } from '../../expect.ts'
import { showValue } from '../../json.ts'
import { coreSection } from './core-rules.ts'
import { createAfter } from './created-things.ts'

/** Edges of pages, and counts of every mixture (interface 4.3, 8). */
export const listingEdgeRules = coreSection('4.3', [
  {
    id: 'SYNC-PAGE-10',
    title: 'MUST lead over pages of any size, of 1 up to more than there is, to each thing once',
    clauses: ['C-4.3-9', 'C-4.3-6', 'C-4.3-7'],
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
        const told: string[] = []
        for (let skip = 0; skip < ids.length; skip += limit) {
          told.push(...(await laptop.sync({ from, skip, limit })).changed)
        }
        const [came, wanted] = [told.toSorted(), ids.toSorted()]
        expect(
          showValue(came) === showValue(wanted),
          `the 6 things of phone once each over pages of ${limit}`,
          `${told.length} came, ${new Set(told).size} of them different`,
        )
      }
    },
  },
  {
    id: 'SYNC-PAGE-11',
    title: 'MUST begin a page at any skip, not only at multiples of limit',
    clauses: ['C-4.3-6', 'C-4.3-9'],
    basis: 'derived',
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
    clauses: ['C-4.3-9'],
    basis: 'derived',
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
      for (const [who, told] of [
        ['laptop, by pages of 2', mine],
        ['tablet, by pages of 3', theirs],
      ] as const) {
        const missing = ids.filter((id) => !told.includes(id))
        expect(missing.length === 0, `all 6 things for ${who}`, `${missing.length} are missing`)
      }
    },
  },
  {
    id: 'SYNC-PAGE-13',
    title: 'MUST give pos, and thingCount as without skip and limit, with every page, also one beyond the end',
    clauses: ['C-4.3-8', 'C-4.3-18'],
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
        const answer = await laptop.sync({ from, ...page })
        const expected = `thingCount with ${showValue(page)} as without`
        expectSame(answer.json.thingCount ?? null, whole.json.thingCount ?? null, expected, answer)
      }
    },
  },
  {
    // A created and deleted thing may be told or not; all others are counted as often as they are listed: once.
    id: 'SYNC-COUNT-03',
    title: 'MUST count each thing of a delta once, whatever happened to it, and by POST as by GET',
    clauses: ['C-4.3-19'],
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
      const [often = '', archived = '', gone = '', both = ''] = await phone.createMany([{}, {}, {}, {}])
      const from = await laptop.position()
      await phone.change(often)
      await phone.change(often)
      await phone.change(archived, { archived: true })
      await phone.change(both)
      await phone.remove(gone, both)
      await phone.createMany([{}, { archived: true }])
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: false })
      for (const method of ['GET', 'POST'] as const) {
        const answer = await laptop.sync({ from, method })
        expectSame(
          answer.json.thingCount,
          6,
          `thingCount by ${method}, phone having created 2 things, changed 2 and deleted 2`,
          answer,
        )
        expectSame(
          [answer.changed.length, answer.deleted.length],
          [4, 2],
          'how many things are listed as changed and deleted',
          answer,
        )
      }
    },
  },
  {
    id: 'SYNC-COUNT-04',
    title: 'MUST count in a delta that holds deletions alone, or changes alone',
    clauses: ['C-4.3-19', 'C-4.3-24'],
    faults: ['thing-count-missing-for-deletions', 'thing-count-missing-for-changes', 'deletions-alone-without-things'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [changed = '', ...gone] = await phone.createMany([{}, {}, {}])
      const from = await laptop.position()
      await phone.remove(...gone)
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
    id: 'SYNC-DELTA-17',
    title: 'MUST list from each of several positions exactly what happened after it',
    clauses: ['C-4.3-5', 'C-2.3-1'],
    faults: [
      'delta-log-keeps-five',
      'delta-of-old-positions-in-full',
      'position-of-change-forgotten',
      'deletion-forgotten-after-three',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const old = await phone.createMany([{}, {}, {}, {}, {}, {}])
      const steps: { from: number; id: string; isGone: boolean }[] = []
      for (const [place, id] of old.entries()) {
        const [first, second] = [await laptop.position(), place % 2 === 0]
        await (second ? phone.remove(id) : phone.change(id))
        steps.push({ from: first, id, isGone: second })
        steps.push({ from: await laptop.position(), id: await phone.create(), isGone: false })
      }
      for (const [place, { from }] of steps.entries()) {
        const answer = await laptop.sync({ from })
        const later = steps.slice(place)
        const wanted = [later.filter(({ isGone }) => !isGone), later.filter(({ isGone }) => isGone)].map((each) =>
          each.map(({ id }) => id).sort(),
        )
        const expected = `ids listed as changed and as deleted from ${from}, the position after ${place} of ${steps.length} steps`
        expectSame([[...new Set(answer.changed)].sort(), [...answer.deleted].sort()], wanted, expected, answer)
      }
    },
  },
  {
    id: 'SYNC-DELTA-18',
    title: 'MUST answer a from that is sent by POST, with an upload or with skip_id as the same from by GET',
    clauses: ['C-4.3-5', 'C-4.3-2'],
    basis: 'derived',
    faults: [
      'from-ignored-with-skip-id',
      'from-ignored-with-limit',
      'upload-answer-lists-all',
      'upload-answer-lists-nothing',
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
        const answer = await laptop.sync({ from, method: 'POST', ...more })
        const because = `phone created it after ${from}, which was sent with ${Object.keys(more).join() || 'nothing else'}`
        expectThing(answer, id, because)
        expect(
          !answer.things.has(before),
          `no ${before}, created before ${from}, in an answer to ${showValue(more, 60)}`,
          'it is listed',
          answer,
        )
      }
    },
  },
])
