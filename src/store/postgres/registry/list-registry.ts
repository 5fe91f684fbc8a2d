import type { RegistryDocument } from '../../registry/registry-state.ts'
import type { Run } from '../database/open-database.ts'
import type { Statement } from '../database/statement.ts'
import * as statements from '../statements/registry.ts'

/** All that the registry holds, as `run` sees it: at one moment within a transaction. */
export const listRegistry = async (run: Run): Promise<RegistryDocument> => {
  const list = async <Item>(statement: Statement): Promise<readonly Item[]> => {
    const rows = await run<{ readonly item: string }>(statement, [])
    return rows.map(({ item }) => JSON.parse(item))
  }
  return {
    users: await list(statements.listPersons),
    apps: await list(statements.apps.list),
    sessions: await list(statements.listAllSessions),
    codes: await list(statements.codes.list),
    browserSessions: await list(statements.browserSessions.list),
    links: await list(statements.links.list),
    keys: await list(statements.serverKeys.list),
  }
}
