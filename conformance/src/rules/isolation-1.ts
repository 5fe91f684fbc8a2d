import { readAccessToken } from '../access-tokens.ts'
import { showValue } from '../encoding.ts'
import { expect, expectCreated, expectErrorResponse, expectNoThing, expectSame, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import type { Replica } from '../replica.ts'
import { asSetup, Skipped } from '../result.ts'
import { coreRulesOf } from '../rule.ts'
import { off, readSyncResponse, type SyncResponse } from '../sync-messages.ts'
import { readRequestToken, refresh, takeGrant } from './token-responses-5-2.ts'

/**
 * Creates a thing of user 1 whose ID means nothing to user 2. IDs may be counted per user: then user 2 may have a thing
 * with the same ID, and the request would change or delete that thing.
 */
export const createForeign = async (lab: Lab, phone: Replica, otherUser: Replica, title: string): Promise<string> => {
  for (let tries = 0; tries < 8; tries += 1) {
    const id = await phone.create({ title })
    const listing = await asSetup('a full sync of user 2', () => otherUser.listAll())
    if (!listing.things.has(id) && !listing.deleted.includes(id)) return id
  }
  throw new Skipped(`the ids that user 1 is given name things of user 2 as well, which ${lab.mark} may not touch`)
}

/** Separation of accounts (interface 1). */
export const isolationRules = coreRulesOf('1', [
  {
    id: 'USER-THINGS-01',
    title: 'MUST NOT list the things of another user in a full sync',
    requirements: ['C-1-2'],
    basis: 'implied',
    faults: ['accounts-share-things', 'full-from-omitted-empty'],
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      const id = await phone.create({ title: lab.mark })
      const response = await otherUser.listAll()
      const seen = [...response.things.values()].filter((thing) => thing.title === lab.mark)
      expect(seen.length === 0, `no thing titled ${lab.mark}, which user 1 created`, showValue(seen), response)
      expectThing(await phone.listAll(), id, 'user 1 created it')
    },
  },
  {
    id: 'USER-THINGS-02',
    title: 'MUST NOT list the things of another user in an incremental sync',
    requirements: ['C-1-2'],
    basis: 'implied',
    faults: ['accounts-share-incrementals', 'incremental-omits-created'],
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      await otherUser.create()
      const from = await otherUser.position()
      const own = await phone.position()
      const id = await phone.create({ title: lab.mark })
      const response = await otherUser.sync({ from })
      const seen = [...response.things.values()].filter((thing) => thing.title === lab.mark)
      expect(seen.length === 0, `no thing titled ${lab.mark}, which user 1 created`, showValue(seen), response)
      expectThing(await phone.sync({ from: own }), id, 'user 1 created it')
    },
  },
  {
    // An _id of another user names nothing: with any response, nothing happens.
    id: 'USER-CHANGE-01',
    title: 'MUST NOT let a user change the thing of another',
    requirements: ['C-1-2'],
    basis: 'implied',
    faults: ['change-crosses-accounts'],
    alone: true,
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      const title = lab.unique()
      const own = await otherUser.create()
      const id = await createForeign(lab, phone, otherUser, title)
      await asSetup('the same change of a thing of their own', () => otherUser.change(own))
      await otherUser.trySync({ from: await otherUser.position(), changed_thing: [{ _id: id, title: lab.unique() }] })
      const response = await phone.listAll()
      expectSame(expectThing(response, id, 'user 1 created it').title, title, 'the title that user 1 gave it', response)
    },
  },
  {
    id: 'USER-DELETE-01',
    title: 'MUST NOT let a user delete the thing of another',
    requirements: ['C-1-2'],
    basis: 'implied',
    faults: ['deletion-crosses-accounts', 'full-keeps-deleted'],
    alone: true,
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      const own = await otherUser.create()
      await otherUser.remove(own)
      expectNoThing(await otherUser.listAll(), own, 'user 2 deleted it')
      const id = await createForeign(lab, phone, otherUser, lab.unique())
      await otherUser.trySync({ from: await otherUser.position(), deleted_thing: [id] })
      expectThing(await phone.listAll(), id, 'user 1 created it and only user 2 tried to delete it')
    },
  },
  {
    id: 'USER-TAGS-01',
    title: 'MUST NOT let a user see or set the tag settings of another',
    requirements: ['C-1-2'],
    basis: 'implied',
    faults: ['accounts-share-tags'],
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      const from = await otherUser.position()
      await phone.setTag(lab.mark, { favorite: true, color: false, todo: false })
      for (const response of [await otherUser.sync({ from }), await otherUser.listAll()]) {
        const seen = response.tags.get(lab.mark)
        expect(seen === undefined, `no settings of tag ${lab.mark}, which user 1 set`, showValue(seen), response)
      }
    },
  },
  {
    // Two users at the same moment: only the request decides which user it belongs to.
    id: 'USER-TOGETHER-01',
    title: 'MUST keep users apart whose requests run at the same time',
    requirements: ['C-1-2'],
    basis: 'implied',
    faults: ['current-user-global', 'parallel-upload-copied'],
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      await Promise.all([phone.position(), otherUser.position()])
      const theirTitle = lab.unique()
      const rounds = Array.from({ length: 6 }, () => [
        phone.create({ title: lab.mark }),
        otherUser.create({ title: theirTitle }),
      ])
      const mine = (await Promise.all(rounds.flat())).filter((_, index) => index % 2 === 0)
      const [ownListing, others] = await Promise.all([phone.listAll(), otherUser.listAll()])
      // By title: two users may have things with the same ID.
      const titled = (response: SyncResponse, title: string) =>
        [...response.things.values()].filter((thing) => thing.title === title).length
      const came = [
        mine.filter((id) => ownListing.things.has(id)).length,
        titled(ownListing, theirTitle),
        titled(others, lab.mark),
      ]
      const expected = 'things of user 1 with user 1, of user 2 with user 1, of user 1 with user 2'
      expectSame(came, [6, 0, 0], expected, ownListing)
    },
  },
])

const titled = (response: SyncResponse, title: string): number =>
  [...response.things.values()].filter((thing) => thing.title === title).length

/** Sends a password grant of user 2. */
const grantOtherUser = async (lab: Lab) => {
  await lab.otherUser()
  const [, { username = '', password = '' } = {}] = lab.target.users
  return lab.token({ username, password })
}

const syncOf = async (lab: Lab, token: string, what: string): Promise<SyncResponse> =>
  readSyncResponse(await lab.openSync(token, { path: 'sync', query: [['from', '0']] }), what)

/** Every kind of state that belongs to one user (interface 1). */
export const isolationKindRules = coreRulesOf('1', [
  {
    id: 'USER-LOCAL-01',
    title: 'MUST create a thing of its own for the local_id that another user has used',
    requirements: ['C-1-2', 'C-4.3-22'],
    basis: 'implied',
    faults: ['local-ids-of-all-users', 'new-map-of-all-users'],
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      const [localId, mine, theirs] = [lab.unique(), lab.unique(), lab.unique()]
      const from = await phone.position()
      await phone.sync({ from, new_thing: [{ local_id: localId, title: mine }] })
      const other = await otherUser.sync({
        from: await otherUser.position(),
        new_thing: [{ local_id: localId, title: theirs }],
      })
      const otherId = expectCreated(other, localId)
      const others = await otherUser.listAll()
      expectSame(
        expectThing(others, otherId, 'user 2 created it').title,
        theirs,
        'the title that user 2 gave it',
        others,
      )
    },
  },
  {
    id: 'USER-TODO-01',
    title: "MUST NOT let a user's todo tag make todos of the things of another, nor a favorite reach another",
    requirements: ['C-1-2', 'C-2.1-9'],
    basis: 'implied',
    faults: ['todo-tags-of-all-users', 'favorites-of-all-users'],
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      await phone.setTag(lab.mark, { favorite: true, color: '#808182', todo: true })
      const id = await otherUser.create({ tags: lab.mark })
      const response = await otherUser.listAll()
      const thing = expectThing(response, id, 'user 2 created it')
      expect(
        !Object.hasOwn(thing, 'todoStatus'),
        'no todoStatus, because user 2 set nothing for its tag',
        showValue(thing),
        response,
      )
      // A full sync may list every tag that a thing carries (interface 4.3, rule 1: "includes").
      const notified = Object.entries(response.tags.get(lab.mark) ?? {}).filter(([name, value]) => name in off && value)
      expect(notified.length === 0, `no settings of ${lab.mark}, which user 1 set`, showValue(notified), response)
    },
  },
  {
    id: 'USER-TAGS-02',
    title: 'MUST keep the settings that two users give to a tag of the same name',
    requirements: ['C-1-2', 'C-2.2-4'],
    basis: 'implied',
    faults: ['tags-of-last-writer-for-all', 'tags-of-first-writer-stay'],
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      await phone.setTag(lab.mark, { ...off, favorite: true, color: '#010203' })
      await otherUser.setTag(lab.mark, { ...off, favorite: true, color: '#040506' })
      const came = [await phone.listAll(), await otherUser.listAll()].map(
        (response) => response.tags.get(lab.mark)?.color ?? null,
      )
      expectSame(
        came,
        ['#010203', '#040506'],
        'the color of user 1 with user 1, of user 2 with user 2',
        await otherUser.listAll(),
      )
    },
  },
  {
    id: 'USER-DELETED-01',
    title: 'MUST NOT list the deletions of another user, or count their things',
    requirements: ['C-1-2', 'C-4.3-19'],
    basis: 'implied',
    faults: ['deletions-of-all-users', 'thing-count-of-all-users', 'pos-of-other-users-writes'],
    alone: true,
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      const removed = await phone.create()
      await otherUser.create()
      const known = await otherUser.listAll()
      const from = await otherUser.position()
      await phone.remove(removed)
      await phone.create()
      const empty = await otherUser.sync({ from })
      const { things, thingCount } = empty.json
      const isForeign = !known.things.has(removed)
      const isRight = thingCount === undefined && (things === undefined || !isForeign)
      expect(
        isRight,
        'no things and no thingCount, because only user 1 wrote',
        showValue({ things, thingCount }),
        empty,
      )
    },
  },
  {
    id: 'USER-PAGE-01',
    title: 'MUST keep the pages of two users apart that fetch them in turns from the same position',
    requirements: ['C-1-2', 'C-4.3-9'],
    basis: 'implied',
    faults: ['pages-of-all-users', 'listing-kept-for-all-users'],
    alone: true,
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      const theirs = lab.unique()
      await phone.createMany([{ title: lab.mark }, { title: lab.mark }])
      await otherUser.createMany([{ title: theirs }, { title: theirs }])
      for (const limit of [1, 1000]) {
        const seen: [SyncResponse, SyncResponse][] = []
        for (const skip of [0, limit]) {
          seen.push([await phone.sync({ skip, limit }), await otherUser.sync({ skip, limit })])
        }
        const mixed = seen.map(([mine, other]) => titled(mine, theirs) + titled(other, lab.mark))
        expectSame(
          mixed,
          [0, 0],
          'things of the other user on two pages of each',
          seen[1]?.[1] ?? (await otherUser.listAll()),
        )
      }
    },
  },
  {
    id: 'USER-TOKEN-01',
    title: 'MUST give each user, by password and by refresh, a token of the own account, in whatever order they ask',
    requirements: ['C-1-2', 'C-5.1-1', 'C-5.1-2'],
    basis: 'implied',
    faults: [
      'refresh-of-second-user-gives-first',
      'token-of-last-grant-for-all',
      'refresh-gives-last-user',
      'grant-gives-first-user',
    ],
    check: async (lab) => {
      const otherUser = await lab.otherUser()
      const phone = await lab.replica('phone')
      const theirs = lab.unique()
      await phone.create({ title: lab.mark })
      await otherUser.create({ title: theirs })
      const first = await asSetup('a grant of user 1', () => takeGrant(lab))
      const second = await grantOtherUser(lab)
      const third = await refresh(lab, readRequestToken(first.reply))
      const fourth = await refresh(lab, readRequestToken(second))
      await asSetup('another grant of user 1', () => takeGrant(lab))
      for (const [reply, isMine, how] of [
        [third, true, 'refreshed for user 1'],
        [fourth, false, 'refreshed for user 2'],
      ] as const) {
        const response = await syncOf(lab, readAccessToken(reply), `a full sync with a token ${how}`)
        const came = [titled(response, lab.mark), titled(response, theirs)]
        expectSame(came, isMine ? [1, 0] : [0, 1], `things of user 1 and of user 2 listed for a token ${how}`, response)
      }
    },
  },
  {
    id: 'USER-PASSWORD-01',
    title: "MUST reject one user's name with the password of another",
    section: '5.1',
    requirements: ['C-5.1-3', 'C-1-2'],
    basis: 'implied',
    faults: ['token-form-rejected', 'password-of-anybody'],
    check: async (lab) => {
      readAccessToken(await grantOtherUser(lab))
      const [first, second] = lab.target.users
      if (first?.password === second?.password) return
      expectErrorResponse(await lab.token({ password: second?.password }), 'this is the password of the other user')
    },
  },
])
