import { expect, test } from 'vitest'
import { distanceToGoal, drawPlot } from './result-files.ts'
import type { RowResult } from './results.ts'

const rowWith = (title: string, median: number, isReached: boolean) =>
  ({
    id: 'row',
    figures: [
      {
        key: 'a',
        title,
        unit: 'x',
        goal: { is: 'least', limit: 0.5 },
        value: { median, min: median / 2, max: median * 2, rounds: 3 },
        isReached,
      },
      { key: 'b', title: 'without a goal', unit: 'x', value: { median: 1, min: 1, max: 1, rounds: 3 } },
    ],
  }) as unknown as RowResult

test('distance 1 is the goal and more is better, for a minimum and a maximum', () => {
  expect(distanceToGoal({ is: 'least', limit: 0.8 }, 0.4)).toBe(0.5)
  expect(distanceToGoal({ is: 'most', limit: 20 }, 40)).toBe(0.5)
  expect(distanceToGoal({ is: 'most', limit: 20 }, 10)).toBe(2)
})

test('marks are left of the goal when it is missed, and right when it is reached', () => {
  const goalX = Number(/class="goal" x1="([\d.]+)"/.exec(drawPlot([], 'title'))?.[1])
  const markX = (median: number) => Number(/cx="([\d.]+)"/.exec(drawPlot([rowWith('a', median, true)], ''))?.[1])

  expect(markX(0.25)).toBeLessThan(goalX)
  expect(markX(0.5)).toBe(goalX)
  expect(markX(1)).toBeGreaterThan(goalX)
})

test('reached and missed differ by more than their color', () => {
  expect(drawPlot([rowWith('a', 1, true)], '')).toContain('<circle class="mark reached"')
  expect(drawPlot([rowWith('a', 0.1, false)], '')).toContain('<circle class="mark missed"')
})

test('values outside the scale, and values of zero or less, stay inside the picture', () => {
  for (const median of [1e-9, 0, 1e9, -1]) {
    const x = Number(/cx="([^"]+)"/.exec(drawPlot([rowWith('a', median, true)], ''))?.[1])

    expect(x).toBeGreaterThan(400)
    expect(x).toBeLessThan(900)
  }
})

test('the plot draws only figures with a goal, and escapes text', () => {
  const svg = drawPlot([rowWith('a < "b" & c', 1, true)], 'x > y')

  expect(svg).toContain('row: a &lt; &quot;b&quot; &amp; c')
  expect(svg).toContain('x &gt; y')
  expect(svg).not.toContain('without a goal')
})
