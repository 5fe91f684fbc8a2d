import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import type { Json, World } from '../server/world.ts'

/** Where faults remember who waits: the memory of an account or of the world. */
export type Memory = Map<string, Json>

/** Longer than the pauses that rules and histories make between requests that are to meet. */
const usualPatienceMs = 25

/** Turns of the event loop in which what was sent in time is read, however late the clock was looked at. */
const turns = 20

/** How long a request waits for another one; a test whose requests come from other programs makes it longer. */
export function setPatience({ accounts, memory }: World, patienceMs: number): void {
  for (const each of [memory, ...[...accounts.values()].map((account) => account.memory)])
    each.set('patience', patienceMs)
}

function waitingAt(memory: Memory, place: string): Set<() => void> {
  const waiting = (memory.get(place) ?? new Set()) as Set<() => void>
  memory.set(place, waiting)
  return waiting
}

async function beAlone(memory: Memory): Promise<false> {
  await sleep(Number(memory.get('patience') ?? usualPatienceMs))
  for (let count = 0; count < turns; count += 1) await turn()
  return false
}

/** Lets the requests that wait at the place go on; how many there were. */
export function visit(memory: Memory, place: string): number {
  const waiting = waitingAt(memory, place)
  const leaving = [...waiting]
  waiting.clear()
  for (const leave of leaving) leave()
  return leaving.length
}

/** Waits at the place until another request visits it, or until none is on its way; whether one came. */
export async function hold(memory: Memory, place: string): Promise<boolean> {
  const waiting = waitingAt(memory, place)
  let leave = (): void => {}
  const visited = new Promise<true>((resolve) => {
    leave = () => resolve(true)
  })
  waiting.add(leave)
  const wasVisited = await Promise.race([visited, beAlone(memory)])
  waiting.delete(leave)
  return wasVisited
}

/** Lets two requests meet at the place: the first waits for the second. Whether they met. */
export async function meet(memory: Memory, place: string): Promise<boolean> {
  return visit(memory, place) > 0 || (await hold(memory, place))
}

/** Lets requests of two users meet. Whether they met. */
export async function meetOther({ accounts, memory }: World, username: string): Promise<boolean> {
  const others = [...accounts.keys()].filter((name) => name !== username)
  return others.some((name) => visit(memory, `of ${name}`) > 0) || (await hold(memory, `of ${username}`))
}
