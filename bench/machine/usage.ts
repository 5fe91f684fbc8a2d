import { readFile, writeFile } from 'node:fs/promises'

/** Memory of a process, in MB of a million bytes. */
export interface Memory {
  readonly residentMb: number
  /** The most since the last `resetPeak`. */
  readonly peakMb: number
}

// The kernel's USER_HZ, which is 100 on every Linux that Node runs on.
const ticksPerSecond = 100

/** CPU time that a process has used, all threads, user and system, in seconds; the kernel counts in 10 ms. */
export const readCpuSeconds = async (pid: number): Promise<number> => {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  // The name in brackets may hold spaces; fields are counted behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** Resident memory of a process now and at its peak. */
export const readMemory = async (pid: number): Promise<Memory> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return { residentMb: readKilobytes(status, 'VmRSS'), peakMb: readKilobytes(status, 'VmHWM') }
}

/** Begins the measurement of the peak anew. */
export const resetPeak = (pid: number): Promise<void> => writeFile(`/proc/${pid}/clear_refs`, '5')

const readKilobytes = (status: string, name: string): number => {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)
  if (!found) throw new Error(`/proc tells no ${name}: figures of memory need Linux`)
  return (Number(found[1]) * 1024) / 1e6
}
