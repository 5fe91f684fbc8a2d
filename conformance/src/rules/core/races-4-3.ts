import { expect, expectSame } from '../../expect.ts'
import { asSetup } from '../../finding.ts'
import { showValue } from '../../json.ts'
import type { Lab } from '../../lab.ts'
import { readAccessToken } from '../../sessions.ts'
import { coreSection } from './core-rules.ts'
import { codeOfWrite, pairsOfWrites, titleOf, type WriteName, writes } from './races.ts'
import { readRequestToken, refresh, takeGrant } from './take-grant.ts'

const rounds = 3

/** Sends both writes at the same moment, several times, by two devices; both have to show afterwards. */
const expectBoth = async (lab: Lab, one: WriteName, other: WriteName): Promise<void> => {
  const [phone, laptop] = [await lab.replica('phone'), await lab.replica('laptop')]
  const from = await phone.position()
  await laptop.position()
  const done: { name: WriteName; made: string; word: string }[] = []
  for (let round = 0; round < rounds; round += 1) {
    const pair = [one, other].map((name) => ({ name, word: lab.unique() }))
    const ready = []
    for (const { name, word } of pair) ready.push({ name, word, made: await writes[name].prepare(lab, phone) })
    const sending = ready.map(({ name, made, word }, place) =>
      writes[name].send(place === 0 ? phone : laptop, from, made, word),
    )
    const results = await Promise.allSettled(sending)
    for (const result of results) if (result.status === 'rejected') throw result.reason
    done.push(...ready)
  }
  const full = await laptop.listAll()
  const delta = await laptop.sync({ from })
  for (const [place, { name, made, word }] of done.entries()) {
    const isListed = writes[name].isDone(full, made, word)
    const isTold = name === 'delete' ? !delta.things.has(made) : writes[name].isDone(delta, made, word)
    const expected = `the effect of phone's "${one}" and laptop's "${other}", sent at the same time, in a full listing and in a delta from ${from}`
    const came = `"${name}" of round ${1 + Math.floor(place / 2)} is ${isListed ? '' : 'not '}in the one, ${isTold ? '' : 'not '}in the other`
    expect(isListed && isTold, expected, came, isListed ? delta : full)
  }
}

/** Two things at the same time (derived from interface 4.3: a write that was answered is there). */
export const raceRules = coreSection('4.3', [
  ...pairsOfWrites.map(([one, other], place) => ({
    id: `RACE-PAIR-${String(place + 1).padStart(2, '0')}`,
    title: `MUST keep both of two uploads that run at the same time: ${one} and ${other}`,
    basis: 'derived' as const,
    clauses: ['C-4.3-33'],
    faults: [`race-${codeOfWrite[one]}-${codeOfWrite[other]}-loses-one`],
    alone: true as const,
    check: (lab: Lab) => expectBoth(lab, one, other),
  })),
  {
    id: 'RACE-TAG-01',
    title: 'MUST keep the settings that several devices give to several tags at the same time, also in one session',
    basis: 'derived',
    clauses: ['C-4.3-33', 'C-2.2-4'],
    faults: ['race-tags-last-map-wins', 'race-one-session-drops'],
    alone: true,
    check: async (lab) => {
      const [phone, laptop] = [await lab.replica('phone'), await lab.replica('laptop')]
      const from = await phone.position()
      await laptop.position()
      const tags = Array.from({ length: 8 }, () => lab.unique())
      await Promise.all(
        tags.map((name, place) =>
          (place < 4 ? phone : laptop).sync({ from, tag: { [name]: { favorite: true, color: false, todo: false } } }),
        ),
      )
      const full = await laptop.listAll()
      const missing = tags.filter((name) => full.tags.get(name)?.favorite !== true)
      expect(
        missing.length === 0,
        '8 favorites that were set in 8 uploads at once',
        `${missing.length} are missing`,
        full,
      )
    },
  },
  {
    id: 'RACE-TOKEN-01',
    title: 'MUST give several grants that run at the same time a pair of tokens each, and every one of them works',
    section: '5.2',
    basis: 'derived',
    clauses: ['C-5.2-6', 'C-5.2-1'],
    faults: ['race-grants-share-pair', 'race-grants-lose-token', 'race-grants-mix-users'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      await phone.create({ title: lab.mark })
      const [first, second = first] = lab.target.users
      const users = [first, second, first, second, first, second]
      const replies = await Promise.all(
        users.map((user) => lab.token({ username: user?.username, password: user?.password })),
      )
      const tokens = replies.map(readAccessToken)
      expect(
        new Set(tokens).size === tokens.length,
        '6 different access tokens',
        showValue(new Set(tokens).size),
        replies[0],
      )
      for (const [place, token] of tokens.entries()) {
        const reply = await lab.openSync(token, { path: 'sync', query: [['from', '0']] })
        const isMine = reply.text.includes(lab.mark)
        const isFirst = users[place] === first
        expectSame(
          isMine,
          isFirst,
          `whether the things of user 1 are listed for a grant of user ${isFirst ? 1 : 2}`,
          reply,
        )
      }
    },
  },
  {
    id: 'RACE-TOKEN-02',
    title: 'MUST answer refreshes of several devices that run at the same time, each with a pair of its own',
    section: '5.1',
    basis: 'derived',
    clauses: ['C-5.1-2', 'C-5.2-6'],
    faults: ['race-refreshes-share-pair', 'race-refreshes-refuse-one'],
    alone: true,
    check: async (lab) => {
      const grants = []
      for (let count = 0; count < 4; count += 1) grants.push((await asSetup('a grant', () => takeGrant(lab))).reply)
      const replies = await Promise.all(grants.map((grant) => refresh(lab, readRequestToken(grant))))
      const tokens = replies.map(readAccessToken)
      expect(
        new Set(tokens).size === tokens.length,
        '4 different access tokens',
        showValue(new Set(tokens).size),
        replies[0],
      )
    },
  },
  {
    id: 'RACE-LIST-01',
    title: 'MUST give each of several devices that list at the same time the answer to its own request',
    basis: 'derived',
    clauses: ['C-4.3-4', 'C-4.3-5'],
    faults: ['race-answers-swapped', 'race-from-of-last-asker'],
    alone: true,
    check: async (lab) => {
      const [phone, laptop] = [await lab.replica('phone'), await lab.replica('laptop')]
      const old = await phone.create()
      const from = await phone.position()
      const id = await phone.create()
      await laptop.position()
      for (let round = 0; round < rounds; round += 1) {
        const [delta, full] = await Promise.all([phone.sync({ from }), laptop.listAll()])
        const came = [delta.things.has(id), delta.things.has(old), full.things.has(id), full.things.has(old)]
        expectSame(
          came,
          [true, false, true, true],
          'whether a newer and an older thing are in a delta and in a full listing asked for at once',
          delta,
        )
      }
    },
  },
  {
    id: 'RACE-MIX-01',
    title: 'MUST keep every upload of two sessions that write everything at the same time, while both list',
    basis: 'derived',
    clauses: ['C-4.3-33', 'C-4.3-31'],
    faults: ['race-listing-stops-write'],
    alone: true,
    check: async (lab) => {
      const [phone, laptop] = [await lab.replica('phone'), await lab.replica('laptop')]
      const ids = await phone.createMany(Array.from({ length: 8 }, () => ({})))
      const from = await laptop.position()
      const steps = ids.map((id, place) => ({
        id,
        title: lab.unique(),
        by: place % 2 === 0 ? phone : laptop,
        with: place % 2 === 0 ? laptop : phone,
      }))
      for (const step of steps) {
        await Promise.all([
          step.by.sync({ from, changed_thing: [{ _id: step.id, title: step.title }] }),
          step.with.listAll(),
          step.with.sync({ from }),
        ])
      }
      const full = await laptop.listAll()
      expectSame(
        ids.map((id) => titleOf(full, id) ?? null),
        steps.map(({ title }) => title),
        'titles of 8 things, each changed while another device listed',
        full,
      )
    },
  },
])
