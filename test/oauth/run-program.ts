import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { ReadyProgram } from './libraries.ts'

/** How a program ended. */
export interface ProgramRun {
  readonly exitCode: number | null
  /** The line that it wrote last. */
  readonly lastLine: string
  readonly stderr: string
}

/**
 * Runs a program of `docs/how-to/clients/sign-in.md`: it prints the URL to open, reads the URL that the browser came
 * back to, and prints what it listed. `visit` is the browser and its user.
 */
export const runProgram = async (
  { command: [program, ...args], env: own }: ReadyProgram,
  env: Readonly<Record<string, string>>,
  visit: (address: string) => Promise<string>,
): Promise<ProgramRun> => {
  const child = spawn(program, args, { env: { PATH: process.env.PATH ?? '', ...own, ...env } })
  const closed = once(child, 'close')
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  // A program that ended early is checked by its output.
  child.stdin.on('error', () => undefined)
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (lines.push(line) === 1) child.stdin.write(`${await visit(line)}\n`)
  }
  const [exitCode] = await closed
  return { exitCode, lastLine: lines.at(-1) ?? '', stderr }
}
