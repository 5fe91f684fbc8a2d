import { expect, test, vi } from 'vitest'
import { openReceiver, respondWith } from '../../support/fake-receiver.ts'
import { prepareToken, prepareUsers } from '../../support/prepare-accounts.ts'
import { createTemporaryFolder, runCli, startCliServer } from '../../support/run-cli.ts'

test('delivery is listed and steered by command, while the server runs and when it is stopped', async () => {
  const data = await createTemporaryFolder()
  const receiver = await openReceiver()
  receiver.respond = respondWith(500)
  const command = (...args: string[]) => runCli([...args, '--data', data], 'correct horse')
  const list = async () => JSON.parse((await command('delivery', 'list', '--format', 'json')).stdout)
  await prepareUsers(data, 'anna')
  const nothing = await command('delivery', 'list')
  const token = await prepareToken(data, 'anna')
  const server = await startCliServer(data, ['--no-first-run', '--delivery-allow', '127.0.0.1'])
  const post = (path: string, form: Record<string, string>) =>
    fetch(`${server.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams(form),
    })
  await post('webhook/register', { target_url: receiver.url, event: 'any' })
  await post('thing/add', { title: 'A' })

  await receiver.untilReceived(1)
  await vi.waitFor(async () => expect(await list()).toMatchObject([{ state: 'retrying' }]), 60_000)
  const [failing] = await list()
  const paused = await command('delivery', 'pause', '--hook', failing.id)
  const [whilePaused] = await list()
  const held = await command('delivery', 'retry', '--hook', failing.id)
  receiver.respond = respondWith(204)
  const resumed = await command('delivery', 'resume', '--user', 'anna', '--format', 'json')
  await vi.waitFor(async () => expect(await list()).toMatchObject([{ state: 'working', waiting: false }]), 60_000)
  const unknown = await command('delivery', 'retry', '--hook', 'unknown')
  const twice = await command('delivery', 'pause', '--hook', 'a', '--hook', failing.id)
  const unnamed = await command('delivery', 'retry')
  await server.stop()
  const [stopped] = await list()

  expect(nothing).toEqual({ exitCode: 0, stdout: '', stderr: 'no webhooks and no devices\n' })
  const common = {
    user: 'anna',
    kind: 'webhook',
    id: expect.stringMatching(/^\w{20}$/),
    to: receiver.url,
    event: 'any',
  }
  expect(failing).toEqual({
    ...common,
    app: null,
    state: 'retrying',
    waiting: true,
    last_success: null,
    last_failure: expect.any(Number),
    reason: 'The receiver responded with status 500.',
    next_try: expect.any(Number),
  })
  expect(paused.stdout).toBe(`webhook ${failing.id} of user anna paused: ${receiver.url}\n`)
  expect(held.stdout).toBe(
    `webhook ${failing.id} of user anna retried, but nothing is sent while it is paused: ${receiver.url}\n`,
  )
  expect(whilePaused).toMatchObject({ state: 'paused', waiting: true, next_try: null })
  expect(JSON.parse(resumed.stdout)).toEqual([{ user: 'anna', id: failing.id, to: receiver.url, event: 'any' }])
  const sentence = 'thingsync: there is no webhook with the ID "unknown"; "delivery list" shows all webhooks\n'
  expect(unknown).toEqual({ exitCode: 1, stdout: '', stderr: sentence })
  expect(unnamed).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'thingsync: give a webhook with --hook, or a user with --user\n',
  })
  expect(twice).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('Give it only once') })
  expect(stopped).toMatchObject({ ...common, state: 'working', waiting: false, last_success: expect.any(Number) })
})

test('no list gives a terminal what it would obey', async () => {
  const data = await createTemporaryFolder()
  const command = (...args: string[]) => runCli([...args, '--data', data], 'correct horse')
  await prepareUsers(data, 'anna')
  const token = await prepareToken(data, 'anna')
  const server = await startCliServer(data, ['--no-first-run'])
  const registered = await fetch(`${server.baseUrl}register/device`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: new URLSearchParams({ type: 'other', id: 'phone\u009b2J' }),
  })

  const [json, text] = [await command('delivery', 'list', '--format', 'json'), await command('delivery', 'list')]
  await server.stop()

  expect(registered.status).toBe(200)
  expect(json.stdout).toContain('"id":"phone\\u009b2J"')
  expect(JSON.parse(json.stdout)).toMatchObject([{ id: 'phone\u009b2J' }])
  expect(text.stdout).toContain('phone?2J')
})
