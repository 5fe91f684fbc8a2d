import { setTimeout as sleep } from 'node:timers/promises'
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

/** Another process owns the folder, and runs commands at a port of 127.0.0.1. */
export interface OtherOwner {
  readonly owner: { readonly pid: number; readonly port: number }
}

/**
 * Takes a folder that no process owns any more. An owner of the same place has ended or not, which is known at once; any
 * other one has ended when it gave no sign for 10 s, and `onWait` is told that this is waited for. `again`: another process
 * takes or leaves the folder right now.
 * @throws FolderRefused when it has an owner that this process cannot ask for anything
 */
export async function takeFolder(
  control: Control,
  port: number,
  onWait: (sentence: string) => void,
): Promise<TakenFolder | OtherOwner | 'again'> {
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
  if (record !== undefined && isSamePlace(record, own))
    return (await hasEnded(record)) ? 'ended' : askOwner(control, found, record)
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

async function askOwner(control: Control, found: FoundOwner, record: OwnerRecord) {
  const { pid, port } = record
  // Port 0: the owner has no network.
  const owner = port === 0 ? undefined : await askPort(control, port)
  if (owner !== undefined) return owner.state === 'owner' ? { owner: { pid: owner.pid, port } } : 'again'
  // The file in a copy of a folder is about the owner of the other folder.
  if (!found.isOriginal) return 'ended'
  // A process that is killed closes its port a moment before the system says that it has ended.
  for (let look = 0; look < 20; look++) {
    const now = await findOwnerFile(control.folder.path)
    // Another process, or this owner at another port, may have taken the folder since.
    if (now?.number !== found.number || now.isFree || (await hasEnded(record))) return 'again'
    await sleep(50)
  }
  throw new FolderRefused(
    `data folder ${control.folder.path} is in use by thingsync process ${pid}, which does not answer; stop it first`,
  )
}
