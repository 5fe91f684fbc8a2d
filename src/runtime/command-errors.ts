import { AccountError } from '../accounts/names.ts'
import type { QuotaForAll } from '../accounts/quotas.ts'
import { SettingsInvalid } from '../config/read-settings.ts'
import type { Environment } from '../environment.ts'
import { FolderError } from '../folder/data-folder.ts'
import { isSystemError, SyncError } from '../store/disk/files.ts'
import { BackupError } from '../store/record/backup-format.ts'
import { type Store, StoreError } from '../store/store.ts'

/** What the process says about how a command ended: 1 refused or failed, 2 used in a wrong way, 3 found damage. */
export type ExitCode = 0 | 1 | 2 | 3

/** A command that cannot be carried out; the message is a sentence for the person who gave it. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly exitCode: ExitCode

  constructor(sentence: string, exitCode: ExitCode = 1) {
    super(sentence)
    this.exitCode = exitCode
  }
}

/** Where the system's own words would be all that is said. */
const adviseOnFullDisk = (error: Error): string =>
  error.message.includes('ENOSPC') && (isSystemError(error, 'ENOSPC') || isSystemError(error.cause, 'ENOSPC'))
    ? '; free some space, and give the command again'
    : ''

/** What to print on standard error for a condition that a person can change, or undefined for a fault. */
export function describeFailure(error: unknown): { readonly text: string; readonly exitCode: ExitCode } | undefined {
  if (error instanceof CommandFailed) return { text: error.message, exitCode: error.exitCode }
  if (error instanceof SettingsInvalid) return { text: error.message, exitCode: 2 }
  if (
    error instanceof FolderError ||
    error instanceof StoreError ||
    error instanceof BackupError ||
    error instanceof SyncError ||
    isSystemError(error)
  )
    return { text: `${error.message}${adviseOnFullDisk(error)}`, exitCode: 1 }
  if (error instanceof AccountError) return { text: error.sentence, exitCode: 1 }
  return undefined
}

/** A command that the accounts or the store refuse, and why, as a sentence for the user who gave it. */
export interface Refusal {
  readonly refused: string
}

/** The result of `work`, or why it was refused. @throws faults of `work` */
export async function catchRefusal<T>(work: () => Promise<T>): Promise<T | Refusal> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AccountError) return { refused: error.sentence }
    if (error instanceof StoreError) return { refused: error.message }
    throw error
  }
}

/** One row of a list or the one result of a command; every number of a list is a date, Unix time in seconds. */
export type AccountRow = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** What commands are run on. */
export interface CommandPlace {
  readonly store: Store
  readonly environment: Environment
  /** The base address of the API, for links to pages beside it; ends in `/v1/`. */
  readonly baseUrl: string
  /** How much everybody may have. */
  readonly quotas: QuotaForAll
}
