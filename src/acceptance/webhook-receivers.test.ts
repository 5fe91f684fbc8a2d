import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { callReceiver, startReceiver } from './webhook-receiver.ts'

test('the receiver in Node of docs/delivery takes what is signed, and nothing else', async () => {
  const file = fileURLToPath(new URL('../../docs/delivery/receiver.mjs', import.meta.url))
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
