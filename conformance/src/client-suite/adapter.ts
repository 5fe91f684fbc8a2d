/*
 * The process of an adapter, and the lines that it and the suite write to each other (`conformance/adapter-protocol.md`).
 * This module knows no rule and no HTTP. It says in plain words what is wrong with the lines of an adapter.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { isObject, type Json, type JsonObject, showValue } from '../encoding.ts'
import type { ClientProfile } from '../result.ts'

/** The version of the adapter protocol that this suite speaks. */
export const protocolVersion = 1

/** The profiles that an adapter can claim. */
export const clientProfiles = ['api', 'replica'] as const satisfies readonly ClientProfile[]

/** The optional features of an adapter. */
export const features = [
  ...([
    'concurrent',
    'list',
    'operations',
    'revoke',
    'tokens',
    'auto-refresh',
    'retries',
    'paging',
    'set-tag',
  ] as const),
] as const

/** One optional feature. */
export type Feature = (typeof features)[number]

/** What an adapter says about itself. */
export interface Hello {
  readonly name: string
  readonly version: string
  readonly profiles: readonly ClientProfile[]
  readonly features: readonly Feature[]
}

/** The kinds of an error of a client. */
export const errorKinds = [
  ...(['rejected', 'signed_out', 'network', 'unexpected_response', 'unsupported', 'internal'] as const),
] as const

/** An error that a client returned. */
export interface ClientFailure {
  readonly kind: (typeof errorKinds)[number]
  readonly status?: number
  readonly code?: string
  readonly message?: string
}

/** The result of a command: what the client returned, or its error. */
export type Outcome =
  | { readonly result: JsonObject; readonly error?: undefined }
  | { readonly error: ClientFailure; readonly result?: undefined }

/** The adapter ended, wrote a line that is no message of the protocol, or wrote no result in time. */
export class AdapterBroken extends Error {
  override readonly name = 'AdapterBroken'
}

/** A running adapter. */
export interface Adapter {
  /** The process group of the adapter. */
  readonly group: number
  /**
   * Sends a command and resolves to its outcome.
   * @throws AdapterBroken when the adapter ends, writes a wrong line, or writes no result within `timeoutMs`
   */
  readonly send: (command: string, parameters?: JsonObject, timeoutMs?: number) => Promise<Outcome>
  /** Kills the process at once, without a warning, and waits until it is gone. */
  readonly kill: () => Promise<void>
  /** Closes the standard input, waits for the end for `timeoutMs`, and resolves to whether the adapter ended by itself. */
  readonly end: (timeoutMs?: number) => Promise<boolean>
  /** The last lines of the standard error. */
  readonly errors: () => string
  /** The standard error so far, without its beginning when it is very long. */
  readonly errorOutput: () => string
  /** False after the process ended, was killed, or broke the protocol. */
  readonly isUsable: () => boolean
  /** Whether it can take a command of another rule: it is usable, and no command waits for its result. */
  readonly isIdle: () => boolean
}

interface Waiting {
  readonly resolve: (outcome: Outcome) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** Maximum length of the standard error that is kept, in characters. */
const maxErrorText = 200_000
const defaultTimeoutMs = 60_000

/** The process groups that have to be killed when the suite ends. */
const running = new Set<number>()
process.on('exit', () => {
  for (const group of running) killGroup(group)
})

function killGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Starts an adapter. @throws AdapterBroken when the command does not exist */
export async function startAdapter(command: readonly string[]): Promise<Adapter> {
  const [program = '', ...words] = command
  // A process group of its own: the command may be a shell or a launcher that starts the adapter.
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'], detached: true })
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw new AdapterBroken(`the command ${program} cannot be started: ${(error as Error).message}`)
  }
  return connect(child, child.pid ?? 0, command)
}

function connect(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  group: number,
  command: readonly string[],
): Adapter {
  running.add(group)
  const waiting = new Map<number, Waiting>()
  let nextId = 1
  let errorText = ''
  let broken: AdapterBroken | undefined
  const breakWith = (sentence: string): void => {
    broken ??= new AdapterBroken(
      errorText === '' ? sentence : `${sentence}\nits standard error ends:\n${tailOf(errorText)}`,
    )
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer)
      reject(broken)
    }
    waiting.clear()
  }
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errorText = (errorText + text).slice(-maxErrorText)
  })
  readLines(child.stdout, (line) => {
    const message = readMessage(line)
    if (typeof message === 'string') {
      breakWith(message)
      return
    }
    const entry = waiting.get(message.id)
    if (entry === undefined) {
      breakWith(`the adapter wrote a result with the id ${message.id}, which no command waits for: ${showLine(line)}`)
      return
    }
    waiting.delete(message.id)
    clearTimeout(entry.timer)
    entry.resolve(message.outcome)
  })
  // The end of the process closes its input; the event `close` below tells why.
  child.stdin.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') throw error
  })
  const closed = new Promise<void>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(group)
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`
      breakWith(`the adapter (${command.join(' ')}) ended with ${how}, although its standard input was open`)
      resolve()
    })
  })
  const send = async (name: string, parameters: JsonObject = {}, timeoutMs = defaultTimeoutMs): Promise<Outcome> => {
    if (broken !== undefined) throw broken
    const id = nextId
    nextId += 1
    return new Promise<Outcome>((resolve, reject) => {
      const timer = setTimeout(() => {
        breakWith(`the adapter wrote no result of the command ${name} within ${timeoutMs / 1000} s`)
      }, timeoutMs)
      waiting.set(id, { resolve, reject, timer })
      child.stdin.write(toLine({ id, command: name, ...parameters }))
    })
  }
  return {
    group,
    send,
    kill: async () => {
      breakWith('the suite killed the adapter')
      // The number of a group that ended may belong to another program by now.
      if (running.has(group)) killGroup(group)
      await closed
    },
    end: async (timeoutMs = 3000) => {
      child.stdin.end()
      let isLate = false
      const timer = setTimeout(() => {
        isLate = true
        killGroup(group)
      }, timeoutMs)
      await closed
      clearTimeout(timer)
      return !isLate
    },
    errors: () => tailOf(errorText),
    errorOutput: () => errorText,
    isUsable: () => broken === undefined,
    isIdle: () => broken === undefined && waiting.size === 0,
  }
}

/** Characters at which some readers of lines break: Python's `splitlines`, and Node's `readline` since version 24. */
const otherLineBreaks = /[\u0085\u2028\u2029]/g

/** Writes a message as one line, for every reader of lines. */
function toLine(message: JsonObject): string {
  const text = JSON.stringify(message)
  return `${text.replace(otherLineBreaks, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}

/** Splits a stream into lines; a line may come in many pieces. */
function readLines(stream: Readable, take: (line: Buffer) => void): void {
  let pieces: Buffer[] = []
  stream.on('data', (chunk: Buffer) => {
    let start = 0
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const line = Buffer.concat([...pieces, chunk.subarray(start, end)])
      pieces = []
      start = end + 1
      if (line.toString('utf8').trim() !== '') take(line)
    }
    if (start < chunk.length) pieces.push(chunk.subarray(start))
  })
}

/** Reads one line of an adapter. Returns a sentence when it is no result of the protocol. */
export function readMessage(line: Buffer): { readonly id: number; readonly outcome: Outcome } | string {
  const shown = showLine(line)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(line)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return `the adapter wrote a line that is not UTF-8: ${shown}`
  }
  let value: Json
  try {
    value = JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return `the adapter wrote a line that is not JSON (only results may go to standard output): ${shown}`
  }
  if (!isObject(value)) return `the adapter wrote a line that is no JSON object: ${shown}`
  const { id, result, error } = value
  if (typeof id !== 'number') return `the adapter wrote a result without the id of its command: ${shown}`
  if (isObject(result) && error === undefined) return { id, outcome: { result } }
  if (result === undefined && isObject(error)) return readFailure(id, error, shown)
  return `a result has either "result" or "error", and it is an object, but the adapter wrote ${shown}`
}

function readFailure(id: number, error: JsonObject, shown: string): ReturnType<typeof readMessage> {
  const kind = errorKinds.find((candidate) => candidate === error.kind)
  if (kind === undefined) return `the kind of an error is ${errorKinds.join(', ')}, but the adapter wrote ${shown}`
  return {
    id,
    outcome: {
      error: {
        kind,
        ...(typeof error.status === 'number' ? { status: error.status } : {}),
        ...(typeof error.code === 'string' ? { code: error.code } : {}),
        ...(typeof error.message === 'string' ? { message: error.message } : {}),
      },
    },
  }
}

/** Reads the result of `hello`. Returns a sentence when it is wrong. */
export function readHello({ result, error }: Outcome): Hello | string {
  if (error !== undefined) return `hello has to succeed, but the adapter returned ${showValue(error)}`
  const { protocol, name, version = '' } = result
  if (protocol !== protocolVersion)
    return `the suite speaks version ${protocolVersion} of the adapter protocol, but hello returned "protocol": ${showValue(protocol)}`
  if (typeof name !== 'string' || name === '') return 'hello has to return "name", the name of the client'
  const profiles = readWords(result.profiles, clientProfiles)
  if (typeof profiles === 'string' || profiles.length === 0)
    return `"profiles" of hello is a list of ${clientProfiles.join(', ')}, but it was ${showValue(result.profiles)}`
  const declared = readWords(result.features ?? [], features)
  if (typeof declared === 'string')
    return `"features" of hello is a list of ${features.join(', ')}, but it contained ${declared}`
  return { name, version: String(version), profiles, features: declared }
}

function readWords<Word extends string>(value: Json | undefined, known: readonly Word[]): readonly Word[] | string {
  if (!Array.isArray(value)) return showValue(value)
  const unknown = value.find((word) => !known.includes(word as Word))
  return unknown === undefined ? (value as readonly Word[]) : showValue(unknown)
}

function showLine(line: Buffer): string {
  const text = line.toString('utf8')
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text
}

function tailOf(text: string): string {
  return text.trim().split('\n').slice(-8).join('\n')
}

/**
 * Returns the memory that all processes of a group hold, in bytes (resident set size); undefined where there is no
 * `/proc`.
 */
export function measureMemory(group: number): number | undefined {
  let names: string[]
  try {
    names = readdirSync('/proc')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const pages = names.filter((name) => /^\d+$/.test(name)).map((name) => countPages(name, group))
  return pages.reduce((sum, each) => sum + each, 0) * 4096
}

function countPages(pid: string, group: number): number {
  try {
    // The name of a program, in brackets, can contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ')
    return Number(fields[2]) === group ? Number(fields[21]) : 0
  } catch (error) {
    // The process ended meanwhile.
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return 0
    throw error
  }
}
