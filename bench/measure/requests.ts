import type { LoadJob } from '../load/job.ts'
import type { RunLoad } from '../load/open-load.ts'
import { readCpuSeconds } from '../machine/usage.ts'

/** A GET with the token in its header. */
export const getJob = (
  port: number,
  token: string,
  path: string,
): Pick<LoadJob, 'port' | 'method' | 'path' | 'headers'> => ({
  port,
  method: 'GET',
  path,
  headers: { authorization: `Bearer ${token}` },
})

/** A form upload with the token in its header. */
export const postForm = (
  port: number,
  token: string,
  path: string,
  body: string,
): Pick<LoadJob, 'port' | 'method' | 'path' | 'headers' | 'body'> => ({
  port,
  method: 'POST',
  path,
  headers: formHeaders(token),
  body,
})

/** Headers of a form upload. */
export const formHeaders = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/x-www-form-urlencoded',
})

/** CPU time of the server per request of a job, all its threads, in microseconds. */
export const measureCpuPerRequest = async (load: RunLoad, pid: number, job: LoadJob): Promise<number> => {
  const before = await readCpuSeconds(pid)
  const { count } = await load(job)
  return ((await readCpuSeconds(pid)) - before) * (1e6 / count)
}

/** Time of one download, in ms: the mean of as many as move about 100 MB, at most 20. */
export const measureDownload = async (
  load: RunLoad,
  job: Pick<LoadJob, 'port' | 'method' | 'path' | 'headers'>,
  bytes: number,
): Promise<number> => {
  const count = Math.min(20, Math.max(1, Math.ceil(1e8 / bytes)))
  const { seconds } = await load({ ...job, connections: 1, count })
  return (seconds * 1000) / count
}
