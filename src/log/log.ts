import { type DestinationStream, destination, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'
import { PinoPretty } from 'pino-pretty'
import type { Settings } from '../config/settings-table.ts'
import { redactEntry, redactText } from './redact.ts'

/**
 * The log of one run, on standard output: JSON lines, or lines for people on a terminal (setting `log_format`).
 * Never holds what is named token, password, secret or authorization, nor a query string's token. Written in the
 * background; what is left is written when the process exits. What cannot be written is lost.
 */
export function createLog(settings: Pick<Settings, 'logLevel' | 'logFormat'>, onLine?: OnLine): Logger {
  const isPretty = settings.logFormat === 'pretty' || (settings.logFormat === 'auto' && process.stdout.isTTY === true)
  return createLogTo(isPretty ? openPrettyOutput() : openOutput(), settings.logLevel, onLine)
}

/** What may wait for whoever reads the log; of what is written beyond it lines are left out. */
const mostWaitingBytes = 16 * 1024 * 1024

/** What cannot be written (a full disk, a reader that is gone or stands still) is lost, and nothing else is. */
function openOutput(): DestinationStream {
  const output = destination({ dest: 1, sync: false, maxLength: mostWaitingBytes })
  const nothing = () => undefined
  output.on('error', (error: NodeJS.ErrnoException) => {
    // Pino stops by itself when the reader of a pipe is gone, but tries for ever when the terminal was closed.
    if (error.code === 'EIO')
      Object.assign(output, { write: nothing, flush: nothing, flushSync: nothing, end: nothing })
  })
  return output
}

/** Told of each line that is logged: its level, as pino numbers it, and its message. */
export type OnLine = (level: number, message: string) => void

/** The same log on a stream of the caller's. */
export function createLogTo(stream: DestinationStream, level: Settings['logLevel'], onLine?: OnLine): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redactEntry },
      serializers: { err: (error: Error) => redactEntry(stdSerializers.err(error)) },
      hooks: {
        logMethod(args, method, number) {
          const redacted = withMessage(args).map(redactMessage)
          const message = redacted.find((argument) => typeof argument === 'string')
          if (message !== undefined) onLine?.(number, message)
          method.apply(this, redacted as Parameters<typeof method>)
        },
      },
    },
    stream,
  )
}

/** Pino takes an entry's message from its error when none is given, past every hook: so one is always given. */
function withMessage(args: readonly unknown[]): readonly unknown[] {
  const [entry] = args
  if (args.length !== 1 || typeof entry !== 'object' || entry === null) return args
  if (entry instanceof Error) return [{ err: entry }, entry.message]
  return 'err' in entry && entry.err instanceof Error && !('msg' in entry) ? [entry, entry.err.message] : args
}

const redactMessage = (argument: unknown) => (typeof argument === 'string' ? redactText(argument) : argument)

function openPrettyOutput(): DestinationStream {
  return PinoPretty({
    colorize: process.stdout.isTTY === true && !process.env.NO_COLOR,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    sync: true,
  })
}
