import type { Children } from '../machine/children.ts'
import { startScript } from '../machine/start-script.ts'
import type { LoadJob, LoadReply, LoadResult } from './job.ts'

/** Runs a job in the load generator. @throws when a request of it was refused or failed */
export type RunLoad = (job: LoadJob) => Promise<LoadResult>

/** Starts a load generator: this project's own, on raw sockets of Node, on the core for load. */
export const openLoad = (children: Children): RunLoad => {
  const child = startScript(children, 'load/generator.ts', [], 'load')
  const waiting = new Map<number, { resolve: (result: LoadResult) => void; reject: (error: Error) => void }>()
  let lastId = 0

  child.on('message', (reply: LoadReply) => {
    const { resolve, reject } = waiting.get(reply.id) ?? {}
    waiting.delete(reply.id)
    if ('result' in reply) resolve?.(reply.result)
    else reject?.(new Error(reply.failure))
  })
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the load generator has ended'))
  })
  return (job) =>
    new Promise((resolve, reject) => {
      lastId += 1
      waiting.set(lastId, { resolve, reject })
      child.send({ id: lastId, job })
    })
}
