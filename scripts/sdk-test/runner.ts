import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { SdkAnswer } from './judge-answer.ts'
import type { Call } from './run-scenario.ts'

/** The process of an SDK that makes calls; `close` ends it. */
export type Runner = { send: (call: Call) => Promise<SdkAnswer>; close: () => Promise<void> }

/** Starts the runner of an SDK against a server; its standard error goes to ours. */
export function openRunner(command: readonly string[], folder: string, baseUrl: string): Runner {
  const [program = '', ...args] = command
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, BASE_URL: baseUrl },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async send(call) {
      child.stdin.write(`${JSON.stringify(call)}\n`)
      const line = await lines.next()
      if (line.done) throw new Error(`${command.join(' ')} ended in the middle of ${call.call}`)
      return JSON.parse(line.value)
    },
    async close() {
      child.stdin.end()
      await ended
    },
  }
}
