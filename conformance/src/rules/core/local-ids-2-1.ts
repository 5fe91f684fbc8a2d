import { expectCreated, expectSame, expectThing } from '../../expect.ts'
import { isObject, showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import { coreSection } from './core-rules.ts'
import { stopIfRefused } from './stop-if-refused.ts'

/** Creates things under the local ids and expects for each an entry of its own that leads to its thing. */
const expectMapped = async (lab: Lab, localIds: readonly (string | number)[]): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const from = await laptop.position()
  for (let start = 0; start < localIds.length; start += 10) {
    const things = localIds.slice(start, start + 10).map((localId) => ({ local_id: localId, title: lab.unique() }))
    const answer = await phone.sync({ from, new_thing: things })
    const delta = await laptop.sync({ from })
    for (const { local_id: localId, title } of things) {
      const thing = expectThing(
        delta,
        expectCreated(answer, String(localId)),
        `phone created it as ${showValue(localId)}`,
      )
      expectSame(thing.title, title, `the title of the thing that was submitted as ${showValue(localId)}`, delta)
    }
  }
}

/** Local ids (interface 2.1, 4.3): any string or number, for one upload. */
export const localIdRules = coreSection('2.1', [
  {
    id: 'SYNC-LOCAL-01',
    title: 'MUST map a local_id of 0',
    clauses: ['C-2.1-2', 'C-4.3-22'],
    faults: ['local-id-zero-missing', 'new-map-list-for-small-numbers'],
    check: (lab) => expectMapped(lab, [0]),
  },
  {
    id: 'SYNC-LOCAL-02',
    title: 'MUST give things.new as an object for local ids that count from 0 or 1, as numbers and as strings',
    clauses: ['C-2.1-2', 'C-2.1-1', 'C-4.3-22'],
    faults: ['new-map-list-for-small-numbers', 'new-map-by-place', 'local-id-number-text-lost'],
    check: async (lab) => {
      await expectMapped(lab, [0, 1, 2])
      await expectMapped(lab, ['1', '2', '10'])
      await expectMapped(lab, [3, 1, 2])
    },
  },
  {
    id: 'SYNC-LOCAL-03',
    title: 'MUST map numbers of any size and sign as local_id',
    basis: 'derived',
    clauses: ['C-2.1-2', 'C-4.3-22'],
    faults: [
      'local-id-negative-lost',
      'local-id-31-bits',
      'local-id-32-bits',
      'local-id-exponent',
      'local-id-single-precision',
    ],
    check: (lab) =>
      expectMapped(lab, [-1, -2_147_483_649, 2_147_483_648, 4_294_967_297, 1_700_000_000_123, 9_007_199_254_740_991]),
  },
  {
    id: 'SYNC-LOCAL-04',
    title: 'MUST map local ids that look like something else',
    basis: 'derived',
    clauses: ['C-2.1-1', 'C-4.3-22'],
    faults: [
      'local-id-number-evaluated',
      'local-id-words-lost',
      'local-id-dots-nested',
      'local-id-slash-cut',
      'local-id-dollar-lost',
      'local-id-brackets-cut',
      'local-id-quotes-escaped',
      'local-id-trimmed',
      'local-id-inherited-lost',
      'local-id-dashes-lost',
      'local-id-percent-decoded',
    ],
    check: (lab) =>
      expectMapped(lab, [
        ...['007', '1.0', '1e3', '0x1f', '-0', 'true', 'false', 'null', 'undefined', 'NaN'],
        ...['a.b', 'a/b', '../c', '$set', 'a[0]', 'a[b]', '<b>', '"q"', "it's", ' a '],
        ...['length', 'toString', 'hasOwnProperty', 'prototype', '__proto__', 'new', 'changed', 'local_id', '_id', '*'],
        ...['550e8400-e29b-41d4-a716-446655440000', 'a:b', 'a,b', 'a;b', 'a%20b', 'a+b', 'a\\b', '#1', '?', '日本語'],
      ]),
  },
  {
    id: 'SYNC-LOCAL-05',
    title: 'MUST tell local ids apart that are only similar',
    basis: 'derived',
    clauses: ['C-2.1-1', 'C-4.3-22'],
    faults: [
      'local-id-case-ignored',
      'local-id-trimmed',
      'local-id-number-evaluated',
      'local-id-cut-at-32',
      'local-id-composed',
      'local-id-accents-ignored',
    ],
    check: async (lab) => {
      const long = lab.unique().padEnd(60, 'x')
      await expectMapped(lab, ['ab', 'AB', 'Ab', 'ab ', ' ab', '1', '01', '1.0', '10', '1e1'])
      await expectMapped(lab, ['\u00e9', 'e\u0301', 'e', 'E', `${long}1`, `${long}2`])
    },
  },
  {
    id: 'SYNC-LOCAL-06',
    title: 'MUST give a long local_id back whole when it takes it',
    basis: 'derived',
    clauses: ['C-2.1-1', 'C-4.3-22'],
    faults: ['local-id-of-130-lost', 'local-id-cut-at-255', 'local-id-cut-at-100'],
    check: async (lab) => {
      const [shorter, longer] = [lab.unique().padEnd(130, 'y'), lab.unique().padEnd(700, 'z')]
      for (const localId of [shorter, longer]) {
        await stopIfRefused(lab, `a local_id of ${localId.length} characters`, {
          new_thing: [{ local_id: `${localId}z`, title: lab.unique() }],
        })
        await expectMapped(lab, [localId])
      }
    },
  },
  {
    // Unique "among the things submitted together": another upload, device or user may use the same one for another thing.
    id: 'SYNC-LOCAL-07',
    title: 'MUST create another thing for a local_id that another device, or an earlier upload, has used',
    basis: 'derived',
    clauses: ['C-2.1-1', 'C-4.3-22', 'C-4.3-10'],
    faults: [
      'local-id-once-an-account',
      'local-id-once-a-session',
      'local-id-changes-earlier',
      'local-id-used-refused',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const localId = lab.unique()
      const titles = [lab.unique(), lab.unique(), lab.unique()]
      const first = await phone.sync({ from, new_thing: [{ local_id: localId, title: titles[0] ?? '' }] })
      const other = await laptop.sync({ from, new_thing: [{ local_id: localId, title: titles[1] ?? '' }] })
      const later = await phone.sync({ from: first.pos, new_thing: [{ local_id: localId, title: titles[2] ?? '' }] })
      const ids = [first, other, later].map((answer) => expectCreated(answer, localId))
      const full = await laptop.listAll()
      const came = ids.map((id) => full.things.get(id)?.title ?? null)
      expectSame(came, titles, 'titles of three things that were created one after the other under one local_id', full)
    },
  },
  {
    // Only what is submitted is mapped; what the client called earlier things is over.
    id: 'SYNC-LOCAL-08',
    title: 'MUST map in things.new the things of this upload and no others',
    clauses: ['C-4.3-22'],
    faults: ['new-map-remembers', 'new-map-of-everybody', 'new-map-twice-mapped'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await phone.position()
      const localIds = [lab.unique(), lab.unique(), lab.unique()]
      const create = (localId: string) => ({ from, new_thing: [{ local_id: localId, title: localId }] })
      await laptop.sync(create(localIds[0] ?? ''))
      await phone.sync(create(localIds[1] ?? ''))
      const answer = await phone.sync(create(localIds[2] ?? ''))
      const made = isObject(answer.json.things) && isObject(answer.json.things.new) ? answer.json.things.new : {}
      expectSame(Object.keys(made), [localIds[2]], 'keys of things.new, because one thing was submitted', answer)
    },
  },
])
