import { createTurns, type Turns } from './turns.ts'

/** Who wants in, for whom, and where to. */
export interface Caller {
  readonly userId: string
  readonly host: string
}

/** How many may be in at a time. */
export interface DoorLimits {
  readonly perHost: number
  /** Of one user at one host; fewer than all, so that others find a place there. */
  readonly perHostAndUser: number
  /** Of one user in all; what he has unregistered and is still under way counts. */
  readonly perUser: number
}

interface Door<T> {
  readonly key: string
  readonly most: number
  readonly waiting: Turns<T>
  inside: number
}

/**
 * Lets few in at a time: to each host, of each user, and of each user to each host. Who finds a door shut waits at it, where
 * users take turns, and is handed to `again` when there is a place: to try all of the doors anew.
 */
export const createDoors = <T extends Caller>(limits: DoorLimits, again: (caller: T) => void) => {
  const doors = new Map<string, Door<T>>()
  /** Who was called by which door, and was not back yet. */
  const called = new Map<T, Door<T>>()

  const findDoor = (key: string, most: number): Door<T> =>
    doors.get(key) ?? { key, most, waiting: createTurns(), inside: 0 }
  const findDoors = ({ userId, host }: T): readonly Door<T>[] => [
    findDoor(`user ${userId}`, limits.perUser),
    findDoor(`share ${host} ${userId}`, limits.perHostAndUser),
    findDoor(`host ${host}`, limits.perHost),
  ]
  /** Each place that is left calls one; so while somebody waits, those who were called are as many as the places. */
  const callNext = (door: Door<T>): void => {
    const next = door.inside < door.most ? door.waiting.next() : undefined
    if (next === undefined) return
    called.set(next, door)
    again(next)
  }

  return {
    /** True when the caller is in, and has to leave; else it waits. */
    enter: (caller: T): boolean => {
      const passed = findDoors(caller)
      const by = called.get(caller)
      called.delete(caller)
      // The place that is free is for those who waited.
      const shut = passed.find((door) => door.inside >= door.most || (by?.key !== door.key && !door.waiting.isEmpty()))
      for (const door of shut === undefined ? passed : [shut]) doors.set(door.key, door)
      if (shut === undefined) {
        for (const door of passed) door.inside++
        return true
      }
      shut.waiting.add(caller)
      if (by !== undefined && by !== shut) callNext(by)
      return false
    },
    /** Gives the place to who waits for it. */
    leave: (caller: T): void => {
      const passed = findDoors(caller)
      for (const door of passed) door.inside--
      for (const door of passed) {
        callNext(door)
        if (door.inside === 0 && door.waiting.isEmpty()) doors.delete(door.key)
      }
    },
    /** Takes out all who wait. */
    takeWaiting: (): readonly T[] => {
      const all: T[] = []
      for (const { waiting } of doors.values()) {
        for (let next = waiting.next(); next !== undefined; next = waiting.next()) all.push(next)
      }
      return all
    },
  }
}
