import type { ServerResponse } from 'node:http'
import type { RunningExchange } from './behaviour.ts'
import type { Reply } from './right-requests.ts'
import { findParameter } from './right-requests.ts'
import { answerSync } from './sync.ts'
import { readNumber, refuse } from './values.ts'
import type { Account, Session, Watcher } from './world.ts'

function partsOf({ account, session }: RunningExchange): { account: Account; session: Session } {
  if (account === undefined || session === undefined) throw new Error('this needs a session')
  return { account, session }
}

/** Takes one of the places of requests that wait; gives it back. */
function takePlace({ world }: RunningExchange, session: Session): () => void {
  const { behaviour } = world
  const counted = behaviour.countsWaiting(world.sessions, session)
  const waiting = counted.reduce((sum, each) => sum + each.waiting, 0)
  if (waiting >= behaviour.mostWaiting) throw behaviour.tooManyWaiting()
  session.waiting += 1
  return () => {
    if (behaviour.forgetsWaiting) session.waiting -= 1
  }
}

/** sync/events: the position at once and after each change of another session (contract, delivery). */
export function answerEvents(exchange: RunningExchange): Reply {
  const { world, gone, lastEventId } = exchange
  const { behaviour } = world
  const { account, session } = partsOf(exchange)
  const giveBack = takePlace(exchange, session)
  const stream = (response: ServerResponse): void => {
    const write = (isFirst: boolean): void => void response.write(behaviour.event(account.position, isFirst))
    const watcher: Watcher = (writer) => {
      if (behaviour.wakes(session, writer, account)) write(false)
    }
    const look = setInterval(() => {
      if (session.revoked) response.end()
    }, behaviour.tokenLookMs || 1_000_000)
    const stop = (): void => {
      clearInterval(look)
      account.watchers.delete(watcher)
      world.closing.delete(stop)
    }
    world.closing.add(stop)
    gone.addEventListener('abort', () => {
      stop()
      giveBack()
    })
    response.flushHeaders()
    response.write(':\n\n')
    if (behaviour.tellsAtOnce(lastEventId)) write(true)
    behaviour.addWatcher(account, watcher)
  }
  return { status: 200, headers: behaviour.streamHeaders, body: '', stream }
}

/** Holds the answer to a sync with `wait` back while there is nothing after `from` (contract, delivery). */
async function waitForNews(exchange: RunningExchange): Promise<void> {
  const { world, gone, parameters, method } = exchange
  const { behaviour } = world
  const { account, session } = partsOf(exchange)
  const wait = findParameter(parameters, 'wait')
  if (wait === undefined || method !== 'GET' || !behaviour.readsWait) return
  const seconds = readNumber(world, wait, 'wait') ?? 0
  if (!behaviour.isGoodWait(seconds)) refuse(world, 'wait-invalid', 'wait is a whole number from 1 to 60')
  const from = readNumber(world, findParameter(parameters, 'from'), 'from')
  if (!behaviour.holdsBack(account, from)) return
  const giveBack = takePlace(exchange, session)
  await new Promise<void>((resolve) => {
    const watcher: Watcher = (writer) => {
      if (behaviour.wakes(session, writer, account)) finish()
    }
    const finish = (): void => {
      clearTimeout(timer)
      account.watchers.delete(watcher)
      world.closing.delete(finish)
      resolve()
    }
    const timer = setTimeout(finish, behaviour.waitMs(seconds))
    world.closing.add(finish)
    gone.addEventListener('abort', finish)
    behaviour.addWatcher(account, watcher)
  })
  giveBack()
}

/** sync, which may wait. */
export async function answerWaitingSync(exchange: RunningExchange): Promise<Reply> {
  await waitForNews(exchange)
  return answerSync(exchange)
}
