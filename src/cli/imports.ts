import { createHash, randomUUID } from 'node:crypto'
import { AccountRefused } from '../accounts/account-refused.ts'
import { describeExcess, noQuotas, type QuotaForAll } from '../accounts/quotas.ts'
import { findNamedUser } from '../accounts/users.ts'
import { type Draft, type Store, StoreFailed } from '../store/store.ts'
import { type ImportCounts, type ImportRules, type ItemToImport, importItems } from '../things/import-things.ts'
import type { World } from '../world.ts'

/** A command that imports a file piece by piece, as JSON: a file is longer than any question may be. */
export type ImportCommand =
  | {
      readonly name: 'import begin'
      readonly user: string
      readonly tag?: string
      readonly isDry: boolean
      readonly keepsRepetitions: boolean
      /** What the file is known by when its import is begun again. */
      readonly file: string
    }
  /** `text` holds items, a JSON line each, cut anywhere. */
  | { readonly name: 'import next'; readonly import: string; readonly text: string }
  | { readonly name: 'import end'; readonly import: string }

/** True for a command about an import. */
export const isImportCommand = (command: { readonly name: string }): command is ImportCommand =>
  command.name === 'import begin' || command.name === 'import next' || command.name === 'import end'

/** What an import command gives: its name, what became of the items of the piece, that it is done, or why not. */
export type ImportOutcome =
  | { readonly import: string }
  | ImportCounts
  /** `notes` say what the user has more of now than a quota allows, to which whoever runs the server is not held. */
  | { readonly ended: true; readonly notes?: readonly string[] }
  | { readonly refused: string }

/** The same as `import next` for who is in the same process: the items as they are. */
export interface ImportItems {
  readonly name: 'import items'
  readonly import: string
  readonly items: readonly ItemToImport[]
}

/** The imports that other processes, or this one, are making into one store. */
export interface Imports {
  readonly run: (command: ImportCommand | ImportItems) => Promise<ImportOutcome>
}

interface Running {
  readonly userId: string
  readonly file: string
  readonly rules: ImportRules
  /** The begin of a line that goes on in the next piece. */
  rest: string
  readonly timer: NodeJS.Timeout
}

const patienceMilliseconds = 60_000
const maxImports = 4
/** Who wrote what an import adds: no session. */
const writer = 'import'
/** The kind of the records that say where an import began. */
export const importRecords = 'import'

/** No import is being made. One that nobody goes on with for a minute is dropped; what it has added stays. */
export function createImports(store: Store, world: World, quotas: QuotaForAll = noQuotas): Imports {
  const running = new Map<string, Running>()

  const begin = async (command: ImportCommand & { name: 'import begin' }): Promise<ImportOutcome> => {
    if (running.size >= maxImports)
      return {
        refused: `${maxImports} imports are being made already; wait for one (one that was killed is forgotten within a minute)`,
      }
    const { id: userId } = await findNamedUser(store.registry, command.user)
    const name = randomUUID()
    const rules: ImportRules = {
      tag: command.tag,
      isDry: command.isDry,
      keepsRepetitions: command.keepsRepetitions,
      beganAt: await store.write(userId, writer, (draft) => findBegin(draft, command)),
      nameId: (text) => createHash('sha256').update(`${userId}\n${text}`).digest('hex').slice(0, 20),
      world,
    }
    const timer = setTimeout(() => void running.delete(name), patienceMilliseconds).unref()
    running.set(name, { userId, file: command.file, rules, rest: '', timer })
    return { import: name }
  }

  const run: Imports['run'] = async (command) => {
    if (command.name === 'import begin') return begin(command)
    const found = running.get(command.import)
    if (found === undefined) return { refused: 'the server was restarted during the import; run it again to go on' }
    found.timer.refresh()
    const { userId, file, rules } = found
    if (command.name === 'import end') {
      clearTimeout(found.timer)
      running.delete(command.import)
      if (!rules.isDry) await store.write(userId, writer, (draft) => draft.deleteRecord(importRecords, '', file))
      const user = await store.registry.findUser(userId)
      const usage = await (await store.read(userId)).countUsage()
      return { ended: true, notes: user === undefined ? [] : describeExcess(user, usage, quotas) }
    }
    const items = command.name === 'import items' ? command.items : parseItems(found, command.text)
    return store.write(userId, writer, (draft) => importItems(draft, items, rules))
  }

  return {
    run: async (command) => {
      try {
        return await run(command)
      } catch (error) {
        if (error instanceof AccountRefused) return { refused: error.sentence }
        if (error instanceof StoreFailed) return { refused: error.message }
        throw error
      }
    },
  }
}

/** The items whose lines end in a piece. */
const parseItems = (running: Running, text: string): readonly ItemToImport[] => {
  const lines = text.split('\n')
  // What is left of earlier pieces is not searched again: an item may have hundreds.
  lines[0] = running.rest + lines[0]
  running.rest = lines.pop() ?? ''
  return lines.map((line): ItemToImport => JSON.parse(line))
}

/** The position at which the import of a file was first begun; kept until it is done, so that it goes on after a kill. */
const findBegin = async (
  draft: Draft,
  { file, isDry }: { readonly file: string; readonly isDry: boolean },
): Promise<number> => {
  const kept = await draft.findRecord(importRecords, '', file)
  if (typeof kept === 'number') return kept
  const position = draft.position()
  if (!isDry) await draft.putRecord(importRecords, '', file, position)
  return position
}
