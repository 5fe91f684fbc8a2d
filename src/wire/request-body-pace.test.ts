import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createByteThrottle } from './request-body.ts'

const openBody = () => new PassThrough().resume()

test('a body goes on while little comes', () => {
  const pace = createByteThrottle(1_000_000)
  const body = openBody()

  pace.count(body, 1_000)

  expect(body.isPaused()).toBe(false)
})

test('bodies rest when too much has come of all of them, and go on one after the other', async () => {
  const pace = createByteThrottle(1_000_000)
  const [first, second] = [openBody(), openBody()]
  const order: string[] = []
  first.on('resume', () => order.push('first'))
  second.on('resume', () => order.push('second'))
  await sleep(1)
  order.length = 0

  pace.count(first, 100_000)
  pace.count(second, 1)
  const atOnce = [first.isPaused(), second.isPaused()]
  while (order.length < 2) await sleep(5)

  expect(atOnce).toEqual([true, true])
  expect(order).toEqual(['first', 'second'])
})

test('a body that is closed while it rests keeps nobody waiting', async () => {
  const pace = createByteThrottle(1_000_000)
  const [first, second] = [openBody(), openBody()]

  pace.count(first, 100_000)
  pace.count(second, 1)
  first.destroy()
  while (second.isPaused()) await sleep(5)

  expect(second.isPaused()).toBe(false)
})

test('a body that rests many times is listened to once', async () => {
  const pace = createByteThrottle(1_000_000)
  const body = openBody()
  const before = body.listenerCount('close')

  for (let rests = 0; rests < 20; rests++) {
    pace.count(body, 30_000)
    while (body.isPaused()) await sleep(5)
  }

  expect(body.listenerCount('close')).toBe(before + 1)
})
