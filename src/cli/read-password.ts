import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Environment } from '../environment.ts'
import { CommandFailed } from '../runtime/command-errors.ts'

/** The source of a password: `passwordStdin` is all of standard input without its last line end. */
export interface PasswordOptions {
  readonly passwordStdin?: true
  readonly generatePassword?: true
}

const maxPasswordLength = 1000

/**
 * Reads a password from standard input, generates one, or asks for it twice on the terminal without echo.
 * @throws CommandFailed when there is no terminal to ask on, or the two passwords differ
 */
export async function readPassword(
  options: PasswordOptions,
  environment: Environment,
): Promise<{ readonly password: string; readonly isGenerated: boolean }> {
  if (options.passwordStdin && options.generatePassword) {
    throw new CommandFailed('give --password-stdin or --generate-password, not both', 2)
  }
  if (options.generatePassword) return { password: environment.newId(), isGenerated: true }
  if (options.passwordStdin) return { password: await readStandardInput(), isGenerated: false }
  if (!process.stdin.isTTY) {
    throw new CommandFailed('no terminal to ask for a password; give --password-stdin or --generate-password', 2)
  }
  const password = await askWithoutEcho('Password: ')
  if (password !== (await askWithoutEcho('Once more: '))) throw new CommandFailed('the two passwords differ')
  return { password, isGenerated: false }
}

async function readStandardInput(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (password.length > maxPasswordLength) {
    throw new CommandFailed(`the password on standard input is longer than ${maxPasswordLength} characters`)
  }
  return password
}

/** Asks a question on the terminal. It writes to standard error: standard output holds only the result. */
export async function ask(question: string): Promise<string> {
  return askOn(process.stderr, question)
}

async function askWithoutEcho(question: string): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const response = await askOn(nowhere, '')
  process.stderr.write('\n')
  return response
}

async function askOn(output: NodeJS.WritableStream, question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  const givenUp = new AbortController()
  terminal.once('close', () => givenUp.abort())
  try {
    return await terminal.question(question, { signal: givenUp.signal })
  } catch (error) {
    // Ctrl-C and Ctrl-D close the interface, and its question never settles.
    if (givenUp.signal.aborted) throw new CommandFailed('given up')
    throw error
  } finally {
    terminal.close()
  }
}
