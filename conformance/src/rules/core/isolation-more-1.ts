import { expect, expectCreated, expectRefusal, expectSame, expectThing } from '../../expect.ts'
import { asSetup } from '../../finding.ts'
import { showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import { readAccessToken } from '../../sessions.ts'
import { readSyncAnswer, type SyncAnswer } from '../../sync-answer.ts'
import { off } from '../../sync-request.ts'
import { coreSection } from './core-rules.ts'
import { readRequestToken, refresh, takeGrant } from './take-grant.ts'

const titled = (answer: SyncAnswer, title: string): number =>
  [...answer.things.values()].filter((thing) => thing.title === title).length

/** A password grant of user 2. */
const grantStranger = async (lab: Lab) => {
  await lab.stranger()
  const [, { username = '', password = '' } = {}] = lab.target.users
  return lab.token({ username, password })
}

const syncOf = async (lab: Lab, token: string, what: string): Promise<SyncAnswer> =>
  readSyncAnswer(await lab.openSync(token, { path: 'sync', query: [['from', '0']] }), what)

/** State that is kept for one user, of every kind (interface 1). */
export const isolationKindRules = coreSection('1', [
  {
    id: 'USER-LOCAL-01',
    title: 'MUST create a thing of its own for the local_id that another user has used',
    clauses: ['C-1-2', 'C-4.3-22'],
    basis: 'derived',
    faults: ['local-ids-of-all-users', 'new-map-of-all-users'],
    check: async (lab) => {
      const stranger = await lab.stranger()
      const phone = await lab.replica('phone')
      const [localId, mine, theirs] = [lab.unique(), lab.unique(), lab.unique()]
      const from = await phone.position()
      await phone.sync({ from, new_thing: [{ local_id: localId, title: mine }] })
      const other = await stranger.sync({
        from: await stranger.position(),
        new_thing: [{ local_id: localId, title: theirs }],
      })
      const otherId = expectCreated(other, localId)
      const others = await stranger.listAll()
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
    clauses: ['C-1-2', 'C-2.1-9'],
    basis: 'derived',
    faults: ['todo-tags-of-all-users', 'favorites-of-all-users'],
    check: async (lab) => {
      const stranger = await lab.stranger()
      const phone = await lab.replica('phone')
      await phone.setTag(lab.mark, { favorite: true, color: '#808182', todo: true })
      const id = await stranger.create({ tags: lab.mark })
      const answer = await stranger.listAll()
      const thing = expectThing(answer, id, 'user 2 created it')
      expect(
        !Object.hasOwn(thing, 'todoStatus'),
        'no todoStatus, because user 2 set nothing for its tag',
        showValue(thing),
        answer,
      )
      // A full listing may tell of every tag that a thing carries (interface 4.3, rule 1: "includes").
      const told = Object.entries(answer.tags.get(lab.mark) ?? {}).filter(([name, value]) => name in off && value)
      expect(told.length === 0, `no settings of ${lab.mark}, which user 1 set`, showValue(told), answer)
    },
  },
  {
    id: 'USER-TAGS-02',
    title: 'MUST keep the settings that two users give to a tag of the same name',
    clauses: ['C-1-2', 'C-2.2-4'],
    basis: 'derived',
    faults: ['tags-of-last-writer-for-all', 'tags-of-first-writer-stay'],
    check: async (lab) => {
      const stranger = await lab.stranger()
      const phone = await lab.replica('phone')
      await phone.setTag(lab.mark, { ...off, favorite: true, color: '#010203' })
      await stranger.setTag(lab.mark, { ...off, favorite: true, color: '#040506' })
      const came = [await phone.listAll(), await stranger.listAll()].map(
        (answer) => answer.tags.get(lab.mark)?.color ?? null,
      )
      expectSame(
        came,
        ['#010203', '#040506'],
        'the color of user 1 with user 1, of user 2 with user 2',
        await stranger.listAll(),
      )
    },
  },
  {
    id: 'USER-DELETED-01',
    title: 'MUST NOT tell a user of the deletions, or count the things, of another',
    clauses: ['C-1-2', 'C-4.3-19'],
    basis: 'derived',
    faults: ['deletions-of-all-users', 'thing-count-of-all-users', 'pos-of-other-users-writes'],
    alone: true,
    check: async (lab) => {
      const stranger = await lab.stranger()
      const phone = await lab.replica('phone')
      const gone = await phone.create()
      await stranger.create()
      const known = await stranger.listAll()
      const from = await stranger.position()
      await phone.remove(gone)
      await phone.create()
      const empty = await stranger.sync({ from })
      const { things, thingCount } = empty.json
      const isForeign = !known.things.has(gone)
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
    clauses: ['C-1-2', 'C-4.3-9'],
    basis: 'derived',
    faults: ['pages-of-all-users', 'listing-kept-for-all-users'],
    alone: true,
    check: async (lab) => {
      const stranger = await lab.stranger()
      const phone = await lab.replica('phone')
      const theirs = lab.unique()
      await phone.createMany([{ title: lab.mark }, { title: lab.mark }])
      await stranger.createMany([{ title: theirs }, { title: theirs }])
      for (const limit of [1, 1000]) {
        const seen: [SyncAnswer, SyncAnswer][] = []
        for (const skip of [0, limit]) {
          seen.push([await phone.sync({ skip, limit }), await stranger.sync({ skip, limit })])
        }
        const mixed = seen.map(([mine, other]) => titled(mine, theirs) + titled(other, lab.mark))
        expectSame(
          mixed,
          [0, 0],
          'things of the other user on two pages of each',
          seen[1]?.[1] ?? (await stranger.listAll()),
        )
      }
    },
  },
  {
    id: 'USER-TOKEN-01',
    title: 'MUST give each user, by password and by refresh, a token of the own account, in whatever order they ask',
    clauses: ['C-1-2', 'C-5.1-1', 'C-5.1-2'],
    basis: 'derived',
    faults: [
      'refresh-of-second-user-gives-first',
      'token-of-last-grant-for-all',
      'refresh-gives-last-user',
      'grant-gives-first-user',
    ],
    check: async (lab) => {
      const stranger = await lab.stranger()
      const phone = await lab.replica('phone')
      const theirs = lab.unique()
      await phone.create({ title: lab.mark })
      await stranger.create({ title: theirs })
      const first = await asSetup('a grant of user 1', () => takeGrant(lab))
      const second = await grantStranger(lab)
      const third = await refresh(lab, readRequestToken(first.reply))
      const fourth = await refresh(lab, readRequestToken(second))
      await asSetup('another grant of user 1', () => takeGrant(lab))
      for (const [reply, isMine, how] of [
        [third, true, 'refreshed for user 1'],
        [fourth, false, 'refreshed for user 2'],
      ] as const) {
        const answer = await syncOf(lab, readAccessToken(reply), `a full listing with a token ${how}`)
        const came = [titled(answer, lab.mark), titled(answer, theirs)]
        expectSame(came, isMine ? [1, 0] : [0, 1], `things of user 1 and of user 2 listed for a token ${how}`, answer)
      }
    },
  },
  {
    id: 'USER-PASSWORD-01',
    title: "MUST refuse one user's name with the password of another",
    section: '5.1',
    clauses: ['C-5.1-3', 'C-1-2'],
    basis: 'derived',
    faults: ['token-form-refused', 'password-of-anybody'],
    check: async (lab) => {
      readAccessToken(await grantStranger(lab))
      const [first, second] = lab.target.users
      if (first?.password === second?.password) return
      expectRefusal(await lab.token({ password: second?.password }), 'this is the password of the other user')
    },
  },
])
