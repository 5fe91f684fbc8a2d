import { type DestinationStream, destination, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'
import { PinoPretty } from 'pino-pretty'
import type { Settings } from '../config/settings-table.ts'

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
const maxBufferedBytes = 16 * 1024 * 1024

/** What cannot be written (a full disk, a reader that is gone or stands still) is lost, and nothing else is. */
function openOutput(): DestinationStream {
  const output = destination({ dest: 1, sync: false, maxLength: maxBufferedBytes })
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

/** A line of the log that somebody should look at. */
export interface RecentLine {
  /** Unix time in seconds. */
  readonly at: number
  readonly level: 'warn' | 'error' | 'fatal'
  readonly message: string
}

/** The last warnings and the last errors of a run. */
export interface RecentLines {
  /** To be told of each line; `level` is pino's number. */
  readonly note: (level: number, message: string) => void
  /** The oldest first. */
  readonly list: () => readonly RecentLine[]
}

const maxLinesPerKind = 20
const maxLineCharacters = 300
const warnLevel = 40
const errorLevel = 50
const fatalLevel = 60

/** Nothing went wrong yet; `now` is Unix time in milliseconds. Warnings, which strangers can cause, push out no errors. */
export const createRecentLines = (now: () => number): RecentLines => {
  const warnings: RecentLine[] = []
  const errors: RecentLine[] = []
  return {
    note: (level, message) => {
      if (level < warnLevel) return
      const name = level >= fatalLevel ? 'fatal' : level >= errorLevel ? 'error' : 'warn'
      const lines = name === 'warn' ? warnings : errors
      lines.push({ at: Math.floor(now() / 1000), level: name, message: message.slice(0, maxLineCharacters) })
      if (lines.length > maxLinesPerKind) lines.shift()
    },
    list: () => [...warnings, ...errors].sort((a, b) => a.at - b.at),
  }
}

const secretName = /token|password|secret|authorization|cookie/i
const secretPair = /((?:token|password|secret|[?&]code)["']?\s*[=:]\s*["']?)[^\s"'&,;]+/gi
const authorizationPair = /((?:authorization|cookie)["']?\s*[=:]).+/gi
const suspicious = /token|password|secret|code|authorization|cookie/i
const mask = '[redacted]'

/** A copy of a log entry in which whatever is named like a secret is masked, at any depth. Numbers and booleans stay. */
export function redactEntry(entry: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, redactValue(name, value, 0)]))
}

function redactValue(name: string, value: unknown, depth: number): unknown {
  if (secretName.test(name) && value !== null && (typeof value === 'string' || typeof value === 'object')) return mask
  if (typeof value === 'string') return redactText(value)
  // Errors keep their own form until their serializer writes them.
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  if (depth > 8) return '[deep]'
  if (Array.isArray(value)) return value.map((item) => redactValue('', item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactValue(key, item, depth + 1)]))
}

/** A text in which the values of `access_token=…`, `Authorization: Bearer …` and their like are masked. */
export function redactText(text: string): string {
  // One look is all that most texts need; every pattern below holds one of these words.
  if (!suspicious.test(text)) return text
  return text.replace(authorizationPair, `$1 ${mask}`).replace(secretPair, `$1${mask}`)
}
