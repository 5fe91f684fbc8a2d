import { askPort } from './ask-owner.ts'
import type { Control } from './control-file.ts'
import { FolderRefused } from './folder-refused.ts'
import { createOwnerFile, type FoundOwner, findOwnerFile, type OwnerFile, type OwnerRecord } from './owner-files.ts'
import { hasEnded, isSamePlace, type RunningProcess, readOwnProcess } from './running-process.ts'
import { watchOwner } from './watch-owner.ts'

/** A folder that this process has taken on its file system. */
export interface TakenFolder {
  readonly file: OwnerFile
  /** True when the owner before was only silent: it may have been suspended, and go on. */
  readonly mayHaveRival: boolean
}

/**
 * Takes a folder that no process owns any more. An owner of the same place has ended or not, which is known at once; any
 * other one has ended when it gave no sign for 10 s, and `onWait` is told that this is waited for.
 * @throws FolderRefused when it has an owner that this process cannot ask for anything
 */
export async function takeFolder(
  control: Control,
  port: number,
  onWait: (sentence: string) => void,
): Promise<TakenFolder | { readonly owner: { readonly pid: number; readonly port: number } } | 'again'> {
  const folder = control.folder.path
  const own = await readOwnProcess()
  const found = await findOwnerFile(folder)
  const fate = found === undefined || found.isFree ? 'ended' : await judge(control, { found, own, onWait })
  if (fate !== 'ended' && fate !== 'silent') return fate
  const file = await createOwnerFile(folder, found, { ...own, port })
  return file === undefined ? 'again' : { file, mayHaveRival: fate === 'silent' }
}

interface Judged {
  readonly found: FoundOwner
  readonly own: RunningProcess
  readonly onWait: (sentence: string) => void
}

async function judge(control: Control, { found, own, onWait }: Judged) {
  const { path } = control.folder
  const { record } = found
  if (record !== undefined && isSamePlace(record, own)) {
    // What lies in a copy of a folder is about another folder.
    if (!found.isOriginal || (await hasEnded(record))) return 'ended'
    return askOwner(control, record)
  }
  const who = `${record === undefined ? 'another process' : `process ${record.pid} on ${record.host}`}`
  onWait(`data folder ${path} was not released by ${who}, another container, start or machine; waiting 10 s for a sign`)
  const watched = await watchOwner(path, found)
  if (watched === 'replaced') return 'again'
  if (watched === 'silent') return 'silent'
  throw new FolderRefused(
    `data folder ${path} is in use by thingsync ${who}, in another container or on another machine; ` +
      'stop it first, or run this command there',
  )
}

async function askOwner(control: Control, { pid, port }: OwnerRecord) {
  const occupant = port === 0 ? { kind: 'nobody' as const } : await askPort(control, port)
  if (occupant.kind !== 'owner') {
    // It may have ended since, and then the next attempt finds that.
    const found = await findOwnerFile(control.folder.path)
    if (found?.record === undefined || found.isFree || (await hasEnded(found.record))) return 'again'
    throw new FolderRefused(
      `data folder ${control.folder.path} is in use by thingsync process ${pid}, which does not answer; stop it first`,
    )
  }
  return occupant.owner.state === 'owner' ? { owner: { pid: occupant.owner.pid, port } } : 'again'
}
