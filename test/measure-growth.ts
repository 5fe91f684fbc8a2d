/** How the time of a piece of work grows with its input. */
export interface Growth {
  /** The size after the steepest step, in the unit of the caller. */
  readonly size: number
  /** The CPU time at that size, the shortest of several runs. */
  readonly milliseconds: number
  /** The time at `size` divided by the time at a quarter of it: 4 is linear, 16 is quadratic. */
  readonly growth: number
}

/** Above this the work is not linear (4), nor of order n log n (under 5), whatever else the machine does. */
export const maxLinearGrowth = 9

/** How growth is measured. */
interface GrowthOptions<Input> {
  /** The size of the first step; a 64th of the largest unless given. Work that cuts its input may be quadratic below. */
  readonly smallestSize?: number
  /** Below this time, work counts as linear: the collector and the compiler measure themselves. 25 unless given. */
  readonly minMilliseconds?: number
  /** Measures one run in milliseconds of CPU time, unless given. */
  readonly timeOnce?: (work: (input: Input) => unknown, input: Input) => Promise<number>
}

// Other work on the machine makes single runs long; the shortest of many is the work's own time.
const rounds = 20

// CPU time: on a busy machine long work is interrupted and short work is not, so that a clock would show growth.
const timeByProcessor = async <Input>(work: (input: Input) => unknown, input: Input): Promise<number> => {
  const begin = process.cpuUsage()
  await work(input)
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1000
}

/**
 * Measures how the time of `work` grows up to `largestSize`, in steps of four. Only the work is timed, not `createInput`.
 * Returns the steepest step; stops at the first one above `maxLinearGrowth`, so that quadratic work fails a test long
 * before it reaches its full size. A step that is steep is measured again: its growth is that of the shortest times of
 * several rounds, so noise does not fail a test.
 */
export const measureGrowth = async <Input>(
  createInput: (size: number) => Input,
  work: (input: Input) => unknown,
  largestSize: number,
  { smallestSize = largestSize / 64, minMilliseconds = 25, timeOnce = timeByProcessor }: GrowthOptions<Input> = {},
): Promise<Growth> => {
  const growthOf = (before: number, after: number): number =>
    after < minMilliseconds ? 1 : after / Math.max(before, minMilliseconds / 4)
  let steepest: Growth = { size: largestSize, milliseconds: 0, growth: 1 }
  const sizes = [64, 16, 4, 1]
    .map((part) => Math.floor(largestSize / part))
    .filter((size) => size >= Math.floor(smallestSize))
  let small = createInput(sizes[0] ?? largestSize)
  // The first run compiles the work.
  await timeOnce(work, small)
  let before = await timeOnce(work, small)
  for (const size of sizes.slice(1)) {
    const large = createInput(size)
    let milliseconds = await timeOnce(work, large)
    for (let round = 1; round < rounds && growthOf(before, milliseconds) > maxLinearGrowth; round += 1) {
      before = Math.min(before, await timeOnce(work, small))
      milliseconds = Math.min(milliseconds, await timeOnce(work, large))
    }
    const growth = growthOf(before, milliseconds)
    if (growth >= steepest.growth) steepest = { size, milliseconds, growth }
    if (growth > maxLinearGrowth) break
    small = large
    before = milliseconds
  }
  return steepest
}
