/** Median and extremes of the rounds of one figure. */
export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
  readonly rounds: number
}

/** The middle value, or the mean of the two in the middle. @throws RangeError for no values */
export const findMedian = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const upper = sorted[sorted.length >> 1]
  const lower = sorted[(sorted.length - 1) >> 1]
  if (upper === undefined || lower === undefined) throw new RangeError('there is no median of no values')
  return (lower + upper) / 2
}

/** The value below which `share` (0 to 1) of the values lie: the nearest rank. @throws RangeError for no values */
export const findPercentile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const found = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]
  if (found === undefined) throw new RangeError('there is no percentile of no values')
  return found
}

/** Median, least and greatest value. @throws RangeError for no values */
export const findSpread = (values: readonly number[]): Spread => ({
  median: findMedian(values),
  min: Math.min(...values),
  max: Math.max(...values),
  rounds: values.length,
})
