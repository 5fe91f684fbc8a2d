import { ownFolder } from '../folder/own-folder.ts'
import type { Store } from '../store/store.ts'
import { systemWorld } from '../world.ts'
import { type AccountCommand, runAccountCommand } from './account-commands.ts'
import { type Copies, type CopyCommand, createCopies } from './copies.ts'

/** The store of a data folder that this process owns; other processes' commands run on it too. */
export interface OwnedStore {
  readonly store: Store
  /** Finishes the commands that run, closes the store and releases the folder. */
  readonly close: () => Promise<void>
}

/**
 * Owns an existing data folder and opens its store, or says who owns it. `onFault` is told what a command of another
 * process threw; that process learns only that it failed.
 * @throws FolderRefused, StoreFailed
 */
export async function openOwnedStore(
  folder: string,
  openStore: () => Promise<Store>,
  onFault: (error: unknown) => void,
): Promise<OwnedStore | { readonly owner: { readonly pid: number } }> {
  let opening: Promise<Store> | undefined
  let copies: Copies | undefined
  const open = () => {
    opening ??= openStore()
    return opening
  }
  const onCommand = async (command: unknown) => {
    try {
      const store = await open()
      // Made by a holder of the folder's key, that is by sendCommand.
      const asked = command as AccountCommand | CopyCommand
      if (asked.name !== 'copy begin' && asked.name !== 'copy next')
        return await runAccountCommand(store, systemWorld, asked)
      copies ??= createCopies(store)
      return await copies.run(asked)
    } catch (error) {
      onFault(error)
      throw error
    }
  }
  const owned = await ownFolder(folder, { onCommand })
  if ('owner' in owned) return owned
  try {
    const store = await open()
    const close = async () => {
      await owned.stopCommands()
      await store.close()
      await owned.release()
    }
    return { store, close }
  } catch (error) {
    await owned.release()
    throw error
  }
}
