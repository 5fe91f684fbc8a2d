import type { Bench } from '../bench.ts'
import { nextMessage } from '../machine/start-script.ts'
import type { LatencyResult, ListeningJob, ListeningReply } from './listening-job.ts'

/** Runs a job in a client that listens. @throws when a stream or an upload of it was refused or broke */
export type Listen = (job: ListeningJob) => Promise<LatencyResult | undefined>

/** A client that listens, on the core for load, and how it is ended with all of its streams. */
export const openListener = (bench: Bench): { readonly listen: Listen; readonly end: () => Promise<void> } => {
  const child = bench.startScript('load/listener.ts', [], 'load')
  return {
    listen: async (job) => {
      const answer = nextMessage<ListeningReply>(child)
      child.send(job)
      const reply = await answer
      if ('failure' in reply) throw new Error(reply.failure)
      return reply.result
    },
    end: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}
