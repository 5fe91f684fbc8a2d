/** Where a store says what it found and repaired; a pino logger is one. */
export interface StoreLog {
  readonly warn: (details: object, message: string) => void
  readonly error: (details: object, message: string) => void
}

/** A log that nobody reads. */
export const silentLog: StoreLog = { warn: () => undefined, error: () => undefined }
