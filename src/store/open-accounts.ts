import type { Backend, BackendSource } from './backend.ts'
import { type Account, beginAccount } from './image/account.ts'
import { type AccountDocument, documentOf } from './image/account-document.ts'
import type { ErrandChange } from './record/change.ts'
import { pagedDownloadSeconds, type ThingForm, type VisibleChange } from './store.ts'
import { createPipeline, type Pipeline } from './write/commit-queue.ts'

/** An account in memory, and the writes to it. */
export interface OpenAccount {
  readonly account: Account
  readonly pipeline: Pipeline
}

/** An account at one moment. */
export interface AccountCopy {
  readonly document: AccountDocument
  /** When its errands are due, by key. */
  readonly errands: ReadonlyMap<string, number>
}

/** The accounts in memory; each is brought there when it is first asked for. */
export interface OpenAccounts extends Pick<BackendSource, 'visibleAccount' | 'whenVisible' | 'beginAccount'> {
  /** @throws StoreFailed when it cannot be read; it is tried again the next time */
  readonly open: (userId: string) => Promise<OpenAccount>
  /** What an account and its errands are now; one that is not in memory does not stay there. @throws StoreFailed */
  readonly copy: (userId: string) => Promise<AccountCopy>
  readonly drop: (userId: string) => void
  /** The accounts that nobody has asked for since the last page of any listing could be asked for. */
  readonly listIdle: () => readonly string[]
  /** Takes an account that is idle out of the memory, if the backend can bring it back. @throws StoreFailed */
  readonly closeIdle: (userId: string) => Promise<void>
  /** How many are in memory. */
  readonly count: () => number
  /** Resolves when all that is durable is visible. */
  readonly settle: () => Promise<void>
}

const idleMilliseconds = pagedDownloadSeconds * 1000

/** What open accounts work with. */
export interface OpenAccountsParts {
  readonly form: ThingForm
  readonly backend: Backend
  /** Milliseconds since whenever; never set back. */
  readonly elapsed: () => number
  /** See `EarlierReaders`. */
  readonly lowestListed: (userId: string) => number | undefined
  readonly listErrands: (userId: string) => ReadonlyMap<string, number>
  /** Told of a write in the moment in which it becomes visible: its errands, and whether the position is another one. */
  readonly onVisible: (
    userId: string,
    errands: readonly ErrandChange[],
    hasMoved: boolean,
    change: VisibleChange,
  ) => void
}

/** No account is in memory. */
export const createOpenAccounts = (parts: OpenAccountsParts): OpenAccounts => {
  const { form, backend, elapsed } = parts
  const opening = new Map<string, Promise<OpenAccount>>()
  const opened = new Map<string, OpenAccount>()
  const usedAt = new Map<string, number>()

  const load = async (userId: string): Promise<OpenAccount> => {
    const readers = { elapsed, lowestListed: () => parts.lowestListed(userId) }
    const account = await backend.loadAccount(userId, (position) => beginAccount(form, readers, position))
    const pipeline = createPipeline(account, {
      listErrands: () => parts.listErrands(userId),
      becameVisible: (errandSteps, hasMoved, writer) => {
        // What becomes visible in an account that was removed meanwhile is nobody's.
        if (opened.get(userId)?.account === account)
          parts.onVisible(userId, errandSteps, hasMoved, { position: account.position(), writer })
      },
    })
    return { account, pipeline }
  }

  const open = (userId: string): Promise<OpenAccount> => {
    usedAt.set(userId, elapsed())
    return opening.get(userId) ?? begin(userId)
  }

  const begin = (userId: string): Promise<OpenAccount> => {
    const found = load(userId).then(
      (account) => {
        if (opening.get(userId) === found) opened.set(userId, account)
        return account
      },
      (error: unknown) => {
        if (opening.get(userId) === found) drop(userId)
        throw error
      },
    )
    opening.set(userId, found)
    return found
  }

  const drop = (userId: string): void => {
    opening.delete(userId)
    opened.delete(userId)
    usedAt.delete(userId)
  }

  const copy = async (userId: string): Promise<AccountCopy> => {
    // An errand that was settled while the account was read from the disk may belong to what was read.
    const before = parts.listErrands(userId)
    const { account } = await (opening.get(userId) ?? load(userId))
    return { document: documentOf(account), errands: new Map([...before, ...parts.listErrands(userId)]) }
  }

  const isIdle = (userId: string): boolean => elapsed() - (usedAt.get(userId) ?? elapsed()) > idleMilliseconds

  const closeIdle = async (userId: string): Promise<void> => {
    const account = opened.get(userId)
    // Views that were given stay what they are; only writes must find one and the same account.
    const canClose = (): boolean => isIdle(userId) && account?.pipeline.isIdle() === true
    if (canClose() && (await backend.releaseAccount(userId)) && canClose()) drop(userId)
  }

  return {
    open,
    count: () => opened.size,
    copy,
    beginAccount: (position) => beginAccount(form, { elapsed, lowestListed: () => undefined }, position),
    listIdle: () => [...opened.keys()].filter(isIdle),
    closeIdle,
    visibleAccount: (userId) => {
      const found = opened.get(userId)
      return found && documentOf(found.account)
    },
    whenVisible: (userId) => opened.get(userId)?.pipeline.whenVisible(),
    settle: async () => {
      await Promise.all([...opened.values()].map(({ pipeline }) => pipeline.whenVisible()))
    },
    drop,
  }
}
