import { setTimeout as sleep } from 'node:timers/promises'
import { askPort, postSealed } from './ask-owner.ts'
import { readControlFile } from './control-file.ts'
import { withFolderAdvice } from './folder-refused.ts'
import { findOwnerFile } from './owner-files.ts'

/**
 * What became of a command. `nobody`: no process owns the folder; nothing was run. `failed`: the owner's work threw, its
 * log says why. `unknown`: the owner ended or fell silent in the middle; the command may have been run.
 */
export type CommandResult =
  | { readonly status: 'done'; readonly outcome: unknown }
  | { readonly status: 'nobody' | 'failed' | 'unknown' }

/** Runs a command in the process that owns the data folder; waits 30 s for its outcome. */
export async function sendCommand(folder: string, command: unknown): Promise<CommandResult> {
  const control = await readControlFile(folder)
  const giveUpAt = Date.now() + 15_000
  while (Date.now() < giveUpAt) {
    const found = await withFolderAdvice(folder, () => findOwnerFile(control.folder.path))
    const ports = new Set([...control.ports, found?.record?.port ?? 0].filter((port) => port > 0))
    const occupants = await Promise.all([...ports].map((port) => askPort(control, port)))
    const owners = occupants.filter((occupant) => occupant.kind === 'owner')
    if (owners.length === 0) return { status: 'nobody' }
    const asked = owners.find(({ owner }) => owner.state === 'owner')
    if (asked) {
      const sent = await postSealed(control, asked.port, '/command', { ticket: asked.owner.ticket, command }, 30)
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
