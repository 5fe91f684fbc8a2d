import { createHash } from 'node:crypto'
import { describeExcess, type QuotaForAll } from '../accounts/quotas.ts'
import { findNamedUser } from '../accounts/users.ts'
import type { Draft, Store } from '../store/store.ts'
import { type ImportCounts, type ImportRules, type ItemToImport, importItems } from '../things/import-things.ts'
import type { World } from '../world.ts'
import type { PiecewiseJob } from './piecewise-jobs.ts'

/** The command that begins an import. */
export interface ImportBegin {
  readonly name: 'import begin'
  readonly user: string
  readonly tag?: string
  readonly isDry: boolean
  readonly keepsRepetitions: boolean
  /** Identifies the file when its import is begun again. */
  readonly file: string
}

/** An import into the account of one user. */
interface Import {
  readonly addItems: (items: readonly ItemToImport[]) => Promise<ImportCounts>
  /** Completes the import. Its notes say what exceeds a quota of the user: an operator may exceed quotas. */
  readonly end: () => Promise<readonly string[]>
}

/** What an import works with. */
interface ImportPlace {
  readonly store: Store
  readonly world: World
  readonly quotas: QuotaForAll
}

/** The writer of what an import adds: no session. */
const writer = 'import'
/** The kind of the records that say where an import began. */
export const importRecords = 'import'

/** Opens an import. @throws AccountRefused when there is no such user */
export const openImport = async ({ store, world, quotas }: ImportPlace, begin: ImportBegin): Promise<Import> => {
  const { id: userId } = await findNamedUser(store.registry, begin.user)
  const rules: ImportRules = {
    tag: begin.tag,
    isDry: begin.isDry,
    keepsRepetitions: begin.keepsRepetitions,
    beganAt: await store.write(userId, writer, (draft) => findBegin(draft, begin)),
    nameId: (text) => createHash('sha256').update(`${userId}\n${text}`).digest('hex').slice(0, 20),
    world,
  }
  return {
    addItems: (items) => store.write(userId, writer, (draft) => importItems(draft, items, rules)),
    end: async () => {
      if (!rules.isDry) await store.write(userId, writer, (draft) => draft.deleteRecord(importRecords, '', begin.file))
      const user = await store.registry.findUser(userId)
      const usage = await (await store.read(userId)).countUsage()
      return user === undefined ? [] : describeExcess(user, usage, quotas)
    },
  }
}

/** The import as a job whose pieces are items, a JSON line each, cut anywhere. */
export const createImportJob = ({ addItems, end }: Import): PiecewiseJob<ImportCounts> => {
  /** The start of a line that continues in the next piece. */
  let rest = ''
  return {
    next: async (text = '') => {
      const lines = text.split('\n')
      // What is left of earlier pieces is not searched again: an item may have hundreds.
      lines[0] = rest + lines[0]
      rest = lines.pop() ?? ''
      return addItems(lines.map((line): ItemToImport => JSON.parse(line)))
    },
    end,
  }
}

/** The position at which the import of a file was first begun; kept until it is complete, so that it goes on after a kill. */
const findBegin = async (draft: Draft, { file, isDry }: ImportBegin): Promise<number> => {
  const kept = await draft.findRecord(importRecords, '', file)
  if (typeof kept === 'number') return kept
  const position = draft.position()
  if (!isDry) await draft.putRecord(importRecords, '', file, position)
  return position
}
