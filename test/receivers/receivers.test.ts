import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { attackReceiver, callReceiver, rejectedAttacks, startReceiver } from '../support/webhook-receiver.ts'

const fileOf = (name: string) => fileURLToPath(new URL(`../../docs/delivery/${name}`, import.meta.url))
const responses = { signed: 204, bothSecrets: 204, otherSecret: 401, changed: 401, old: 401 }

test('the receiver in Python takes what is signed, and nothing else', async () => {
  const { url, output } = await startReceiver((port) => ['python3', [fileOf('receiver.py')], { PORT: port }])

  expect(await callReceiver(url)).toEqual(responses)
  expect(output()).toBe('sync up to 17\nsync up to 17\n')
})

test('the receiver in PHP takes what is signed, and nothing else', async () => {
  const { url } = await startReceiver((port) => ['php', ['-S', `127.0.0.1:${port}`, fileOf('receiver.php')], {}])

  expect(await callReceiver(url)).toEqual(responses)
})

test.each([
  ['Python', 'python3', 'receiver.py'],
  ['PHP', 'php', 'receiver.php'],
])(
  'no request without a signature makes the receiver in %s fail or keeps it from the others',
  async (_, program, name) => {
    const receiver = await startReceiver((port) => {
      const listen = program === 'php' ? ['-S', `127.0.0.1:${port}`] : []
      return [program, [...listen, fileOf(name)], { PORT: port }]
    })

    expect(await attackReceiver(receiver.url)).toEqual(rejectedAttacks)
    expect(await callReceiver(receiver.url)).toMatchObject({ signed: 204 })
    expect(receiver.errors()).not.toMatch(/Traceback|Warning|Exception/)
  },
)
