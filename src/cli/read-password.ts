import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Environment } from '../environment.ts'
import { CommandFailed } from '../runtime/command-errors.ts'

/** Where a password comes from: `stdin` is all of standard input without its last line end. */
export interface PasswordOptions {
  readonly passwordStdin?: true
  readonly generatePassword?: true
}

const maxPasswordLength = 1000

/**
 * The password that a command was given: from standard input, made up, or asked for twice on the terminal, unseen.
 * @throws CommandFailed when there is no terminal to ask on, or the two differ
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
  const password = await askUnseen('Password: ')
  if (password !== (await askUnseen('Once more: '))) throw new CommandFailed('the two passwords differ')
  return { password, isGenerated: false }
}

async function readStandardInput(): Promise<string> {
  const password = (await text(process.stdin)).replace(/\r?\n$/, '')
  if (password.length > maxPasswordLength) {
    throw new CommandFailed(`the password on standard input is longer than ${maxPasswordLength} characters`)
  }
  return password
}

/** Asks a question on the terminal (on standard error, so that standard output stays the result's). */
export async function ask(question: string): Promise<string> {
  return askOn(process.stderr, question)
}

async function askUnseen(question: string): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const answer = await askOn(nowhere, '')
  process.stderr.write('\n')
  return answer
}

async function askOn(output: NodeJS.WritableStream, question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  const givenUp = new AbortController()
  terminal.once('close', () => givenUp.abort())
  try {
    return await terminal.question(question, { signal: givenUp.signal })
  } catch (error) {
    // Ctrl-C and Ctrl-D close the interface and leave its question open for ever.
    if (givenUp.signal.aborted) throw new CommandFailed('given up')
    throw error
  } finally {
    terminal.close()
  }
}
