import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createByteThrottle } from './request-body.ts'

const openBody = () => new PassThrough().resume()

test('a body is not paused below the rate', () => {
  const throttle = createByteThrottle(1_000_000)
  const body = openBody()

  throttle.count(body, 1_000)

  expect(body.isPaused()).toBe(false)
})

test('bodies are paused when all together exceed the rate, and resume one after the other', async () => {
  const throttle = createByteThrottle(1_000_000)
  const [first, second] = [openBody(), openBody()]
  const order: string[] = []
  first.on('resume', () => order.push('first'))
  second.on('resume', () => order.push('second'))
  await sleep(1)
  order.length = 0

  throttle.count(first, 100_000)
  throttle.count(second, 1)
  const atOnce = [first.isPaused(), second.isPaused()]
  while (order.length < 2) await sleep(5)

  expect(atOnce).toEqual([true, true])
  expect(order).toEqual(['first', 'second'])
})

test('a paused body that is closed delays no other body', async () => {
  const throttle = createByteThrottle(1_000_000)
  const [first, second] = [openBody(), openBody()]

  throttle.count(first, 100_000)
  throttle.count(second, 1)
  first.destroy()
  while (second.isPaused()) await sleep(5)

  expect(second.isPaused()).toBe(false)
})

test('a body that is paused many times has a single listener', async () => {
  const throttle = createByteThrottle(1_000_000)
  const body = openBody()
  const before = body.listenerCount('close')

  for (let pauses = 0; pauses < 20; pauses++) {
    throttle.count(body, 30_000)
    while (body.isPaused()) await sleep(5)
  }

  expect(body.listenerCount('close')).toBe(before + 1)
})
