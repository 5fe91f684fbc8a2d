import { expect, test } from 'vitest'
import { addApp } from '../accounts/apps.ts'
import { systemWorld } from '../world.ts'
import { openFileServer } from './open-test-server.ts'
import { signInBrowser, type TestBrowser } from './test-browser.ts'

const server = await openFileServer()
const back = 'https://app.example/back'
const app = await addApp(server.store, 'A reader', systemWorld, { redirectUris: [back] })
const path = `/authorize?${new URLSearchParams({ response_type: 'code', client_id: app.clientId })}`

const codeIn = (location: string) => new URL(location).searchParams.get('code') ?? ''
const allow = async (browser: TestBrowser) =>
  codeIn((await browser.send(await browser.open(path), '/authorize', { decision: 'allow' })).location)
const redeem = (code: string) =>
  server.post('/token', {
    form: { grant_type: 'authorization_code', client_id: app.clientId, client_secret: app.clientSecret, code },
  })

const openTwo = async (name: string) => {
  await server.addUser(name)
  return { own: await signInBrowser(server, name), strange: await signInBrowser(server, name) }
}

test('a code under way dies with all other sessions, by "end all but this browser"', async () => {
  const { own, strange } = await openTwo('berta')
  const code = await allow(strange)

  const answer = await own.send(await own.open('/account/sessions'), '/account/sessions/end-others')

  expect(answer.status).toBe(303)
  expect((await strange.open('/account')).status).toBe(303)
  expect((await redeem(code)).status).toBe(400)
})

test('a code under way dies with the session of the browser in which it was allowed', async () => {
  const { own, strange } = await openTwo('carla')
  const code = await allow(strange)
  const page = await own.open('/account/sessions')
  const ends = [...page.html.matchAll(/action="(\/account\/sessions\/[^"/]+\/end)"/g)].map(([, action = '']) => action)
  expect(ends).toHaveLength(2)

  for (const action of ends) await own.send(page, action)

  expect((await redeem(code)).status).toBe(400)
})

test('a code under way dies by a sign-out', async () => {
  const { own } = await openTwo('dora')
  const code = await allow(own)

  await own.send(await own.open('/account'), '/sign-out')

  expect((await redeem(code)).status).toBe(400)
})

test('who leaves an app leaves it with the codes that it has under way', async () => {
  const { own, strange } = await openTwo('emil')
  const pair = await redeem(await allow(own))
  expect(pair.status).toBe(200)
  const code = codeIn((await strange.open(path)).location)
  expect(code).not.toBe('')

  const answer = await own.send(await own.open('/account/apps'), `/account/apps/${app.clientId}/leave`)

  expect(answer.status).toBe(303)
  expect((await redeem(code)).status).toBe(400)
  expect((await own.open(path)).status).toBe(200)
})
