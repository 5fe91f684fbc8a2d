import { type Logger, pino } from 'pino'

/** A log that writes nothing. */
export const createSilentLog = (): Logger => pino({ level: 'silent' })
