/** A backup that cannot be written or restored. The message is one sentence for the operator and says what to do. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused'
}
