import { expect, test } from 'vitest'
import type { SignedIn } from './page.ts'
import { recognizeBrowser } from './signed-in.ts'

const anna: SignedIn = { userId: '1', userName: 'anna', isAdmin: false, sessionId: 'a' }
const mallory: SignedIn = { userId: '2', userName: 'mallory', isAdmin: false, sessionId: 'm' }
const sessions = new Map([
  ['of anna', anna],
  ['of mallory', mallory],
])
const recognize = (...secrets: string[]) => recognizeBrowser(secrets, async (secret) => sessions.get(secret))
const nobody = { signedIn: undefined, sessionSecret: undefined }

test('the only valid session counts, whatever cookies were planted around it', async () => {
  const isAnna = { signedIn: anna, sessionSecret: 'of anna' }

  expect(await recognize('of anna')).toEqual(isAnna)
  expect(await recognize('planted', 'of anna')).toEqual(isAnna)
  expect(await recognize('of anna', 'planted', 'too')).toEqual(isAnna)
})

test('of two valid sessions, neither is trusted', async () => {
  expect(await recognize('of anna', 'of mallory')).toEqual(nobody)
  expect(await recognize('of mallory', 'planted', 'of anna')).toEqual(nobody)
})

test('an ended session signs nobody in; alone, it is known, so that a sign-in replaces it', async () => {
  expect(await recognize()).toEqual(nobody)
  expect(await recognize('ended')).toEqual({ signedIn: undefined, sessionSecret: 'ended' })
  expect(await recognize('ended', 'planted')).toEqual(nobody)
})
