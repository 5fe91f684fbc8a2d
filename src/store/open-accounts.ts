import { type Account, createAccount } from './account.ts'
import { type AccountDocument, documentOf } from './account-document.ts'
import type { Keeper, KeeperSource } from './keeper.ts'
import { createPipeline, type Pipeline } from './pipeline.ts'
import type { ThingForm } from './store.ts'

/** An account in memory, and the writes to it. */
export interface OpenAccount {
  readonly account: Account
  readonly pipeline: Pipeline
}

/** The accounts in memory; each is brought there when it is first asked for. */
export interface OpenAccounts extends Pick<KeeperSource, 'showAccount'> {
  /** @throws StoreFailed when it cannot be read; it is tried again the next time */
  readonly open: (userId: string) => Promise<OpenAccount>
  /** What an account is now; one that is not in memory does not stay there. @throws StoreFailed */
  readonly copy: (userId: string) => Promise<AccountDocument>
  readonly drop: (userId: string) => void
}

/** No account is in memory. `now` gives Unix time in milliseconds. */
export const createOpenAccounts = (form: ThingForm, now: () => number, keeper: Keeper): OpenAccounts => {
  const opening = new Map<string, Promise<OpenAccount>>()
  const opened = new Map<string, OpenAccount>()

  const load = async (userId: string): Promise<OpenAccount> => {
    const { document, writes } = await keeper.loadAccount(userId)
    const account = createAccount(form, now, document)
    for (const changes of writes) account.apply(changes)
    return { account, pipeline: createPipeline(account) }
  }

  const open = async (userId: string): Promise<OpenAccount> => {
    const found = opening.get(userId) ?? load(userId)
    opening.set(userId, found)
    try {
      const account = await found
      if (opening.get(userId) === found) opened.set(userId, account)
      return account
    } catch (error) {
      if (opening.get(userId) === found) opening.delete(userId)
      throw error
    }
  }

  return {
    open,
    copy: async (userId) => documentOf((await (opening.get(userId) ?? load(userId))).account),
    showAccount: (userId) => {
      const found = opened.get(userId)
      return found && documentOf(found.account)
    },
    drop: (userId) => {
      opening.delete(userId)
      opened.delete(userId)
    },
  }
}
