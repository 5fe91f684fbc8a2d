import { type DestinationStream, destination, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'
import type { Settings } from '../config/settings-table.ts'

/**
 * Creates the log of one run, on standard output: JSON lines, or readable lines on a terminal (setting `log_format`).
 * It masks values that are named token, password, secret or authorization, and tokens in query strings. It writes in
 * the background, and writes the rest when the process exits. Lines that cannot be written are lost.
 */
export async function createLog(settings: Pick<Settings, 'logLevel' | 'logFormat'>, onLine?: OnLine): Promise<Logger> {
  const isPretty = settings.logFormat === 'pretty' || (settings.logFormat === 'auto' && process.stdout.isTTY === true)
  return createLogTo(isPretty ? await openPrettyOutput() : openOutput(), settings.logLevel, onLine)
}

/** Maximum bytes that wait for the reader of the log; further lines are dropped. */
const maxBufferedBytes = 16 * 1024 * 1024

/** Opens standard output so that a full disk, or a reader that ended or stalls, costs only log lines. */
function openOutput(): DestinationStream {
  const output = destination({ dest: 1, sync: false, maxLength: maxBufferedBytes })
  const nothing = () => undefined
  output.on('error', (error: NodeJS.ErrnoException) => {
    // Pino stops itself when the reader of a pipe has ended, but retries without end when the terminal was closed.
    if (error.code === 'EIO')
      Object.assign(output, { write: nothing, flush: nothing, flushSync: nothing, end: nothing })
  })
  const lines = gatherLines(output)
  // Before pino's own listener, which writes what its output holds.
  process.prependListener('exit', lines.flush)
  return lines
}

/** The output of pino that lines are gathered for. */
interface GatheredOutput extends DestinationStream {
  readonly flushSync: () => void
  /** True when the output is closed: a write would throw. */
  readonly destroyed?: boolean
}

/** The gathered characters that are written at once. */
const maxGatheredCharacters = 16 * 1024
/** How long a line waits for others. A process that is killed loses the lines of this time. */
const maxGatheredMilliseconds = 20

/**
 * Gathers the lines of a short time, and writes them together: a write, which a thread of Node does, costs more than a
 * whole line.
 */
export function gatherLines(output: GatheredOutput): DestinationStream & {
  /** Passes the gathered lines to the output. */
  readonly flush: () => void
  /** Does so, and has the output write everything; pino calls it after a fatal line. */
  readonly flushSync: () => void
} {
  let gathered = ''
  let isTimed = false
  const flush = (): void => {
    const lines = gathered
    gathered = ''
    if (lines !== '' && output.destroyed !== true) output.write(lines)
  }
  const flushInTime = (): void => {
    isTimed = false
    flush()
  }
  return {
    write: (line) => {
      // Not unreferenced: pino ends its output when the event loop is empty, and would drop what comes after that.
      if (!isTimed) setTimeout(flushInTime, maxGatheredMilliseconds)
      isTimed = true
      gathered += line
      if (gathered.length > maxGatheredCharacters) flush()
    },
    flush,
    flushSync: () => {
      flush()
      output.flushSync()
    },
  }
}

/** Is called with each logged line: its level as a pino number, and its message. */
export type OnLine = (level: number, message: string) => void

const outputSymbol = Symbol('the stream of a log')
type LogWithOutput = Logger & { readonly [outputSymbol]?: DestinationStream }

/** Writes a line of level info with these fields: JSON members, each behind a comma. The level is not checked again. */
type WriteFields = (fields: string) => void

/**
 * Finds a way to write lines past pino, at less than half of its cost, to a log that `createLog` or `createLogTo`
 * created; undefined for any other log. Nothing is escaped or masked: check each text by `isPlainText`.
 */
export function findDirectOutput(log: LogWithOutput): WriteFields | undefined {
  // A child of such a log adds fields to its lines.
  const output = Object.hasOwn(log, outputSymbol) ? log[outputSymbol] : undefined
  if (output === undefined) return undefined
  const formatTime = createTimeFormat()
  // A method call, because an output whose reader ended replaces the function.
  return (fields) => void output.write(`{"level":"info","time":"${formatTime(Date.now())}"${fields}}\n`)
}

/** Creates a formatter of Unix times in milliseconds (ISO 8601) that formats each second once. */
function createTimeFormat(): (time: number) => string {
  let second = Number.NaN
  let start = ''
  return (time) => {
    const newSecond = Math.floor(time / 1000) * 1000
    const milliseconds = time - newSecond
    if (newSecond !== second) {
      second = newSecond
      start = new Date(second).toISOString().slice(0, -'000Z'.length)
    }
    return `${start}${milliseconds < 10 ? '00' : milliseconds < 100 ? '0' : ''}${milliseconds}Z`
  }
}

/** Creates the same log on a stream of the caller. */
export function createLogTo(stream: DestinationStream, level: Settings['logLevel'], onLine?: OnLine): Logger {
  const log = pino(
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
  return Object.assign(log, { [outputSymbol]: stream })
}

/** Adds a message to each entry: without one pino takes it from the error, after every hook and so without masking. */
function withMessage(args: readonly unknown[]): readonly unknown[] {
  const [entry] = args
  if (args.length !== 1 || typeof entry !== 'object' || entry === null) return args
  if (entry instanceof Error) return [{ err: entry }, entry.message]
  return 'err' in entry && entry.err instanceof Error && !('msg' in entry) ? [entry, entry.err.message] : args
}

const redactMessage = (argument: unknown) => (typeof argument === 'string' ? redactText(argument) : argument)

async function openPrettyOutput(): Promise<DestinationStream> {
  // Loaded here only: a service writes JSON lines.
  const { PinoPretty } = await import('pino-pretty')
  return PinoPretty({
    colorize: process.stdout.isTTY === true && !process.env.NO_COLOR,
    translateTime: 'SYS:HH:MM:ss',
    singleLine: true,
    sync: true,
  })
}

/** A warning or an error of the log. */
export interface RecentLine {
  /** Unix time in seconds. */
  readonly at: number
  readonly level: 'warn' | 'error' | 'fatal'
  readonly message: string
}

/** The last warnings and the last errors of a run. */
export interface RecentLines {
  /** Records a line if it is a warning or an error; `level` is a pino number. */
  readonly note: (level: number, message: string) => void
  /** Lists the lines, the oldest first. */
  readonly list: () => readonly RecentLine[]
}

const maxLinesPerKind = 20
const maxLineCharacters = 300
const warnLevel = 40
const errorLevel = 50
const fatalLevel = 60

/**
 * Creates an empty record of warnings and errors; `now` is Unix time in milliseconds. Warnings never replace errors:
 * unauthenticated clients can cause warnings.
 */
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
/** No control character, quote or backslash, and neither `=` nor `:`, without which no pattern above matches. */
const plainText = /^[ !#-9;<>-[\]-~]*$/

/** Copies a log entry and masks every value with the name of a secret, at any depth. Numbers and booleans stay. */
export function redactEntry(entry: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(entry).map(([name, value]) => [name, redactValue(name, value, 0)]))
}

function redactValue(name: string, value: unknown, depth: number): unknown {
  if (secretName.test(name) && value !== null && (typeof value === 'string' || typeof value === 'object')) return mask
  if (typeof value === 'string') return redactText(value)
  // The serializer formats errors later.
  if (typeof value !== 'object' || value === null || value instanceof Error) return value
  if (depth > 8) return '[deep]'
  if (Array.isArray(value)) return value.map((item) => redactValue('', item, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactValue(key, item, depth + 1)]))
}

/** Masks the values of `access_token=…`, `Authorization: Bearer …` and similar pairs in a text. */
export function redactText(text: string): string {
  // Most texts need only this search: every pattern below has one of these words.
  if (!suspicious.test(text)) return text
  return text.replace(authorizationPair, `$1 ${mask}`).replace(secretPair, `$1${mask}`)
}

/** Returns true only for a text that the log writes as it is: JSON escapes nothing of it, and nothing is masked. */
export const isPlainText = (text: string): boolean => plainText.test(text)
