import { expect, test } from 'vitest'
import { addApp } from '../../../src/accounts/apps.ts'
import { endSessions } from '../../../src/accounts/session-management.ts'
import { resetPassword } from '../../../src/accounts/users.ts'
import { systemEnvironment } from '../../../src/environment.ts'
import { openFileServer, openTestServer } from '../../support/open-test-server.ts'
import { openTestStore } from '../../support/open-test-store.ts'
import { signInBrowser, type TestBrowser } from '../../support/test-browser.ts'
import { createDoubledWrites } from '../../support/write-twice.ts'

const server = await openFileServer()
const back = 'https://app.example/back'
const app = await addApp(server.store, 'A reader', systemEnvironment, { redirectUris: [back] })
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

  const response = await own.send(await own.open('/account/sessions'), '/account/sessions/end-others')

  expect(response.status).toBe(303)
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

test('signing out of an app also ends its codes that are not used yet', async () => {
  const { own, strange } = await openTwo('emil')
  const pair = await redeem(await allow(own))
  expect(pair.status).toBe(200)
  const code = codeIn((await strange.open(path)).location)
  expect(code).not.toBe('')

  const response = await own.send(await own.open('/account/apps'), `/account/apps/${app.clientId}/leave`)

  expect(response.status).toBe(303)
  expect((await redeem(code)).status).toBe(400)
  expect((await own.open(path)).status).toBe(200)
})

/** A server on whose registry something happens around the next change of the pages. */
const openDisturbed = async () => {
  const store = await openTestStore(createDoubledWrites(systemEnvironment))
  const next: { before?: () => Promise<unknown>; after?: () => Promise<unknown> } = {}
  const registry: typeof store.registry = {
    ...store.registry,
    change: async (work) => {
      const { before, after } = next
      delete next.before
      delete next.after
      await before?.()
      const done = await store.registry.change(work)
      await after?.()
      return done
    },
  }
  const disturbed = await openTestServer({ store: { ...store, registry } })
  const anna = (await store.registry.listUsers()).find(({ name }) => name === 'anna')
  return { server: disturbed, store, userId: anna?.id ?? '', next }
}

test('of two browsers that end all but themselves at the same moment, one stays signed in', async () => {
  const { server, next } = await openDisturbed()
  const path = '/account/sessions/end-others'
  const [late, early] = [await signInBrowser(server, 'anna'), await signInBrowser(server, 'anna')]
  const [latePage, earlyPage] = [await late.open('/account/sessions'), await early.open('/account/sessions')]
  next.before = () => early.send(earlyPage, path)

  const response = await late.send(latePage, path)

  expect(response.status).toBe(403)
  expect((await late.open('/account')).status).toBe(303)
  expect((await early.open('/account')).status).toBe(200)
})

test('a personal token that is created while the session of its browser ends is removed with it', async () => {
  const { server, store, userId, next } = await openDisturbed()
  const strange = await signInBrowser(server, 'anna')
  const page = await strange.open('/account/tokens')
  next.before = () => endSessions(store, userId, () => true)

  const response = await strange.send(page, '/account/tokens', { name: 'mine', term: 'never' })

  expect(response.status).toBe(403)
  expect(await store.registry.listSessions(userId)).toEqual([])
})

test('a password that is reset right after a user changed it leaves the browser signed out', async () => {
  const { server, store, next } = await openDisturbed()
  const strange = await signInBrowser(server, 'anna')
  const page = await strange.open('/account/password')
  const fields = { old: 'correct horse', password: 'battery staple', again: 'battery staple' }
  next.after = () => resetPassword(store, { name: 'anna', password: 'stapled horse' })

  const response = await strange.send(page, '/account/password', fields)

  expect(response.status).toBe(303)
  expect((await strange.open('/account')).location).toMatch(/^\/sign-in/)
})
