import assert from 'node:assert/strict'
import type { Session, User } from '../directory.ts'
import type { Store } from '../store.ts'
import { beforeAndAfterRestart, type ContractCase } from './contract-case.ts'

const makeUser = (id: string, name: string): User => ({ id, name, passwordHash: `hash of ${name}`, createdAt: 1 })

const makeSession = (id: string, userId: string, ...hashes: readonly string[]): Session => ({
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

const readDirectory = async ({ directory }: Store) => ({
  users: await directory.listUsers(),
  apps: await directory.listApps(),
  ann: [await directory.findUser('1'), await directory.findUserByName('ann')],
  app: await directory.findApp('app'),
  sessions: await directory.listSessions('1'),
  byHash: [await directory.findSessionByAccessHash('access a'), await directory.findSessionByRequestHash('request a')],
})

const fill = ({ directory }: Store): Promise<void> =>
  directory.change(async (draft) => {
    await draft.putUser(makeUser('1', 'ann'))
    await draft.putUser(makeUser('2', '__proto__'))
    await draft.putApp({ clientId: 'app', name: 'web', secretHash: 's', createdAt: 1 })
    await draft.putSession(makeSession('s1', '1', 'a', 'b'))
    await draft.putSession(makeSession('s2', '2', 'c'))
  })

const idsOf = (users: readonly User[]): string[] => users.map(({ id }) => id).sort()

/** The directory keeps promise 2 as accounts do. */
export const directoryCases: readonly ContractCase[] = [
  {
    name: 'users, apps and sessions are found by every name that they have, also after a restart',
    run: async (tested) => {
      const { store } = tested
      await fill(store)

      for await (const opened of beforeAndAfterRestart(tested)) {
        const session = makeSession('s1', '1', 'a', 'b')
        assert.deepEqual(await readDirectory(opened), {
          users: [makeUser('1', 'ann'), makeUser('2', '__proto__')],
          apps: [{ clientId: 'app', name: 'web', secretHash: 's', createdAt: 1 }],
          ann: [makeUser('1', 'ann'), makeUser('1', 'ann')],
          app: { clientId: 'app', name: 'web', secretHash: 's', createdAt: 1 },
          sessions: [session],
          byHash: [session, session],
        })
        assert.equal((await opened.directory.findUserByName('__proto__'))?.id, '2')
        assert.equal((await opened.directory.findSessionByAccessHash('access c'))?.id, 's2')
        assert.equal(await opened.directory.findUserByName('constructor'), undefined)
      }
    },
  },
  {
    name: 'a change of the directory reads its own steps, and what it replaced is found no more',
    run: async ({ store }) => {
      await fill(store)

      await store.directory.change(async (draft) => {
        await draft.putUser(makeUser('1', 'anna'))
        await draft.putSession(makeSession('s1', '1', 'd'))
        await draft.deleteSession('s2')
        await draft.deleteApp('app')
        assert.equal(await draft.findUserByName('ann'), undefined)
        assert.equal((await draft.findUserByName('anna'))?.id, '1')
        assert.equal(await draft.findSessionByAccessHash('access a'), undefined)
        assert.equal((await draft.findSessionByRequestHash('request d'))?.id, 's1')
        assert.deepEqual(await draft.listSessions('2'), [])
        assert.deepEqual(await draft.listApps(), [])
        assert.equal((await draft.listUsers()).length, 2)
      })

      const { directory } = store
      assert.equal(await directory.findUserByName('ann'), undefined)
      assert.equal(await directory.findSessionByAccessHash('access a'), undefined)
      assert.equal(await directory.findSessionByRequestHash('request c'), undefined)
      assert.deepEqual(await directory.listSessions('1'), [makeSession('s1', '1', 'd')])
      assert.deepEqual(await directory.listSessions('2'), [])
      assert.equal(await directory.findApp('app'), undefined)
    },
  },
  {
    name: 'users are listed by names that differ only by case, outer spaces and Unicode, also after a restart',
    run: async (tested) => {
      const names = ['Jos\u00e9', ' jose\u0301 ', 'JOS\u00c9', 'jose', 'jos\u00e9']
      await tested.store.directory.change(async (draft) => {
        for (const [index, name] of names.entries()) await draft.putUser(makeUser(String(index), name))
        assert.deepEqual(idsOf(await draft.listUsersNamedLike('Jos\u00c9')), ['0', '1', '2', '4'])
      })
      await tested.store.directory.change(async (draft) => {
        await draft.deleteUser('0')
        await draft.putUser(makeUser('1', 'other'))
        assert.deepEqual(idsOf(await draft.listUsersNamedLike('jos\u00e9')), ['2', '4'])
      })

      for await (const { directory } of beforeAndAfterRestart(tested)) {
        assert.deepEqual(idsOf(await directory.listUsersNamedLike(' jose\u0301')), ['2', '4'])
        assert.deepEqual(idsOf(await directory.listUsersNamedLike('JOSE')), ['3'])
        assert.deepEqual(idsOf(await directory.listUsersNamedLike('OTHER')), ['1'])
        assert.deepEqual(await directory.listUsersNamedLike('joseph'), [])
        assert.equal((await directory.findUserByName('JOS\u00c9'))?.id, '2')
      }
    },
  },
  {
    name: 'a change of the directory that throws leaves no trace, and nobody sees one at work',
    run: async (tested) => {
      const { store } = tested
      await fill(store)
      const before = await readDirectory(store)

      const failed = store.directory.change(async (draft) => {
        await draft.putUser(makeUser('1', 'anna'))
        await draft.deleteUser('2')
        await draft.deleteApp('app')
        await draft.putSession(makeSession('s1', '1', 'd'))
        assert.deepEqual(await readDirectory(store), before)
        throw new RangeError('no')
      })

      await assert.rejects(failed, RangeError)
      for await (const opened of beforeAndAfterRestart(tested)) assert.deepEqual(await readDirectory(opened), before)
    },
  },
  {
    name: 'changes of the directory happen one after the other',
    run: async ({ store }) => {
      const register = (name: string): Promise<boolean> =>
        store.directory.change(async (draft) => {
          if ((await draft.findUserByName('ann')) !== undefined) return false
          await new Promise(setImmediate)
          await draft.putUser(makeUser(name, 'ann'))
          return true
        })

      const registered = await Promise.all(['1', '2', '3'].map(register))

      assert.deepEqual(registered, [true, false, false])
      assert.deepEqual(await store.directory.listUsers(), [makeUser('1', 'ann')])
    },
  },
]
