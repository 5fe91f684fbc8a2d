import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { attackReceiver, callReceiver, rejectedAttacks, startReceiver } from '../../support/webhook-receiver.ts'

const file = fileURLToPath(new URL('../../../docs/delivery/receiver.mjs', import.meta.url))

test('the receiver in Node of docs/delivery takes what is signed, and nothing else', async () => {
  const receiver = await startReceiver((port) => [process.execPath, [file], { PORT: port }])

  expect(await callReceiver(receiver.url)).toEqual({
    signed: 204,
    bothSecrets: 204,
    otherSecret: 401,
    changed: 401,
    old: 401,
  })
  expect(receiver.output()).toBe('sync up to 17\nsync up to 17\n')
})

test('no request without a signature ends it or keeps it from the others', async () => {
  const receiver = await startReceiver((port) => [process.execPath, [file], { PORT: port }])

  expect(await attackReceiver(receiver.url)).toEqual(rejectedAttacks)
  expect(await callReceiver(receiver.url)).toMatchObject({ signed: 204 })
  expect(receiver.errors()).toBe('')
})
