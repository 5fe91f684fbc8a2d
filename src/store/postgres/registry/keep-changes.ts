import { foldName } from '../../registry/fold-name.ts'
import type { Session, User } from '../../registry/registry.ts'
import type { RegistryChanges } from '../../registry/registry-state.ts'
import { encodeTexts } from '../database/encode-array.ts'
import type { Run } from '../database/open-database.ts'
import * as statements from '../statements/registry.ts'
import { asKey } from './keys.ts'

/** Writes what one change of the registry did, within its transaction. */
export const keepChanges = async (run: Run, changes: RegistryChanges): Promise<void> => {
  const keepKeyed = async (
    { put, remove }: statements.KeyedTable,
    items: ReadonlyMap<string, object | undefined>,
  ): Promise<void> => {
    for (const [key, item] of items) {
      if (item === undefined) await run(remove, [asKey(key)])
      else await run(put, [asKey(key), JSON.stringify(item)])
    }
  }

  const keepUser = async (id: string, user: User | undefined): Promise<void> => {
    if (user === undefined) await run(statements.removePerson, [asKey(id)])
    else
      await run(statements.putPerson, [asKey(id), asKey(user.name), asKey(foldName(user.name)), JSON.stringify(user)])
  }

  const removeSession = async (id: string): Promise<void> => {
    const rows = await run<{ readonly account: string }>(statements.findSessionAccount, [asKey(id)])
    for (const { account } of rows) {
      await run(statements.dropSessionHashes, [account, asKey(id), encodeTexts([])])
      await run(statements.removeSession, [account, asKey(id)])
    }
  }

  const keepSession = async (session: Session): Promise<void> => {
    const account = asKey(session.userId)
    const id = asKey(session.id)
    const hashes = listHashes(session)
    const texts = hashes.map(({ hash }) => asKey(hash))
    await run(statements.putSession, [account, id, JSON.stringify(session)])
    await run(statements.dropSessionHashes, [account, id, encodeTexts(texts)])
    await run(statements.putSessionHashes, [
      account,
      id,
      encodeTexts(texts),
      encodeTexts(hashes.map(({ kind }) => kind)),
    ])
  }

  for (const [id, user] of changes.users) await keepUser(id, user)
  await keepKeyed(statements.apps, changes.apps)
  for (const [id, session] of changes.sessions) await (session === undefined ? removeSession(id) : keepSession(session))
  await keepKeyed(statements.codes, changes.codes)
  await keepKeyed(statements.browserSessions, changes.browserSessions)
  await keepKeyed(statements.links, changes.links)
  await keepKeyed(statements.serverKeys, changes.keys)
}

/** By what a session is found. */
export const listHashes = ({
  pairs,
  personal,
}: Session): { readonly hash: string; readonly kind: 'access' | 'request' }[] => [
  ...pairs.flatMap(({ accessHash, requestHash }) => [
    { hash: accessHash, kind: 'access' as const },
    { hash: requestHash, kind: 'request' as const },
  ]),
  ...(personal === undefined ? [] : [{ hash: personal.hash, kind: 'access' as const }]),
]
