import { createInterface } from 'node:readline'
import type { Outcome } from './client-commands.ts'

/**
 * Reads commands of the adapter protocol from standard input, and writes their results to standard output, in the order
 * in which they end. Resolves when the input ends and every result is written.
 */
export const respondToLines = async (
  run: (command: string, parameters: Readonly<Record<string, unknown>>) => Promise<Outcome>,
): Promise<void> => {
  const running = new Set<Promise<void>>()
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, command, ...parameters } = JSON.parse(line)
    const work = run(command, parameters).then((outcome) => {
      process.stdout.write(`${JSON.stringify({ id, ...outcome })}\n`)
      running.delete(work)
    })
    running.add(work)
  }
  await Promise.all(running)
}
