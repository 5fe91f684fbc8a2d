import { expect, expectNoThing, expectSame, expectThing } from '../../expect.ts'
import { asSetup, Inapplicable } from '../../finding.ts'
import { showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import type { Replica } from '../../replica.ts'
import type { SyncAnswer } from '../../sync-answer.ts'
import { coreSection } from './core-rules.ts'

/**
 * A thing of user 1 whose id means nothing to user 2. Ids may be counted per user: then user 2 may have a thing of the
 * same id, and naming it would change or delete that one.
 */
const createForeign = async (lab: Lab, phone: Replica, stranger: Replica, title: string): Promise<string> => {
  for (let tries = 0; tries < 8; tries += 1) {
    const id = await phone.create({ title })
    const listing = await asSetup('a full listing of user 2', () => stranger.listAll())
    if (!listing.things.has(id) && !listing.deleted.includes(id)) return id
  }
  throw new Inapplicable(`the ids that user 1 is given name things of user 2 as well, which ${lab.mark} may not touch`)
}

/** Accounts are apart (interface 1). */
export const isolationRules = coreSection('1', [
  {
    id: 'USER-THINGS-01',
    title: 'MUST NOT list the things of another user in a full listing',
    clauses: ['C-1-2'],
    basis: 'derived',
    faults: ['accounts-share-things', 'full-from-omitted-empty'],
    check: async (lab) => {
      const stranger = await lab.stranger()
      const phone = await lab.replica('phone')
      const id = await phone.create({ title: lab.mark })
      const answer = await stranger.listAll()
      const seen = [...answer.things.values()].filter((thing) => thing.title === lab.mark)
      expect(seen.length === 0, `no thing titled ${lab.mark}, which user 1 created`, showValue(seen), answer)
      expectThing(await phone.listAll(), id, 'user 1 created it')
    },
  },
  {
    id: 'USER-THINGS-02',
    title: 'MUST NOT list the things of another user in a delta',
    clauses: ['C-1-2'],
    basis: 'derived',
    faults: ['accounts-share-deltas', 'delta-omits-created'],
    check: async (lab) => {
      const stranger = await lab.stranger()
      const phone = await lab.replica('phone')
      await stranger.create()
      const from = await stranger.position()
      const own = await phone.position()
      const id = await phone.create({ title: lab.mark })
      const answer = await stranger.sync({ from })
      const seen = [...answer.things.values()].filter((thing) => thing.title === lab.mark)
      expect(seen.length === 0, `no thing titled ${lab.mark}, which user 1 created`, showValue(seen), answer)
      expectThing(await phone.sync({ from: own }), id, 'user 1 created it')
    },
  },
  {
    // An _id of somebody else names nothing: whatever the answer is, nothing happens.
    id: 'USER-CHANGE-01',
    title: 'MUST NOT let a user change the thing of another',
    clauses: ['C-1-2'],
    basis: 'derived',
    faults: ['change-crosses-accounts'],
    alone: true,
    check: async (lab) => {
      const stranger = await lab.stranger()
      const phone = await lab.replica('phone')
      const title = lab.unique()
      const own = await stranger.create()
      const id = await createForeign(lab, phone, stranger, title)
      await asSetup('the same change of a thing of their own', () => stranger.change(own))
      await stranger.trySync({ from: await stranger.position(), changed_thing: [{ _id: id, title: lab.unique() }] })
      const answer = await phone.listAll()
      expectSame(expectThing(answer, id, 'user 1 created it').title, title, 'the title that user 1 gave it', answer)
    },
  },
  {
    id: 'USER-DELETE-01',
    title: 'MUST NOT let a user delete the thing of another',
    clauses: ['C-1-2'],
    basis: 'derived',
    faults: ['deletion-crosses-accounts', 'full-keeps-deleted'],
    alone: true,
    check: async (lab) => {
      const stranger = await lab.stranger()
      const phone = await lab.replica('phone')
      const own = await stranger.create()
      await stranger.remove(own)
      expectNoThing(await stranger.listAll(), own, 'user 2 deleted it')
      const id = await createForeign(lab, phone, stranger, lab.unique())
      await stranger.trySync({ from: await stranger.position(), deleted_thing: [id] })
      expectThing(await phone.listAll(), id, 'user 1 created it and only user 2 tried to delete it')
    },
  },
  {
    id: 'USER-TAGS-01',
    title: 'MUST NOT let a user see or set the tag settings of another',
    clauses: ['C-1-2'],
    basis: 'derived',
    faults: ['accounts-share-tags'],
    check: async (lab) => {
      const stranger = await lab.stranger()
      const phone = await lab.replica('phone')
      const from = await stranger.position()
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: false })
      for (const answer of [await stranger.sync({ from }), await stranger.listAll()]) {
        const seen = answer.tags.get(lab.mark)
        expect(seen === undefined, `no settings of tag ${lab.mark}, which user 1 set`, showValue(seen), answer)
      }
    },
  },
  {
    // Two users at the same moment: whose request it is hangs on the request alone.
    id: 'USER-TOGETHER-01',
    title: 'MUST keep users apart whose requests run at the same time',
    clauses: ['C-1-2'],
    basis: 'derived',
    faults: ['current-user-global', 'parallel-upload-copied'],
    check: async (lab) => {
      const stranger = await lab.stranger()
      const phone = await lab.replica('phone')
      await Promise.all([phone.position(), stranger.position()])
      const theirTitle = lab.unique()
      const rounds = Array.from({ length: 6 }, () => [
        phone.create({ title: lab.mark }),
        stranger.create({ title: theirTitle }),
      ])
      const mine = (await Promise.all(rounds.flat())).filter((_, index) => index % 2 === 0)
      const [ours, others] = await Promise.all([phone.listAll(), stranger.listAll()])
      // By title: two users may well have things of the same id.
      const titled = (answer: SyncAnswer, title: string) =>
        [...answer.things.values()].filter((thing) => thing.title === title).length
      const came = [mine.filter((id) => ours.things.has(id)).length, titled(ours, theirTitle), titled(others, lab.mark)]
      const expected = 'things of user 1 with user 1, of user 2 with user 1, of user 1 with user 2'
      expectSame(came, [6, 0, 0], expected, ours)
    },
  },
])
