import { expect, expectDeleted, expectNoThing, expectTag, expectThing } from '../../expect.ts'
import { coreSection } from './core-rules.ts'

/** Positions (interface 2.3; 4.3, rules 2 and 5). */
export const positionRules = coreSection('4.3', [
  {
    // Rule 5: uploading new things gives a new position. Whether it counts, tells the time or jumps is free.
    id: 'SYNC-POS-01',
    title: 'MUST give a new pos after new things were uploaded',
    clauses: ['C-4.3-29'],
    faults: ['upload-returns-old-pos', 'pos-zero-always'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const answer = await phone.sync({ from, new_thing: [{ local_id: lab.unique(), title: lab.unique() }] })
      expect(
        answer.pos !== from,
        `a pos other than ${from}, because a thing was uploaded from there`,
        'the same came',
        answer,
      )
    },
  },
  {
    // "Since" needs an order: a position given later is never before one given earlier, also after deletions.
    id: 'SYNC-POS-02',
    title: 'MUST NOT let pos go back',
    section: '2.3',
    basis: 'derived',
    clauses: ['C-2.3-1', 'C-4.3-31'],
    faults: ['pos-from-living-things', 'pos-thing-count'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const ids = await phone.createMany([{}, {}, {}])
      let before = await phone.position()
      for (const id of ids.reverse()) {
        await phone.remove(id)
        const answer = await phone.sync({ from: before })
        expect(
          answer.pos >= before,
          `a pos of at least ${before}, which was given before`,
          `${answer.pos} came`,
          answer,
        )
        before = answer.pos
      }
    },
  },
  {
    // Changes follow each other faster than any clock ticks; each belongs behind the position given just before it.
    id: 'SYNC-POS-03',
    title: 'MUST list every change from the position that was given just before it, however quickly they follow',
    basis: 'derived',
    clauses: ['C-4.3-31'],
    faults: ['pos-second-granularity', 'pos-ahead', 'delta-skips-one'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      let from = await laptop.position()
      for (let round = 0; round < 5; round += 1) {
        const id = await phone.create()
        const answer = await laptop.sync({ from })
        expectThing(answer, id, `phone created it after laptop was given ${from}`)
        from = answer.pos
      }
    },
  },
  {
    id: 'SYNC-POS-04',
    title: 'MUST list a quick change, deletion and tag setting from the position that was given just before it',
    basis: 'derived',
    clauses: ['C-4.3-31'],
    faults: [
      'pos-second-granularity',
      'change-takes-no-position',
      'deletion-takes-no-position',
      'tag-takes-no-position',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const id = await phone.create()
      const created = await laptop.position()
      await phone.change(id)
      const changed = await laptop.sync({ from: created })
      expectThing(changed, id, `phone changed it after laptop was given ${created}`)
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: false })
      const set = await laptop.sync({ from: changed.pos })
      expectTag(set, lab.mark, `phone changed them after laptop was given ${changed.pos}`)
      await phone.remove(id)
      expectDeleted(await laptop.sync({ from: set.pos }), id, `phone deleted it after laptop was given ${set.pos}`)
    },
  },
  {
    // The pos of a full listing is as good a start as any: what came before is in the listing, what comes after in the delta.
    id: 'SYNC-POS-05',
    title: 'MUST give with a full listing a pos from which only later changes are listed',
    clauses: ['C-2.3-1', 'C-4.3-5'],
    faults: ['delta-lists-all', 'pos-zero-always', 'delta-omits-created'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const before = await phone.create()
      const full = await laptop.listAll()
      const after = await phone.create()
      const delta = await laptop.sync({ from: full.pos })
      expectThing(delta, after, `phone created it after the full listing, which gave ${full.pos}`)
      expectNoThing(delta, before, `phone created it before the full listing, which gave ${full.pos}`)
    },
  },
  {
    // Harmless, since the client knows the thing, but a cost: the answer's pos is the current one, the upload included.
    id: 'SYNC-POS-06',
    title: 'SHOULD NOT list an own upload in the next delta',
    basis: 'derived',
    clauses: ['C-4.3-5', 'C-4.3-29'],
    faults: ['upload-returns-old-pos'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const localId = lab.unique()
      const upload = await phone.sync({ from, new_thing: [{ local_id: localId, title: localId }] })
      const next = await phone.sync({ from: upload.pos })
      expectNoThing(
        next,
        upload.created.get(localId) ?? '',
        `phone uploaded it itself and was given ${upload.pos} with it`,
      )
    },
  },
  {
    // A client stores what comes with each answer, whatever it had sent.
    id: 'SYNC-POS-07',
    title: 'MUST give with the answer to a change, a deletion and tag settings a pos that works as from',
    clauses: ['C-4.3-18', 'C-2.3-1'],
    faults: ['pos-missing-after-deletion', 'pos-of-change-from-the-future'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [changed = '', gone = ''] = await phone.createMany([{}, {}])
      const from = await phone.position()
      const off = { favorite: false, color: false, todo: false } as const
      const uploads = [
        { changed_thing: [{ _id: changed, title: lab.unique() }] },
        { deleted_thing: [gone] },
        { tag: { [lab.mark]: { ...off, favorite: true } } },
      ]
      for (const upload of uploads) {
        const { pos } = await phone.sync({ from, ...upload })
        const id = await laptop.create()
        const because = `laptop created it after phone was given ${pos} with its upload of ${Object.keys(upload).join()}`
        expectThing(await phone.sync({ from: pos }), id, because)
      }
    },
  },
])
