import assert from 'node:assert/strict'
import type {
  App,
  AuthorizationCode,
  BrowserSession,
  Key,
  Link,
  Session,
  User,
} from '../../src/store/registry/registry.ts'
import type { Store } from '../../src/store/store.ts'
import { acrossRestart, type ContractCase } from './contract-case.ts'

const createUser = (id: string, name: string): User => ({ id, name, passwordHash: `hash of ${name}`, createdAt: 1 })

/** A session with a pair of tokens for each name of `hashes`. */
export const createSession = (id: string, userId: string, ...hashes: readonly string[]): Session => ({
  id,
  userId,
  clientId: 'app',
  createdAt: 2,
  pairs: hashes.map((hash) => ({
    accessHash: `access ${hash}`,
    accessExpiresAt: 3,
    requestHash: `request ${hash}`,
    requestExpiresAt: 4,
    state: 'current',
  })),
})

const user: User = {
  ...createUser('1', 'ann'),
  isAdmin: true,
  disabledAt: 9,
  quota: { things: null, bytes: 5, tags: 7, hooks: 0 },
  subject: '["https://id.example","1"]',
}

const app: App = {
  clientId: 'app',
  name: 'web',
  createdAt: 1,
  redirectUris: ['https://app.example/back', 'com.example.app:/back'],
  isStandard: true,
  ownerId: '1',
}

const personal: Session = {
  id: 'p1',
  userId: '1',
  clientId: 'p1',
  createdAt: 2,
  pairs: [],
  personal: { name: 'script', hash: 'personal a', isReadOnly: true, expiresAt: 5 },
  lastUsedAt: 3,
  isSuspended: true,
}

const code: AuthorizationCode = {
  hash: 'code a',
  clientId: 'app',
  userId: '1',
  redirectUri: 'https://app.example/back',
  isRedirectNamed: true,
  challenge: 'challenge',
  expiresAt: 5,
  sessionId: 's1',
}

const browserSession: BrowserSession = {
  hash: 'cookie a',
  userId: '1',
  createdAt: 2,
  lastUsedAt: 3,
  origin: { address: '192.0.2.1', userAgent: 'browser' },
  by: 'provider',
}

const links: readonly Link[] = [
  { hash: 'link a', kind: 'set-password', createdAt: 2, expiresAt: 5, userId: '1' },
  { hash: 'link b', kind: 'invitation', createdAt: 2, expiresAt: 5, name: 'bob' },
]

// What belongs to another user, under another app.
const others = {
  app: { ...app, clientId: 'other', ownerId: '2' },
  code: { ...code, hash: 'code of 2', clientId: 'other', userId: '2', redirectUri: '{"userId":"1","expiresAt":1}' },
  browserSession: {
    ...browserSession,
    hash: 'cookie of 2',
    userId: '2',
    origin: { address: '192.0.2.1', userAgent: '"userId":"1","lastUsedAt":1,\\"userId":"1"' },
  },
  link: { ...links[0], hash: 'link of 2', userId: '2' } as Link,
}

const key: Key = { name: 'vapid', publicKey: 'public', privateKey: 'private', createdAt: 2 }

const readRegistry = async ({ registry }: Store) => ({
  users: await registry.listUsers(),
  apps: await registry.listApps(),
  ann: [await registry.findUser('1'), await registry.findUserByName('ann')],
  app: await registry.findApp('app'),
  sessions: await registry.listSessions('1'),
  byHash: [
    await registry.findSessionByAccessHash('access a'),
    await registry.findSessionByRequestHash('request a'),
    await registry.findSessionByAccessHash('personal a'),
    await registry.findCode('code a'),
    await registry.findBrowserSession('cookie a'),
    await registry.findLink('link b'),
  ],
  bySubject: await registry.findUserBySubject('["https://id.example","1"]'),
  admins: await registry.listMarkedAdmins(),
  appsOf: await registry.listAppsOf('1'),
  codes: [await registry.listCodes('1'), await registry.listCodesOfApp('app')],
  browserSessions: await registry.listBrowserSessions('1'),
  links: [await registry.listLinks('1'), await registry.listInvitations()],
  key: await registry.findKey('vapid'),
})

const fill = ({ registry }: Store): Promise<void> =>
  registry.change(async (draft) => {
    await draft.put('users', user)
    await draft.put('users', createUser('2', '__proto__'))
    await draft.put('apps', app)
    await draft.put('sessions', createSession('s1', '1', 'a', 'b'))
    await draft.put('sessions', personal)
    await draft.put('codes', code)
    await draft.put('browserSessions', browserSession)
    for (const link of links) await draft.put('links', link)
    await draft.put('keys', key)
    await draft.put('sessions', createSession('s2', '2', 'c'))
    await draft.put('apps', others.app)
    await draft.put('codes', others.code)
    await draft.put('browserSessions', others.browserSession)
    await draft.put('links', others.link)
  })

const idsOf = (users: readonly User[]): string[] => users.map(({ id }) => id).sort()

const hashesOf = (items: readonly { readonly hash: string }[]): string[] => items.map(({ hash }) => hash).sort()

/** The registry keeps promise 2 as accounts do. */
export const registryCases: readonly ContractCase[] = [
  {
    name: 'all that the registry holds is found by every name that it has, also after a restart',
    run: async (tested) => {
      const { store } = tested
      await fill(store)

      for await (const opened of acrossRestart(tested)) {
        const session = createSession('s1', '1', 'a', 'b')
        assert.deepEqual(await readRegistry(opened), {
          users: [user, createUser('2', '__proto__')],
          apps: [app, others.app],
          ann: [user, user],
          app,
          sessions: [session, personal],
          byHash: [session, session, personal, code, browserSession, links[1]],
          bySubject: user,
          admins: [user],
          appsOf: [app],
          codes: [[code], [code]],
          browserSessions: [browserSession],
          links: [[links[0]], [links[1]]],
          key,
        })
        assert.equal((await opened.registry.findUserByName('__proto__'))?.id, '2')
        assert.equal((await opened.registry.findSessionByAccessHash('access c'))?.id, 's2')
        assert.equal(await opened.registry.findUserByName('constructor'), undefined)
        assert.equal(await opened.registry.findUserBySubject('["https://id.example","2"]'), undefined)
        assert.deepEqual(await opened.registry.listCodes('2'), [others.code])
        assert.deepEqual(await opened.registry.listCodesOfApp('other'), [others.code])
        assert.deepEqual(await opened.registry.listBrowserSessions('2'), [others.browserSession])
        assert.deepEqual(await opened.registry.listLinks('2'), [others.link])
        assert.deepEqual(await opened.registry.listAppsOf('2'), [others.app])
        assert.deepEqual(await opened.registry.listAppsOf('3'), [])
      }
    },
  },
  {
    name: 'a change of the registry reads its own steps, and what it replaced is found no more',
    run: async ({ store }) => {
      await fill(store)

      await store.registry.change(async (draft) => {
        await draft.put('users', createUser('1', 'anna'))
        await draft.put('sessions', createSession('s1', '1', 'd'))
        await draft.delete('sessions', 's2')
        await draft.put('sessions', {
          ...personal,
          personal: { name: 'script', hash: 'personal b', isReadOnly: false },
        })
        await draft.delete('apps', 'app')
        await draft.put('codes', { ...code, hash: 'code b' })
        await draft.delete('codes', 'code a')
        await draft.delete('browserSessions', 'cookie a')
        await draft.delete('links', 'link b')
        await draft.put('keys', { ...key, publicKey: 'another' })
        assert.equal(await draft.findUserByName('ann'), undefined)
        assert.equal((await draft.findUserByName('anna'))?.id, '1')
        assert.equal(await draft.findSessionByAccessHash('access a'), undefined)
        assert.equal((await draft.findSessionByRequestHash('request d'))?.id, 's1')
        assert.deepEqual(await draft.listSessions('2'), [])
        assert.deepEqual(await draft.listApps(), [others.app])
        assert.deepEqual(await draft.listAppsOf('1'), [])
        assert.equal(await draft.findUserBySubject('["https://id.example","1"]'), undefined)
        assert.deepEqual(await draft.listMarkedAdmins(), [])
        assert.equal((await draft.listUsers()).length, 2)
        assert.equal(await draft.hasUsers(), true)
        assert.equal(await draft.findSessionByAccessHash('personal a'), undefined)
        assert.equal((await draft.findSessionByAccessHash('personal b'))?.id, 'p1')
        assert.deepEqual(await draft.listCodes('1'), [{ ...code, hash: 'code b' }])
        assert.deepEqual(await draft.listCodesOfApp('app'), [{ ...code, hash: 'code b' }])
        assert.equal(await draft.findCode('code a'), undefined)
        assert.equal(await draft.findBrowserSession('cookie a'), undefined)
        assert.deepEqual(await draft.listBrowserSessions('1'), [])
        assert.equal(await draft.findLink('link b'), undefined)
        assert.equal((await draft.findKey('vapid'))?.publicKey, 'another')
        assert.equal(await draft.findKey('other'), undefined)
        assert.deepEqual(await draft.listLinks('1'), [links[0]])
        assert.deepEqual(await draft.listInvitations(), [])
      })

      const { registry } = store
      assert.equal(await registry.findUserByName('ann'), undefined)
      assert.equal(await registry.findSessionByAccessHash('access a'), undefined)
      assert.equal(await registry.findSessionByRequestHash('request c'), undefined)
      assert.equal(await registry.findSessionByAccessHash('personal a'), undefined)
      assert.equal((await registry.findSessionByAccessHash('personal b'))?.id, 'p1')
      assert.deepEqual(
        (await registry.listSessions('1')).map(({ id }) => id),
        ['s1', 'p1'],
      )
      assert.deepEqual(await registry.listCodes('1'), [{ ...code, hash: 'code b' }])
      assert.deepEqual(await registry.listBrowserSessions('1'), [])
      assert.deepEqual(await registry.listLinks('1'), [links[0]])
      assert.deepEqual(await registry.listInvitations(), [])
      assert.deepEqual(await registry.listMarkedAdmins(), [])
      assert.equal(await registry.findUserBySubject('["https://id.example","1"]'), undefined)
      assert.deepEqual(await registry.listSessions('2'), [])
      assert.equal(await registry.findApp('app'), undefined)
      assert.equal((await registry.findKey('vapid'))?.publicKey, 'another')
    },
  },
  {
    name: 'users are listed by names that differ only by case, outer spaces and Unicode, also after a restart',
    run: async (tested) => {
      const names = ['Jos\u00e9', ' jose\u0301 ', 'JOS\u00c9', 'jose', 'jos\u00e9']
      await tested.store.registry.change(async (draft) => {
        for (const [index, name] of names.entries()) await draft.put('users', createUser(String(index), name))
        assert.deepEqual(idsOf(await draft.listUsersNamedLike('Jos\u00c9')), ['0', '1', '2', '4'])
      })
      await tested.store.registry.change(async (draft) => {
        await draft.delete('users', '0')
        await draft.put('users', createUser('1', 'other'))
        assert.deepEqual(idsOf(await draft.listUsersNamedLike('jos\u00e9')), ['2', '4'])
      })

      for await (const { registry } of acrossRestart(tested)) {
        assert.deepEqual(idsOf(await registry.listUsersNamedLike(' jose\u0301')), ['2', '4'])
        assert.deepEqual(idsOf(await registry.listUsersNamedLike('JOSE')), ['3'])
        assert.deepEqual(idsOf(await registry.listUsersNamedLike('OTHER')), ['1'])
        assert.deepEqual(await registry.listUsersNamedLike('joseph'), [])
        assert.equal((await registry.findUserByName('JOS\u00c9'))?.id, '2')
      }
    },
  },
  {
    name: 'lists of what belongs to one user show its changes, and nothing of other users, also after a restart',
    run: async (tested) => {
      await fill(tested.store)

      await tested.store.registry.change(async (draft) => {
        await draft.put('users', { ...createUser('2', 'bob'), isAdmin: true, subject: 'b' })
        await draft.put('users', { ...user, isAdmin: false, subject: 'a\0"isAdmin":true' })
        await draft.put('codes', { ...code, userId: '2', clientId: 'other' })
        await draft.put('browserSessions', { ...browserSession, userId: '2' })
        await draft.put('apps', { ...app, ownerId: '2' })
        await draft.put('links', { ...others.link, userId: '1' })
        assert.deepEqual(await draft.listCodes('1'), [])
        assert.deepEqual(hashesOf(await draft.listCodes('2')), ['code a', 'code of 2'])
        assert.deepEqual(await draft.listBrowserSessions('1'), [])
        assert.deepEqual(hashesOf(await draft.listLinks('1')), ['link a', 'link of 2'])
        assert.equal((await draft.findUserBySubject('b'))?.id, '2')
        assert.deepEqual(idsOf(await draft.listMarkedAdmins()), ['2'])
      })

      for await (const { registry } of acrossRestart(tested)) {
        assert.deepEqual(await registry.listCodes('1'), [])
        assert.deepEqual(hashesOf(await registry.listCodesOfApp('other')), ['code a', 'code of 2'])
        assert.deepEqual(await registry.listBrowserSessions('1'), [])
        assert.deepEqual(hashesOf(await registry.listBrowserSessions('2')), ['cookie a', 'cookie of 2'])
        assert.deepEqual(await registry.listAppsOf('1'), [])
        assert.deepEqual(hashesOf(await registry.listLinks('1')), ['link a', 'link of 2'])
        assert.deepEqual(await registry.listLinks('2'), [])
        assert.equal((await registry.findUserBySubject('b'))?.id, '2')
        assert.equal((await registry.findUserBySubject('a\0"isAdmin":true'))?.id, '1')
        assert.deepEqual(idsOf(await registry.listMarkedAdmins()), ['2'])
      }
    },
  },
  {
    name: 'what has ended is forgotten, to the second, also after a restart',
    run: async (tested) => {
      const { registry } = tested.store
      await registry.change(async (draft) => {
        for (const second of [100, 101]) {
          await draft.put('codes', { ...code, hash: `code ${second}`, expiresAt: second })
          await draft.put('links', { ...links[1], hash: `link ${second}`, expiresAt: second } as Link)
        }
        for (const second of [50, 51, 50.5])
          await draft.put('browserSessions', { ...browserSession, hash: `cookie ${second}`, lastUsedAt: second })
      })

      await registry.forgetEnded({ expiredBy: 100, unusedSince: 50 })

      for await (const opened of acrossRestart(tested)) {
        assert.deepEqual(hashesOf(await opened.registry.listCodes('1')), ['code 101'])
        assert.deepEqual(hashesOf(await opened.registry.listInvitations()), ['link 101'])
        assert.deepEqual(hashesOf(await opened.registry.listBrowserSessions('1')), ['cookie 50.5', 'cookie 51'])
      }
    },
  },
  {
    name: 'a change of the registry that throws leaves no trace, and nobody sees one at work',
    run: async (tested) => {
      const { store } = tested
      await fill(store)
      const before = await readRegistry(store)

      const failed = store.registry.change(async (draft) => {
        await draft.put('users', createUser('1', 'anna'))
        await draft.delete('users', '2')
        await draft.delete('apps', 'app')
        await draft.put('sessions', createSession('s1', '1', 'd'))
        await draft.delete('codes', 'code a')
        await draft.delete('browserSessions', 'cookie a')
        await draft.delete('links', 'link a')
        await draft.put('keys', { ...key, privateKey: 'another' })
        assert.deepEqual(await readRegistry(store), before)
        throw new RangeError('no')
      })

      await assert.rejects(failed, RangeError)
      for await (const opened of acrossRestart(tested)) assert.deepEqual(await readRegistry(opened), before)
    },
  },
  {
    name: 'changes of the registry happen one after the other',
    run: async ({ store }) => {
      const register = (name: string): Promise<boolean> =>
        store.registry.change(async (draft) => {
          if ((await draft.findUserByName('ann')) !== undefined) return false
          await new Promise(setImmediate)
          await draft.put('users', createUser(name, 'ann'))
          return true
        })

      const registered = await Promise.all(['1', '2', '3'].map(register))

      assert.deepEqual(registered, [true, false, false])
      assert.deepEqual(await store.registry.listUsers(), [createUser('1', 'ann')])
    },
  },
]
