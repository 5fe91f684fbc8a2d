/** How long a process goes on and stands still in turns, in ms: short against a round, long against a request. */
const periodMilliseconds = 60

/**
 * Keeps processes to a share of a core each, by stopping them and letting them go on in turns; no two begin at a time.
 * What comes of two where there are too few cores for two is what two would do on cores of their own. Gives what ends it.
 */
export const holdToShare = (pids: readonly number[], share: number): (() => void) => {
  const timers = new Set<NodeJS.Timeout>()
  const after = (milliseconds: number, work: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, milliseconds)
    timers.add(timer)
  }
  const goOn = (pid: number): void => {
    process.kill(pid, 'SIGCONT')
    after(periodMilliseconds * share, () => {
      process.kill(pid, 'SIGSTOP')
      after(periodMilliseconds * (1 - share), () => goOn(pid))
    })
  }
  for (const [index, pid] of pids.entries()) {
    process.kill(pid, 'SIGSTOP')
    after((periodMilliseconds * index) / pids.length, () => goOn(pid))
  }
  return () => {
    for (const timer of timers) clearTimeout(timer)
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
}
