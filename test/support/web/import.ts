import { createMemoryLocalStore } from '../../../client/src/index.ts'
import { openLibrary } from '../../../web/data/account-model.ts'
import { createObservable } from '../../../web/data/observable.ts'
import { createActionLog, createUndoList } from '../../../web/data/undo.ts'
import { createImporter, type ImportState } from '../../../web/transfer/importer.ts'
import { readFiles } from '../../../web/transfer/read-files.ts'
import { openOfflineReplica } from './open-replica.ts'
import { createInProcessSearch } from './search-here.ts'

/** An account that nobody has signed in to, and an importer that reads without a worker. */
export const openImportFixture = async () => {
  const replica = await openOfflineReplica()
  const faults: unknown[] = []
  const library = openLibrary(replica, createInProcessSearch(), (fault) => faults.push(fault))
  const undo = createUndoList(
    replica,
    () => 5,
    createActionLog(createMemoryLocalStore(), () => 5),
    (fault) => faults.push(fault),
  )
  const app = { replica, account: 'anna', state: createObservable({}) }
  const attempt = async (work: () => Promise<unknown>) => {
    try {
      await work()
      return true
    } catch (fault) {
      faults.push(fault)
      return false
    }
  }
  const importer = createImporter({
    model: { library, undo, attempt, app: app as never },
    startReading: (wanted, tell) => {
      void readFiles(wanted, tell)
      return { stop: () => {} }
    },
  })
  /** Resolves with the next state of this kind. */
  const see = <Kind extends ImportState['kind']>(kind: Kind) =>
    new Promise<Extract<ImportState, { kind: Kind }>>((resolve) => {
      const look = () => {
        const state = importer.state.read()
        if (state.kind !== kind) return
        unwatch()
        resolve(state as Extract<ImportState, { kind: Kind }>)
      }
      const unwatch = importer.state.watch(look)
      look()
    })
  const settle = async () => {
    await new Promise((resolve) => setTimeout(resolve))
    await library.settle()
  }
  return { replica, library, undo, importer, faults, see, settle }
}

/** A file of bookmarks as browsers write it. */
export const bookmarkFile = (count: number): string =>
  [
    '<!DOCTYPE NETSCAPE-Bookmark-file-1>',
    '<TITLE>Bookmarks</TITLE>',
    '<DL><p>',
    ...Array.from(
      { length: count },
      (_, index) =>
        `<DT><A HREF="https://example.com/${index}" ADD_DATE="${1_600_000_000 + index}" TAGS="read,t${index % 7}">Page ${index}</A>`,
    ),
    '</DL><p>',
  ].join('\n')
