import { randomUUID } from 'node:crypto'
import type { Errand, Store, TakenErrand } from '../store.ts'
import { keyOfName } from './accounts/names.ts'
import type { Database } from './database/open-database.ts'
import {
  dropErrand,
  endTeller,
  findNextErrand,
  listErrands,
  releaseErrand,
  renewErrands,
  takeErrand,
} from './statements/errands.ts'

/** The errands of all accounts, as this process hands them out. */
export interface Errands extends Pick<Store, 'takeErrand' | 'nextErrandAt' | 'listAllErrands'> {
  /** Says that this process lives; to be called a few times a minute. @throws StoreFailed */
  readonly renew: () => Promise<void>
  /** What this process has out is anybody's from now on. @throws StoreFailed */
  readonly end: () => Promise<void>
}

interface ErrandRow {
  readonly account: string
  /** The key, as JSON. */
  readonly name: string
  readonly dueAt: number
}

const readErrand = ({ account, name, dueAt }: ErrandRow): Errand => ({
  userId: account,
  key: JSON.parse(name) as string,
  dueAt,
})

/** Nothing is out. `released` is told when something was released. */
export const createErrands = (database: Database, released: () => void): Errands => {
  const teller = randomUUID()
  let outCount = 0

  const take = async (now: number): Promise<TakenErrand | undefined> => {
    const [row] = await database.run<ErrandRow>(takeErrand, [now, teller])
    if (row === undefined) return undefined
    const errand = readErrand(row)
    let isReleased = false
    outCount += 1
    return {
      ...errand,
      release: async (until = 0) => {
        if (isReleased) return
        isReleased = true
        outCount -= 1
        const name = [errand.userId, keyOfName(errand.key)]
        const [freed] = await database.run<{ readonly isSettled: boolean }>(releaseErrand, [...name, teller, until])
        if (freed?.isSettled === true) await database.run(dropErrand, name)
        released()
      },
    }
  }

  return {
    takeErrand: take,
    nextErrandAt: async () => {
      const [next] = await database.run<{ readonly availableAt: number }>(findNextErrand, [])
      return next?.availableAt
    },
    listAllErrands: async () => (await database.run<ErrandRow>(listErrands, [])).map(readErrand),
    renew: async () => {
      if (outCount > 0) await database.run(renewErrands, [teller])
    },
    end: async () => {
      await database.run(endTeller, [teller])
    },
  }
}
