import { expect, expectNoThing, expectSame, expectTag, expectThing } from '../../expect.ts'
import { showValue } from '../../json.ts'
import type { Rule } from '../../rule.ts'
import { decided } from './decided.ts'

/** Rules of section 4.3: what listings hold (contract, sync 1 to 5). */
export const listingRules: readonly Rule[] = [
  decided({
    id: 'LIST-POS-01',
    title: 'MUST give whole numbers below 2^53 as pos',
    section: '2.3',
    clauses: ['K-sync-20'],
    faults: ['pos-not-whole'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create()
      const answer = await phone.listAll()
      const [, written = ''] = /"pos"\s*:\s*([^\s,}]+)/.exec(answer.reply.text) ?? []
      const isWhole = /^\d+$/.test(written) && Number.isSafeInteger(Number(written))
      expect(isWhole, 'a whole number below 2^53 as pos', `${written} came`, answer)
    },
  }),
  decided({
    id: 'SYNC-FUTURE-01',
    title: 'MUST answer a from beyond the current position with a full listing',
    section: '4.3',
    clauses: ['K-sync-1'],
    faults: ['future-from-empty'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const id = await phone.create()
      const answer = await phone.sync({ from: (await phone.position()) + 1_000_000_000 })
      expectThing(answer, id, 'from is beyond the current position, so all things are listed')
    },
  }),
  decided({
    id: 'SYNC-LISTING-01',
    title: 'MUST list no deleted ids in a full listing',
    section: '4.3',
    clauses: ['K-sync-2'],
    faults: ['full-lists-deleted-ids'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.remove(await phone.create())
      const listing = await (await lab.replica('laptop')).listAll()
      expectSame(listing.deleted, [], 'things.deleted of a full listing', listing)
    },
  }),
  decided({
    id: 'SYNC-LISTING-02',
    title: 'MUST list tags with a color or a todo setting in a full listing',
    section: '4.3',
    clauses: ['K-sync-17', 'C-4.3-25'],
    faults: ['full-tags-no-colored'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.setTag(lab.mark, { favorite: false, color: '#a0b1c2', todo: false })
      expectTag(await (await lab.replica('laptop')).listAll(), lab.mark, 'it has a color')
    },
  }),
  decided({
    id: 'SYNC-GONE-01',
    title: 'MUST NOT list a thing that was created and deleted after from',
    section: '4.3',
    clauses: ['K-sync-3'],
    faults: [
      'delta-created-and-deleted-listed',
      'deletion-ignored',
      'deletion-of-one-deletes-all',
      'delta-omits-created',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const [gone = '', kept = ''] = await phone.createMany([{}, {}])
      await phone.remove(gone)
      const delta = await (await lab.replica('laptop')).sync({ from })
      expectThing(delta, kept, 'phone created it after from')
      expectNoThing(delta, gone, 'phone deleted it again')
      expect(
        !delta.deleted.includes(gone),
        `no ${gone} in things.deleted, because it was created after from`,
        showValue(delta.deleted),
        delta,
      )
    },
  }),
  decided({
    id: 'SYNC-COUNTED-01',
    title: 'MUST leave ids of skip_id out of thingCount',
    section: '4.3',
    clauses: ['K-sync-5'],
    faults: ['thing-count-ignores-skip-id'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const from = await phone.position()
      const [one = '', other = ''] = await phone.createMany([{}, {}, {}])
      const answer = await (await lab.replica('laptop')).sync({ from, skip_id: [one, other], method: 'POST' })
      const listed = answer.changed.length + answer.deleted.length
      expectSame(answer.json.thingCount, listed, 'thingCount, the number of things listed after skip_id', answer)
    },
  }),
]
