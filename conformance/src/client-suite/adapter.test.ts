import { expect, test } from 'vitest'
import { AdapterBroken, measureMemory, readHello, readMessage, startAdapter } from './adapter.ts'

const script = (text: string): readonly string[] => [process.execPath, '-e', text]

/** An adapter that runs `handle(message, write)` for each line. */
const replying = (handle: string): readonly string[] =>
  script(`
    const write = (value) => process.stdout.write(typeof value === 'string' ? value : JSON.stringify(value) + '\\n')
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const message = JSON.parse(line); ${handle}
    })`)

test('a result belongs to the command with its id, in any order', async () => {
  const adapter = await startAdapter(
    replying('setTimeout(() => write({ id: message.id, result: { got: message.n } }), message.n)'),
  )

  const results = await Promise.all([adapter.send('a', { n: 60 }), adapter.send('b', { n: 1 })])

  expect(results).toEqual([{ result: { got: 60 } }, { result: { got: 1 } }])
  expect(await adapter.end()).toBe(true)
})

test('a line may come in pieces, inside a character', async () => {
  const adapter = await startAdapter(
    replying(`const bytes = Buffer.from(JSON.stringify({ id: message.id, result: { text: 'ä😀' } }) + '\\n')
      let at = 0; const step = () => { if (at < bytes.length) { process.stdout.write(bytes.subarray(at, ++at)); setImmediate(step) } }; step()`),
  )

  expect(await adapter.send('a')).toEqual({ result: { text: 'ä😀' } })
  await adapter.kill()
})

test('a command is one line for every reader of lines, and a result may contain their other line breaks', async () => {
  const text = 'a\u0085b\u2028c\u2029d'
  const adapter = await startAdapter(
    script(`process.stdin.once('data', (bytes) => {
      const [line] = bytes.toString().split(/[\\n\\u0085\\u2028\\u2029]/); const { id, text } = JSON.parse(line)
      process.stdout.write(JSON.stringify({ id, result: { text } }) + '\\n') })`),
  )

  expect(await adapter.send('a', { text })).toEqual({ result: { text } })
  await adapter.kill()
})

test('an adapter that ends says how, with the end of its standard error', async () => {
  const adapter = await startAdapter(replying("process.stderr.write('no such module\\n', () => process.exit(3))"))

  const sending = adapter.send('a')

  await expect(sending).rejects.toThrow(/ended with exit code 3.*no such module/s)
  expect(adapter.isUsable()).toBe(false)
})

test('the whole standard error is there after the end', async () => {
  const adapter = await startAdapter(
    replying(
      'for (let n = 0; n < 20; n += 1) process.stderr.write("line " + n + "\\n"); write({ id: message.id, result: {} })',
    ),
  )

  await adapter.send('a')
  await adapter.end()

  expect(adapter.errorOutput()).toBe(Array.from({ length: 20 }, (_, n) => `line ${n}\n`).join(''))
  expect(adapter.errors().split('\n')).toHaveLength(8)
})

test('a line that is not JSON breaks the adapter and is shown', async () => {
  const adapter = await startAdapter(replying("write('Connecting…\\n')"))

  await expect(adapter.send('a')).rejects.toThrow('not JSON (only results may go to standard output): Connecting…')
  await adapter.kill()
})

test('a command without a result ends with its time limit', async () => {
  const adapter = await startAdapter(replying(''))

  await expect(adapter.send('sync', {}, 50)).rejects.toThrow('wrote no result of the command sync within 0.05 s')
  await adapter.kill()
})

test('a killed adapter is gone, and its commands end', async () => {
  const adapter = await startAdapter(replying(''))
  const sending = adapter.send('a')
  sending.catch(() => {})

  await adapter.kill()

  await expect(sending).rejects.toThrow(AdapterBroken)
  expect(() => process.kill(-adapter.group, 0)).toThrow('ESRCH')
})

test('a command that does not exist is named', async () => {
  await expect(startAdapter(['no-such-program-here'])).rejects.toThrow(
    'the command no-such-program-here cannot be started',
  )
})

test.each([
  ['[]', 'no JSON object'],
  ['{"result":{}}', 'without the id'],
  ['{"id":1}', 'either "result" or "error"'],
  ['{"id":1,"result":[]}', 'either "result" or "error"'],
  ['{"id":1,"error":{"kind":"bad"}}', 'the kind of an error is rejected'],
])('the line %s is no result', (line, sentence) => {
  expect(readMessage(Buffer.from(line))).toContain(sentence)
})

test('hello is checked word by word', () => {
  const right = { protocol: 1, name: 'x', profiles: ['api'], features: ['list'] }

  expect(readHello({ result: right })).toEqual({ name: 'x', version: '', profiles: ['api'], features: ['list'] })
  expect(readHello({ result: { ...right, protocol: 2 } })).toContain('version 1')
  expect(readHello({ result: { ...right, profiles: [] } })).toContain('api, replica')
  expect(readHello({ result: { ...right, features: ['lists'] } })).toContain('it contained "lists"')
})

test.runIf(process.platform === 'linux')('the memory of a process group is measured', async () => {
  const adapter = await startAdapter(
    replying('globalThis.held = Buffer.alloc(80e6, 1); write({ id: message.id, result: {} })'),
  )
  const before = measureMemory(adapter.group) ?? 0

  await adapter.send('a')

  expect((measureMemory(adapter.group) ?? 0) - before).toBeGreaterThan(60e6)
  await adapter.kill()
})
