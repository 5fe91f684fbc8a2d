import { afterAll, beforeAll, expect, test } from 'vitest'
import { issueCode } from '../../src/accounts/authorization-codes.ts'
import { openBrowserSession } from '../../src/accounts/session-management.ts'
import { systemEnvironment } from '../../src/environment.ts'
import { openDatabase } from '../../src/store/postgres/database.ts'
import { openPostgresRegistry } from '../../src/store/postgres/registry.ts'
import type { Registry, User } from '../../src/store/registry/registry.ts'
import type { Store } from '../../src/store/store.ts'
import { createSession } from '../store/registry-cases.ts'
import { openTestDatabase, type TestDatabase } from './open-database.ts'

let testDatabase: TestDatabase
const processes: { registry: Registry; close: () => Promise<void> }[] = []

const openProcess = (): { registry: Registry; close: () => Promise<void> } => {
  const database = openDatabase({ url: testDatabase.url })
  return { registry: openPostgresRegistry(database), close: database.close }
}

beforeAll(async () => {
  testDatabase = await openTestDatabase()
  processes.push(openProcess(), openProcess(), openProcess())
})

afterAll(async () => {
  for (const { close } of processes) await close()
  await testDatabase.drop()
})

const registryOf = (number: number): Registry => {
  const found = processes[number]
  if (found === undefined) throw new Error(`there is no process ${number}`)
  return found.registry
}

const createUser = (id: string, name: string): User => ({ id, name, passwordHash: 'hash', createdAt: 1 })

test('a session that ended in one process has ended in all', async () => {
  const session = createSession('ending', 'anna', 'ending')
  await registryOf(0).change((draft) => draft.put('sessions', session))
  const before = await registryOf(1).findSessionByAccessHash('access ending')

  await registryOf(2).change((draft) => draft.delete('sessions', 'ending'))

  expect(before).toEqual(session)
  expect(await registryOf(1).findSessionByAccessHash('access ending')).toBeUndefined()
  expect(await registryOf(1).findSessionByRequestHash('request ending')).toBeUndefined()
  expect(await registryOf(0).listSessions('anna')).toEqual([])
})

test('a pair that a session does not have any more finds nothing', async () => {
  await registryOf(0).change((draft) => draft.put('sessions', createSession('turning', 'bert', 'one', 'two')))

  const next = createSession('turning', 'bert', 'two', 'three')
  await registryOf(1).change((draft) => draft.put('sessions', next))

  expect(await registryOf(0).findSessionByAccessHash('access one')).toBeUndefined()
  expect(await registryOf(0).findSessionByAccessHash('access two')).toEqual(next)
  expect(await registryOf(0).findSessionByRequestHash('request three')).toEqual(next)
})

test('of processes that take a name at the same time one has it', async () => {
  const takeName = (registry: Registry, id: string) =>
    registry.change(async (draft) => {
      if ((await draft.listUsersNamedLike('Carla')).length > 0) return false
      await draft.put('users', createUser(id, 'carla'))
      return true
    })

  const taken = await Promise.all([0, 1, 2, 0, 1, 2].map((number, id) => takeName(registryOf(number), `carla-${id}`)))

  expect(taken.filter(Boolean)).toHaveLength(1)
  expect(await registryOf(0).listUsersNamedLike('CARLA')).toHaveLength(1)
})

test('changes of all processes happen as if one after the other', async () => {
  await registryOf(0).change((draft) => draft.put('users', createUser('dora', 'dora')))
  const addOne = (registry: Registry) =>
    registry.change(async (draft) => {
      const user = await draft.findUser('dora')
      if (user !== undefined) await draft.put('users', { ...user, createdAt: user.createdAt + 1 })
    })

  await Promise.all(Array.from({ length: 30 }, (_, index) => addOne(registryOf(index % 3))))

  expect((await registryOf(0).findUser('dora'))?.createdAt).toBe(31)
})

test('names change hands within one change', async () => {
  await registryOf(0).change(async (draft) => {
    await draft.put('users', createUser('e1', 'emil'))
    await draft.put('users', createUser('e2', 'erna'))
  })

  await registryOf(1).change(async (draft) => {
    await draft.put('users', createUser('e1', 'erna'))
    await draft.put('users', createUser('e2', 'emil'))
  })

  expect((await registryOf(0).findUserByName('emil'))?.id).toBe('e2')
  expect((await registryOf(0).findUserByName('erna'))?.id).toBe('e1')
})

test('text that the database takes in no column is a name that nobody has', async () => {
  const odd = ['\0', 'a\0b', '\ud800', "'; drop table users; --", 'x'.repeat(100_000)]

  for (const name of odd) {
    expect(await registryOf(0).findUserByName(name)).toBeUndefined()
    expect(await registryOf(0).findApp(name)).toBeUndefined()
    expect(await registryOf(0).findUser(name)).toBeUndefined()
    expect(await registryOf(0).findSessionByAccessHash(name)).toBeUndefined()
  }
  await registryOf(0).change((draft) => draft.put('users', createUser('odd', 'a\0b')))
  expect((await registryOf(1).findUserByName('a\0b'))?.id).toBe('odd')
})

test('a change of many at the same time in several processes runs three times at most', async () => {
  const change = async (number: number): Promise<number> => {
    let runs = 0
    await registryOf(number % processes.length).change(async (draft) => {
      runs += 1
      await draft.listSessions(`crowd ${number}`)
      await draft.put('sessions', createSession(`crowd ${number}`, `crowd ${number}`, `crowd ${number}`))
    })
    return runs
  }

  const runs = await Promise.all(Array.from({ length: 150 }, (_, number) => change(number)))

  expect(Math.max(...runs)).toBeLessThanOrEqual(3)
  for (let number = 0; number < runs.length; number += 1)
    expect(await registryOf(number % 2).findSessionByAccessHash(`access crowd ${number}`)).toBeDefined()
})

/** The registries of two processes, whose changes go on when the work of both is done; and how often a work ran. */
const pairUp = () => {
  let runs = 0
  let open = (): void => undefined
  const bothAreDone = new Promise<void>((resolve) => {
    open = resolve
  })
  const meet = (registry: Registry): Registry => ({
    ...registry,
    change: (work) =>
      registry.change(async (draft) => {
        const result = await work(draft)
        runs += 1
        if (runs === 2) open()
        await bothAreDone
        return result
      }),
  })
  return { first: meet(registryOf(0)), second: meet(registryOf(1)), countRuns: () => runs }
}

test('two users who sign in at once in two processes do not conflict where many are signed in', async () => {
  const origin = { address: '192.0.2.1' }
  const enter = (registry: Registry, userId: string) =>
    registry.change((draft) => openBrowserSession(draft, userId, { origin }, systemEnvironment))
  await registryOf(0).change(async (draft) => {
    for (let number = 1000; number < 2000; number += 1) {
      const userId = `user ${number}`
      const lastUsedAt = Math.floor(systemEnvironment.now() / 1000)
      await draft.put('browserSessions', { hash: `of ${number}`, userId, createdAt: lastUsedAt, lastUsedAt, origin })
    }
  })
  const { first, second, countRuns } = pairUp()

  await Promise.all([enter(first, 'user 1000'), enter(second, 'user 1999')])

  expect(countRuns()).toBe(2)
  expect(await registryOf(2).listBrowserSessions('user 1000')).toHaveLength(2)
  expect(await registryOf(2).listBrowserSessions('user 1999')).toHaveLength(2)
})

test('two users who allow an app at once in two processes do not conflict, however few there are', async () => {
  const issue = (registry: Registry, userId: string) =>
    issueCode(
      { registry } as Store,
      { clientId: 'app', userId, redirectUri: 'https://app.example/', isRedirectNamed: true },
      systemEnvironment,
    )
  const { first, second, countRuns } = pairUp()

  await Promise.all([issue(first, 'gerda'), issue(second, 'gustav')])

  expect(countRuns()).toBe(2)
  expect(await registryOf(2).listCodes('gerda')).toHaveLength(1)
  expect(await registryOf(2).listCodes('gustav')).toHaveLength(1)
})

test('what has ended is looked for once a minute', async () => {
  const { registry, close } = openProcess()
  const put = (hash: string) =>
    registry.change((draft) =>
      draft.put('links', { hash, kind: 'set-password', createdAt: 1, expiresAt: 100, userId: 'hugo' }),
    )
  const forgetAt = (expiredBy: number) => registry.forgetEnded({ expiredBy, unusedSince: 0 })
  const left = async () => (await registry.listLinks('hugo')).map(({ hash }) => hash)

  await put('first')
  await forgetAt(100)
  expect(await left()).toEqual([])
  await put('second')
  await forgetAt(159)
  expect(await left()).toEqual(['second'])
  await forgetAt(160)
  expect(await left()).toEqual([])
  await close()
})
