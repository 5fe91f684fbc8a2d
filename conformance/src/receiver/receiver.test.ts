import { afterEach, expect, test } from 'vitest'
import type { Delivery, DeliveryResponse } from './receiver.ts'
import { openReceiver, type Receiver } from './receiver.ts'

const opened: Receiver[] = []
afterEach(async () => {
  for (const receiver of opened.splice(0)) await receiver.close()
})

const open = async (): Promise<Receiver> => {
  const receiver = await openReceiver({ host: '127.0.0.1', port: 0 })
  opened.push(receiver)
  return receiver
}

const send = (url: string, body: string) => fetch(url, { method: 'POST', body, redirect: 'manual' })

test('a mailbox returns each delivery once and in order, and reports its responses', async () => {
  const receiver = await open()
  const responded: (readonly [Delivery, DeliveryResponse])[] = []
  const { mailbox } = receiver.openMailbox(
    ({ index }) => ({ status: index === 0 ? 500 : 204 }),
    (...each) => responded.push(each),
  )
  const statuses = [(await send(mailbox.url, 'first')).status, (await send(mailbox.url, 'second')).status]
  const taken = [await mailbox.take(1000), await mailbox.take(1000), await mailbox.take(0)]

  expect(statuses).toEqual([500, 204])
  expect(taken.map((each) => each?.body.toString())).toEqual(['first', 'second', undefined])
  expect(responded.map(([{ index }, response]) => [index, response])).toEqual([
    [0, { status: 500 }],
    [1, { status: 204 }],
  ])
})

test('a mailbox counts concurrent requests, and can hold them or break them off', async () => {
  const receiver = await open()
  let release = (): void => {}
  const held = new Promise<DeliveryResponse>((resolve) => {
    release = () => resolve({ status: 200 })
  })
  const { mailbox } = receiver.openMailbox(
    ({ index }) => (index === 2 ? 'close' : held),
    () => {},
  )
  const both = [send(mailbox.url, 'a'), send(mailbox.url, 'b')]
  await mailbox.take(1000)
  await mailbox.take(1000)
  release()
  await Promise.all(both)

  expect(mailbox.maxConcurrent()).toBe(2)
  await expect(send(mailbox.url, 'c')).rejects.toThrow('fetch failed')
})

test('a URL that is shut or unknown responds with 410', async () => {
  const receiver = await open()
  const { mailbox, shut } = receiver.openMailbox(
    () => ({ status: 204 }),
    () => {},
  )
  shut()
  const statuses = [(await send(mailbox.url, 'x')).status, (await send(`${receiver.url}/nobody`, 'x')).status]

  expect([statuses, mailbox.deliveries]).toEqual([[410, 410], []])
})

test('the receiver waits only a few times for a server that never sends anything', async () => {
  const receiver = await open()
  const { mailbox } = receiver.openMailbox(
    () => ({ status: 204 }),
    () => {},
  )
  for (let count = 0; count < 3; count += 1) await mailbox.take(1)
  const last = await mailbox.take(3_600_000)

  expect(last).toBeUndefined()
})

test('the URL for the server may differ from the listening address', async () => {
  const receiver = await openReceiver({ host: '127.0.0.1', port: 0, url: 'https://hooks.example.org/suite/' })
  opened.push(receiver)

  expect(receiver.url).toBe('https://hooks.example.org/suite')
})
