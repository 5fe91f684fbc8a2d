import { expect, test } from 'vitest'
import { watchClock } from './start-app.ts'

const minute = 60_000
const noon = Date.UTC(2026, 0, 1, 12)

test('a clock difference counts above five minutes, in both directions, until the clock is corrected', async () => {
  let time = noon
  const watch = watchClock(
    async () => new Response('', { headers: { date: new Date(noon).toUTCString() } }),
    () => time,
  )
  const seen: number[] = []
  watch.ahead.watch(() => seen.push(watch.ahead.read() / minute))

  for (const minutes of [0, 5, 120, 120.2, -600, -4]) {
    time = noon + minutes * minute
    await watch.send(new Request('http://127.0.0.1/'))
  }

  expect(seen).toEqual([120, -600, 0])
})

test('a response without a date does not change the clock difference', async () => {
  const watch = watchClock(
    async () => new Response(''),
    () => 0,
  )

  await watch.send(new Request('http://127.0.0.1/'))

  expect(watch.ahead.read()).toBe(0)
})
