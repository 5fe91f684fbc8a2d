import { setTimeout as sleep } from 'node:timers/promises'
import { askPort, postSealed } from './ask-owner.ts'
import { readControlFile } from './control-file.ts'
import { withFolderAdvice } from './folder-refused.ts'
import { findOwnerFile } from './owner-files.ts'

/**
 * What became of a command. `nobody`: no process owns the folder, or its owner cannot be reached; nothing was run.
 * `failed`: the owner's work threw, its log says why. `unknown`: the owner ended or fell silent in the middle; the command
 * may have been run.
 */
export type CommandResult =
  | { readonly status: 'done'; readonly outcome: unknown }
  | { readonly status: 'nobody' | 'failed' | 'unknown' }

/** Runs a command in the process that owns the data folder; waits 30 s for its outcome. */
export async function sendCommand(folder: string, command: unknown): Promise<CommandResult> {
  const control = await readControlFile(folder)
  const findOwner = () => withFolderAdvice(folder, () => findOwnerFile(control.folder.path))
  const giveUpAt = Date.now() + 15_000
  while (Date.now() < giveUpAt) {
    const found = await findOwner()
    // Port 0: the owner has no network.
    if (found === undefined || found.isFree || !found.record?.port) return { status: 'nobody' }
    const { port } = found.record
    const owner = await askPort(control, port)
    // Another process may have taken the folder since, at another port.
    if (owner === undefined && (await findOwner())?.number === found.number) return { status: 'nobody' }
    if (owner?.state === 'owner') {
      const sent = await postSealed(control, port, '/command', { ticket: owner.ticket, command }, 30)
      if (sent === 'silent' || sent === 'stranger') return { status: 'unknown' }
      // An owner begins its answer before it begins to work.
      const isUnheard = sent === 'nobody' || sent === 'cut off'
      const result = isUnheard ? { status: 'not run' } : (sent.value as CommandResult | { status: 'not run' })
      if (result.status !== 'not run') return result as CommandResult
    }
    await sleep(20)
  }
  return { status: 'nobody' }
}
