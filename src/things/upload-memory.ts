import type { Draft } from '../store/store.ts'

/** Remembers which ids the new things of one session and one `from` were given (contract, sync 7). */
export interface UploadMemory {
  readonly findId: (localId: string) => Promise<string | undefined>
  readonly remember: (localId: string, id: string) => Promise<void>
}

const kind = 'upload'

/**
 * Finds what the session has uploaded with this `from` before, and forgets what it uploaded with earlier ones: a client
 * that sends a later `from` has had the answers. Kept in records of the account, so it is as durable as the things:
 * under the session the remembered `from`s, under the session with a `from` one id per local id.
 */
export const recallUploads = async (draft: Draft, session: string, from: number): Promise<UploadMemory> => {
  const groupOf = (remembered: string) => `${session} ${remembered}`
  const group = groupOf(String(from))
  const remembered = await draft.listRecords(kind, session)
  for (const earlier of remembered.keys()) {
    if (Number(earlier) >= from) continue
    await draft.deleteRecords(kind, groupOf(earlier))
    await draft.deleteRecord(kind, session, earlier)
  }
  let isListed = remembered.has(String(from))

  return {
    findId: async (localId) => {
      const id = isListed ? await draft.findRecord(kind, group, localId) : undefined
      return typeof id === 'string' ? id : undefined
    },
    remember: async (localId, id) => {
      if (!isListed) await draft.putRecord(kind, session, String(from), true)
      isListed = true
      await draft.putRecord(kind, group, localId, id)
    },
  }
}
