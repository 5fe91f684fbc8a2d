import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Logger } from 'pino'
import { pagedDownloadSeconds } from '../store/store.ts'

/** The interval between checks, and the pause between the collections after one piece of work. */
const checkMilliseconds = 5_000
/** A process that used more CPU time between two checks has worked: more than 1 % of a core. */
const maxIdleCpuMilliseconds = 50
/** The minimum time from the first collection after work to the first collection after later work. */
const minPauseMilliseconds = 30_000
/** After this time the store has dropped the accounts that the work used, and their memory is garbage. */
const accountsMilliseconds = (pagedDownloadSeconds + 120) * 1000
/** A collection takes one to several milliseconds for each megabyte in use, and no request runs meanwhile. */
const maxHeapBytes = 128 * 1024 * 1024

type CollectGarbage = (options?: Readonly<Record<string, string>>) => void

/**
 * Collects garbage and makes V8 return memory to the system, as far as it does that in a single collection. Other work
 * waits meanwhile. A heap with more than `maxHeap` bytes in use is left as it is, because requests would wait too long.
 */
export const collectGarbage = (maxHeap = maxHeapBytes): void => {
  if (getHeapStatistics().used_heap_size > maxHeap) return
  // The flag gives new contexts the function, so that the server needs no flags when it starts.
  setFlagsFromString('--expose-gc')
  const collect: CollectGarbage = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  if (shrinksAtOnce) collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  // Node 20 knows no options, and takes any argument for the wish to collect young objects only.
  else collect()
}

const shrinksAtOnce = Number.parseInt(process.versions.node, 10) >= 22

/**
 * The number of collections after work. Node 20 frees the space for young objects only when little was allocated since
 * the previous collection, and returns its pages one collection later.
 */
const collectionsAfterWork = shrinksAtOnce ? 1 : 3

/** What `releaseMemoryWhenIdle` uses; the process, V8 and the timers of Node by default. */
interface IdleMemoryParts {
  /** Reads the CPU time of the process in milliseconds. */
  readonly readCpu?: () => number
  readonly collect?: () => void
  /** How often to collect after work. */
  readonly collections?: number
  readonly log: Pick<Logger, 'debug'>
}

const readProcessCpu = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Returns memory to the system when the process is idle after work; V8 itself keeps the memory that work needed, and it
 * does not collect while nothing is allocated. The start counts as work. A collection comes after five idle seconds, and
 * at most every 30 s. It comes once more when the store has dropped the accounts that were used, and then not before the
 * process has worked again. Returns a function that ends this.
 */
export const releaseMemoryWhenIdle = ({
  readCpu = readProcessCpu,
  collect = collectGarbage,
  collections = collectionsAfterWork,
  log,
}: IdleMemoryParts): (() => void) => {
  let cpu = readCpu()
  let time = 0
  let hasWorked = true
  let pending = 0
  let nextAt = 0
  let againAt = Number.POSITIVE_INFINITY

  const begin = (): void => {
    pending = collections
    nextAt = time + minPauseMilliseconds
  }
  const check = (): void => {
    time += checkMilliseconds
    const used = readCpu() - cpu
    cpu += used
    if (used > maxIdleCpuMilliseconds) {
      hasWorked = true
      return
    }
    if (pending === 0 && hasWorked && time >= nextAt) {
      hasWorked = false
      againAt = time + accountsMilliseconds
      begin()
    } else if (pending === 0 && time >= againAt) {
      againAt = Number.POSITIVE_INFINITY
      begin()
    }
    if (pending === 0) return
    pending -= 1
    collect()
    // The collection itself is no work.
    cpu = readCpu()
    if (pending === 0) log.debug('memory was returned to the system')
  }
  const timer = setInterval(check, checkMilliseconds).unref()
  return () => clearInterval(timer)
}
