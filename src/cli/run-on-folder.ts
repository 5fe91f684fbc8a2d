import { makeFolder, requireFolder } from '../folder/make-folder.ts'
import { sendCommand } from '../folder/send-command.ts'
import { openJsonFileStore } from '../store/json-file-store.ts'
import { thingForm } from '../things/thing-form.ts'
import { systemWorld } from '../world.ts'
import { type AccountCommand, type AccountOutcome, runAccountCommand } from './account-commands.ts'
import { CommandFailed } from './command-failed.ts'
import { openOwnedStore } from './owned-store.ts'

/** When the owner changes between the question and the command it is asked again, this many times at most. */
const maxAttempts = 20

/**
 * Runs a command on a data folder: in the process that owns it, or, when there is none, here and as its owner for that
 * long. `mayMake` allows to make a folder that is missing.
 * @throws FolderRefused, StoreFailed, CommandFailed
 */
export async function runOnFolder(
  { data, store }: { readonly data: string; readonly store: 'json' | 'memory' },
  command: AccountCommand,
  { mayMake }: { readonly mayMake: boolean },
): Promise<AccountOutcome> {
  await (mayMake ? makeFolder(data) : requireFolder(data))
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const sent = await runInOwner(data, command)
    if (sent) return sent
    if (store === 'memory') throw new CommandFailed('the store "memory" keeps nothing while no server runs; start one')
    const outcome = await runHere(data, command)
    if (outcome) return outcome
  }
  throw new CommandFailed(`data folder ${data}: other processes keep taking it; try again`)
}

async function runHere(folder: string, command: AccountCommand): Promise<AccountOutcome | undefined> {
  // Commands that arrive meanwhile are served too: their processes found this one.
  const owned = await openOwnedStore(
    folder,
    () => openJsonFileStore({ folder, form: thingForm, log: standardError }),
    (error) => process.stderr.write(`thingsync: a command of another process failed: ${error}\n`),
  )
  if ('owner' in owned) return undefined
  try {
    return await runAccountCommand(owned.store, systemWorld, command)
  } finally {
    await owned.close()
  }
}

async function runInOwner(folder: string, command: AccountCommand): Promise<AccountOutcome | undefined> {
  const result = await sendCommand(folder, command)
  switch (result.status) {
    case 'done':
      return result.outcome as AccountOutcome
    case 'nobody':
      return undefined
    case 'failed':
      throw new CommandFailed('the server failed to run this command; its log says why')
    case 'unknown':
      throw new CommandFailed('the server stopped while it ran this command; a list command shows whether it was done')
  }
}

const say = (_details: object, message: string) => void process.stderr.write(`thingsync: ${message}\n`)
const standardError = { warn: say, error: say }
