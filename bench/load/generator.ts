import type { LoadMessage, LoadReply } from './load.ts'
import { runJob } from './run-job.ts'

/** The load generator: a separate process, so that its work does not count as work of the server. */
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
