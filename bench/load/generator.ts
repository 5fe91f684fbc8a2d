import type { LoadMessage, LoadReply } from './load.ts'
import { runJob } from './run-job.ts'

/** The load generator: a process of its own, so that its work does not count as the server's. */
process.on('message', async ({ id, job }: LoadMessage) => {
  let reply: LoadReply
  try {
    reply = { id, result: await runJob(job) }
  } catch (error) {
    reply = { id, failure: error instanceof Error ? error.message || String(error.cause ?? error.name) : String(error) }
  }
  process.send?.(reply)
})
process.on('disconnect', () => process.exit())
