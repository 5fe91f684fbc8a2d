import { expect, test } from 'vitest'
import { type RetryOptions, sendAgain } from './api.ts'
import type { Pace } from './environment.ts'

/** A network with these outcomes one after the other, and a clock that records the waits. */
const open = (
  outcomes: readonly (number | 'lost' | Readonly<Record<string, string>>)[],
  options: RetryOptions = {},
) => {
  const waits: number[] = []
  const bodies: string[] = []
  const left = [...outcomes]
  const pace: Pace = {
    now: () => 0,
    random: () => 1,
    sleep: async (milliseconds) => {
      waits.push(milliseconds)
      return true
    },
  }
  const send = sendAgain(
    async (request) => {
      bodies.push(await request.text())
      const outcome = left.shift() ?? 200
      if (outcome === 'lost') throw new TypeError('fetch failed')
      const isStatus = typeof outcome === 'number'
      return new Response('', isStatus ? { status: outcome } : { status: 503, headers: outcome })
    },
    { ...pace, ...options },
  )
  const get = () => send(new Request('http://things.example/v1/things/get'))
  const post = (operation: string, body: string) =>
    send(
      new Request(`http://things.example/v1/${operation}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    )
  return { waits, bodies, get, post }
}

test('a transient failure is retried after waits that double', async () => {
  const { waits, get } = open(['lost', 502, 504])

  expect((await get()).status).toBe(200)
  expect(waits).toEqual([500, 1_000, 2_000])
})

test('after the last attempt the failure is returned as it is', async () => {
  const { waits, get } = open([503, 503], { attempts: 2 })
  const { get: getLost } = open(['lost', 'lost'], { attempts: 2 })

  expect((await get()).status).toBe(503)
  await expect(getLost()).rejects.toThrow('fetch failed')
  expect(waits).toEqual([500])
})

test.each([400, 401, 404, 500])('a permanent failure (%i) is returned at once', async (status) => {
  const { waits, get } = open([status])

  expect((await get()).status).toBe(status)
  expect(waits).toEqual([])
})

test('the client waits for Retry-After, in seconds or as a date, but for no more than a minute', async () => {
  const { waits, get } = open([{ 'retry-after': '7' }, { 'retry-after': 'Thu, 01 Jan 1970 00:00:30 GMT' }])
  const { waits: none, get: getLate } = open([{ 'retry-after': '61' }])

  expect((await get()).status).toBe(200)
  expect(waits).toEqual([7_500, 31_000])
  expect((await getLate()).status).toBe(503)
  expect(none).toEqual([])
})

test.each([
  ['token', 'grant_type=refresh_token&refresh_token=x', 2],
  ['token', 'grant_type=password&username=anna', 1],
  ['token', 'grant_type=authorization_code&code=x', 1],
  ['revoke', 'token=x', 2],
  ['sync', 'from=5&new_thing=[]', 2],
  ['sync', 'new_thing=[]', 1],
  ['sync', 'changed_thing=[]&deleted_thing=[]&tag[a]={}', 2],
  ['thing/add', 'title=x', 1],
  ['thing/change', '_id=x', 1],
])('POST %s with %s is sent %i times', async (operation, body, times) => {
  const { bodies, post } = open(['lost'])

  const sent = post(operation, body)
  if (times === 1) await expect(sent).rejects.toThrow('fetch failed')
  else expect((await sent).status).toBe(200)

  expect(bodies).toEqual(Array(times).fill(body))
})

test('new things are sent once to a server that does not recognize a repeated upload', async () => {
  const { bodies, post } = open(['lost'], { recognizesRetries: false })

  await expect(post('sync', 'from=5&new_thing=[]')).rejects.toThrow('fetch failed')

  expect(bodies.length).toBe(1)
})

test('an abort ends the attempts, also while it waits', async () => {
  const abort = new AbortController()
  let attempts = 0
  const send = sendAgain(
    async (request) => {
      attempts++
      request.signal.throwIfAborted()
      throw new TypeError('fetch failed')
    },
    {
      sleep: async () => {
        abort.abort()
        return false
      },
    },
  )

  const sent = send(new Request('http://things.example/', { signal: abort.signal }))

  await expect(sent).rejects.toMatchObject({ name: 'AbortError' })
  expect(attempts).toBe(2)
})
