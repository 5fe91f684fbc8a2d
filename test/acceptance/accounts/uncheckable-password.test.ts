import { expect, test } from 'vitest'
import { openTestServer } from '../../support/open-test-server.ts'
import { recordLog } from '../../support/record-log.ts'
import { createTestBrowser, signInBrowser } from '../../support/test-browser.ts'

const costly = `$argon2id$v=19$m=4194304,t=1000,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`

const open = async () => {
  const { log, lines } = recordLog()
  const server = await openTestServer({ log })
  const keep = async (passwordHash: string) => {
    const user = await server.store.registry.findUserByName('anna')
    if (user === undefined) throw new Error('there is no anna')
    await server.store.registry.change((registry) => registry.put('users', { ...user, passwordHash }))
  }
  const says = () => lines.filter(({ level }) => level === 'error').map(({ msg }) => String(msg))
  return { server, keep, says }
}

test('a user with a hash that cannot be computed cannot sign in, and the log tells the administrator why', async () => {
  const { server, keep, says } = await open()
  const browser = createTestBrowser(server)
  const form = { client_id: server.clientId, client_secret: server.clientSecret }

  for (const hash of [costly, 'md5:5f4dcc3b5aa765d61d8327deb882cf99', '']) {
    await keep(hash)
    const given = { grant_type: 'password', username: 'anna', password: 'correct horse' }
    const granted = await server.post('/token', { form: { ...form, ...given } })
    const page = await browser.open('/sign-in')
    const signedIn = await browser.send(page, '/sign-in', { username: 'anna', password: 'correct horse' })

    expect([granted.status, granted.body]).toEqual([
      400,
      { error: 'invalid_grant', error_description: 'username or password is wrong' },
    ])
    expect([signedIn.status, signedIn.html.includes('The user name or the password is wrong')]).toEqual([422, true])
  }
  expect(says()).toHaveLength(6)
  for (const sentence of says()) expect(sentence).toContain('give the user a new password with "user reset-password"')
})

test('a password that is only wrong is no error in the log, and a change of password is rejected', async () => {
  const { server, keep, says } = await open()
  const browser = await signInBrowser(server, 'anna')
  const change = async () => {
    const page = await browser.open('/account/password')
    return browser.send(page, '/account/password', {
      old: 'wrong',
      password: 'battery staple',
      again: 'battery staple',
    })
  }

  const [wrong, errors] = [await change(), says().length]
  await keep(costly)
  const uncheckable = await change()

  expect([wrong.status, errors]).toEqual([uncheckable.status, 0])
  expect(uncheckable.html).toContain('This is not your current password.')
  expect(says()).toHaveLength(1)
})
