import type { Key, Session } from '../../registry/registry.ts'
import type { RegistryDocument } from '../../registry/registry-state.ts'
import type { Run } from '../database/open-database.ts'
import { listAllSessions, serverKeys } from '../statements/registry.ts'
import { readRegistry } from './read-registry.ts'

/** All that the registry holds, as `run` sees it: at one moment within a transaction. */
export const listRegistry = async (run: Run): Promise<RegistryDocument> => {
  const reader = readRegistry(run)
  const sessions = await run<{ readonly item: string }>(listAllSessions, [])
  const { listUsers, listApps, listCodes, listBrowserSessions, listLinks } = reader
  const keys = await run<{ readonly item: string }>(serverKeys.list, [])
  return {
    users: await listUsers(),
    apps: await listApps(),
    sessions: sessions.map(({ item }): Session => JSON.parse(item)),
    codes: await listCodes(),
    browserSessions: await listBrowserSessions(),
    links: await listLinks(),
    keys: keys.map(({ item }): Key => JSON.parse(item)),
  }
}
