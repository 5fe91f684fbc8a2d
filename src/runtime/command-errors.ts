import { AccountError } from '../accounts/names.ts'
import type { QuotaForAll } from '../accounts/quotas.ts'
import { SettingsInvalid } from '../config/read-settings.ts'
import type { Environment } from '../environment.ts'
import { FolderError } from '../folder/data-folder.ts'
import { isSystemError, SyncError } from '../store/disk/files.ts'
import { BackupError } from '../store/record/backup-format.ts'
import { type Store, StoreError } from '../store/store.ts'

/** The exit code of a command: 0 done, 1 failed, 2 wrong usage, 3 found damage. */
export type ExitCode = 0 | 1 | 2 | 3

/** A command that cannot be carried out; the message is a sentence for the user who gave it. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
  readonly exitCode: ExitCode

  constructor(sentence: string, exitCode: ExitCode = 1) {
    super(sentence)
    this.exitCode = exitCode
  }
}

/** Returns advice for a full disk, where the message holds only the words of the system. */
const adviseOnFullDisk = (error: Error): string =>
  error.message.includes('ENOSPC') && (isSystemError(error, 'ENOSPC') || isSystemError(error.cause, 'ENOSPC'))
    ? '; free some space, and run the command again'
    : ''

/** Returns the text for standard error when the user can change the condition; undefined for a bug. */
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

/** The outcome of a command that the accounts or the store reject, with the reason as a sentence for the user. */
export interface Rejection {
  readonly rejection: string
}

/** Returns the result of `work`, or the reason why it was rejected. @throws every other error of `work` */
export async function catchRejection<T>(work: () => Promise<T>): Promise<T | Rejection> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof AccountError) return { rejection: error.sentence }
    if (error instanceof StoreError) return { rejection: error.message }
    throw error
  }
}

/** A row of a list, or the result of a command. Every number in a list is a date (Unix time in seconds). */
export type AccountRow = Readonly<Record<string, string | number | boolean | null | readonly string[]>>

/** The store and the settings that commands work with. */
export interface CommandContext {
  readonly store: Store
  readonly environment: Environment
  /** The base URL of the API, for links to the pages of the server; ends in `/v1/`. */
  readonly baseUrl: string
  /** The quotas of users without quotas of their own. */
  readonly quotas: QuotaForAll
}
