import { type Behaviour, right } from '../server/behaviour.ts'
import type { Account, Session } from '../server/world.ts'
import { answers, type Fault, without } from './fault.ts'
import { hold, visit } from './meeting.ts'

const { nextPosition, position } = right

/** Changes of one second; a clock that counts them is as slow on every machine. */
const changesInSecond = 40

/** The position of all changes of one second. */
function secondOf({ memory }: Account): number {
  return 1_000_000 + Math.floor(Number(memory.get('changes') ?? 0) / changesInSecond)
}

function nextSecond(account: Account): number {
  account.memory.set('changes', Number(account.memory.get('changes') ?? 0) + 1)
  account.position = secondOf(account)
  return account.position
}

/** Takes the position first, and shows the work later. */
const slowCommit: Behaviour['commit'] = async (account, work) => {
  const taken = nextPosition(account)
  await hold(account.memory, 'listing')
  work(() => taken)
}

function living({ things }: Account): readonly number[] {
  return [...things.values()].flatMap((thing) => (thing.deleted ? [] : [thing.position]))
}

function offset({ memory }: Session): number {
  if (!memory.has('offset')) memory.set('offset', 1e12 - Math.floor(performance.now() * 1000))
  return Number(memory.get('offset'))
}

/** Faults of `pos` (interface 2.3, 4.3). */
export const positionFaults: readonly Fault[] = [
  {
    id: 'pos-missing-on-empty',
    title: 'gives no pos when nothing changed',
    behaviour: answers((answer) => (answer.things || answer.tags ? answer : without(answer, 'pos'))),
  },
  { id: 'pos-text', title: 'gives pos as text', behaviour: answers((answer) => ({ ...answer, pos: `${answer.pos}` })) },
  { id: 'pos-zero-always', title: 'gives 0 for pos', behaviour: { position: () => 0 } },
  {
    id: 'pos-from-living-things',
    title: 'takes pos from the living things, so that a deletion moves it back',
    behaviour: { position: (account) => Math.max(0, ...living(account)) },
  },
  {
    id: 'pos-thing-count',
    title: 'gives the number of things for pos',
    behaviour: { position: (account) => living(account).length },
  },
  {
    id: 'pos-ahead',
    title: 'gives a pos that the next change will have',
    behaviour: { position: (account) => account.position + 1, isFull: (from) => from === undefined || from === 0 },
  },
  {
    id: 'upload-returns-old-pos',
    title: 'answers an upload with the old pos',
    behaviour: { position: (account, session, of) => (of.own.size > 0 ? of.from : position(account, session, of)) },
  },
  {
    id: 'pos-second-granularity',
    title: 'takes the clock in whole seconds for positions',
    behaviour: { nextPosition: nextSecond, position: secondOf },
  },
  {
    id: 'pos-before-slow-commit',
    title: 'takes the position before a slow commit',
    behaviour: {
      commit: slowCommit,
      position: (account, session, of) => {
        visit(account.memory, 'listing')
        return position(account, session, of)
      },
    },
  },
  {
    id: 'pos-read-after-slow-listing',
    title: 'reads pos only after a slow listing',
    behaviour: {
      betweenListAndPosition: async ({ memory }) => void (await hold(memory, 'write')),
      afterWrite: ({ memory }) => void visit(memory, 'write'),
    },
  },
  {
    id: 'pos-per-session',
    title: 'gives positions that only the same session can use',
    behaviour: {
      position: (account, session) => account.position + offset(session),
      since: (from, session) => Math.max(0, from - offset(session)),
      isFull: (from) => from === undefined || from === 0,
    },
  },
  {
    id: 'pos-missing-after-deletion',
    title: 'gives no pos with the answer to a deletion',
    behaviour: answers((answer, { body }) =>
      body.some(([name]) => name === 'deleted_thing') ? without(answer, 'pos') : answer,
    ),
  },
  {
    id: 'pos-of-change-from-the-future',
    title: 'gives with the answer to a change the pos of the next one',
    behaviour: answers((answer, { body }) =>
      body.some(([name]) => name === 'changed_thing') ? { ...answer, pos: Number(answer.pos) + 1 } : answer,
    ),
  },
]
