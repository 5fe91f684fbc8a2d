import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { callReceiver, startReceiver } from '../../src/acceptance/webhook-receiver.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`../../docs/delivery/${name}`, import.meta.url))
const answers = { signed: 204, bothSecrets: 204, otherSecret: 401, changed: 401, old: 401 }

test('the receiver in Python takes what is signed, and nothing else', async () => {
  const { url, output } = await startReceiver((port) => ['python3', [fileOf('receiver.py')], { PORT: port }])

  expect(await callReceiver(url)).toEqual(answers)
  expect(output()).toBe('sync up to 17\nsync up to 17\n')
})

test('the receiver in PHP takes what is signed, and nothing else', async () => {
  const { url } = await startReceiver((port) => ['php', ['-S', `127.0.0.1:${port}`, fileOf('receiver.php')], {}])

  expect(await callReceiver(url)).toEqual(answers)
})
