import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openFormsOnlyServer } from '../../../scripts/sdk-test/servers.ts'

const openFront = async () => {
  const server = createServer((request, response) => response.end(`${request.method} ${request.url}`))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const front = await openFormsOnlyServer(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`)
  onTestFinished(async () => {
    await front.close()
    server.close()
  })
  return front.baseUrl
}

const post = (url: string, body: string | URLSearchParams, type?: string) =>
  fetch(url, { method: 'POST', body, ...(type === undefined ? {} : { headers: { 'content-type': type } }) })

test('forms and queries pass unchanged', async () => {
  const base = await openFront()
  const form = new URLSearchParams([
    ['from', '3'],
    ['new_thing', '[{"local_id":"1","title":"ü"}]'],
    ['deleted_thing[]', 'a'],
    ['tag[a]b]', '{"todo":true}'],
  ])

  expect(await (await post(`${base}sync?from=1`, form)).text()).toBe('POST /v1/sync?from=1')
  expect(await (await fetch(`${base}sync?from=1`)).text()).toBe('GET /v1/sync?from=1')
})

test('JSON bodies are rejected with 415, and fields that interface 4.3 does not specify with 400', async () => {
  const base = await openFront()

  expect((await post(`${base}sync`, '{}', 'application/json')).status).toBe(415)
  expect((await fetch(`${base}sync?from=1.2e7`)).status).toBe(400)
  for (const field of [
    'new_thing[0]={}',
    'tag={}',
    'tag[a]=1',
    'new_thing=x',
    'changed_thing=["a"]',
    'tag[a][todo]=true',
  ]) {
    expect((await post(`${base}sync`, new URLSearchParams(field))).status, field).toBe(400)
  }
})
