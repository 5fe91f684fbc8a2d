import { expect, onTestFinished, test } from 'vitest'
import { addApp } from '../../../src/accounts/apps.ts'
import { noQuotas } from '../../../src/accounts/quotas.ts'
import { addUser } from '../../../src/accounts/users.ts'
import { enqueueDeliveries } from '../../../src/delivery/dispatcher.ts'
import { putWebhook } from '../../../src/delivery/webhooks.ts'
import { type Environment, systemEnvironment } from '../../../src/environment.ts'
import { runDeliveryCommand } from '../../../src/runtime/account-commands.ts'
import { createImportJob, openImport } from '../../../src/runtime/piecewise-jobs.ts'
import { openMemoryStore } from '../../../src/store/memory-store.ts'
import type { Thing } from '../../../src/store/model.ts'
import type { Draft, Store } from '../../../src/store/store.ts'
import type { ItemToImport } from '../../../src/things/import-things.ts'
import { thingForm } from '../../../src/things/thing.ts'
import { createDoubledWrites, ImpureWrite } from '../../support/write-twice.ts'

const open = async (): Promise<{ store: Store; environment: Environment }> => {
  const { environment, writeTwice } = createDoubledWrites(systemEnvironment)
  const store = writeTwice(await openMemoryStore({ form: thingForm }))
  onTestFinished(store.close)
  return { store, environment }
}

const createThing = (id: string, title = ''): Thing => ({
  ...{ id, title, tags: '', date: 1, archived: false, todoStatus: false },
})

let runs = 0
const count = (): number => {
  runs += 1
  return runs
}
const waiting = ['a', 'b', 'c', 'd']

test.each<readonly [what: string, work: (draft: Draft) => Promise<unknown>]>([
  ['counts outside, and keeps the count', (draft) => draft.putThing(createThing('a', `run ${count()}`))],
  ['counts outside, and gives the count', async () => count()],
  ['takes from what it was given', (draft) => draft.putThing(createThing(String(waiting.shift())))],
  ['asks the clock itself', (draft) => draft.putOutboxEntry('hook', Date.now())],
  ['asks another environment', (draft) => draft.putOutboxEntry('hook', systemEnvironment.now())],
  ['asks chance itself', (draft) => draft.putRecord('kind', '', 'key', Math.random())],
  [
    'does nothing the second time',
    async (draft) => {
      if (count() % 2 === 0) await draft.deleteRecords('kind', '')
    },
  ],
  [
    'throws the second time only',
    async () => {
      throw new Error(`run ${count()}`)
    },
  ],
])('a work that %s is found out, and nothing of it is kept', async (_what, work) => {
  const { store } = await open()

  await expect(store.write('anna', 'phone', work)).rejects.toThrow(ImpureWrite)
  expect((await store.read('anna')).position).toBe(0)
})

test('a work may use the time and chance of its environment, fail, and be one of several at once', async () => {
  const { store, environment } = await open()

  const created = await Promise.all(
    Array.from({ length: 20 }, () =>
      store.write('anna', 'phone', async (draft) => {
        const thing = createThing(
          environment.newId(),
          `${draft.position()} ${environment.newSecret()} ${environment.now()}`,
        )
        await draft.putThing(thing)
        return thing
      }),
    ),
  )
  const failed = store.write('anna', 'phone', async () => {
    throw new Error('no')
  })

  await expect(failed).rejects.toThrow('no')
  expect(new Set(created.map(({ id }) => id)).size).toBe(20)
  expect(created.map(({ title }) => Number(title.split(' ')[0]))).toEqual(
    Array.from({ length: 20 }, (_, index) => index),
  )
})

test('what commands write is done alike each time: imports, and what steers deliveries', async () => {
  const { store, environment } = await open()
  const { id: userId } = await addUser(store, { name: 'anna', password: 'correct horse' }, environment)
  const importContext = { store: enqueueDeliveries(store, environment), environment, quotas: noQuotas }
  const begin = (allowsDuplicates: boolean) =>
    openImport(importContext, {
      name: 'import begin',
      ...{ user: 'anna', isDry: false, allowsDuplicates, file: 'file', tag: 'new' },
    })
  const items: readonly ItemToImport[] = [
    { kind: 'tag', name: 'todo', settings: { favorite: false, color: false, todo: 'strike' } },
    { kind: 'thing', thing: { title: 'A', url: 'https://a.example/', tags: 'todo', archived: false } },
    { kind: 'thing', thing: { title: 'A again', url: 'https://a.example/', tags: '', archived: false } },
    { kind: 'thing', thing: { title: 'B', html: 'a note', tags: '', archived: true, todoStatus: true } },
  ]
  const text = items.map((item) => `${JSON.stringify(item)}\n`).join('')
  const { clientId } = await addApp(store, 'app', environment)
  const key = { targetUrl: 'https://hook.example/', event: 'any', clientId } as const
  const webhook = { ...key, id: 'hook', secret: 'secret', registeredAt: 1, told: 0 }
  await store.write(userId, 'phone', (draft) => putWebhook(draft, webhook))

  const outcomes = []
  for (const allowsDuplicates of [false, true]) {
    const begun = await begin(allowsDuplicates)
    const job = createImportJob(begun)
    // Cut in the middle of a line: what is left of it waits for the next piece.
    outcomes.push(await job.next(text.slice(0, 200)))
    outcomes.push(await job.next(text.slice(200)))
    outcomes.push(await begun.addItems(items))
    outcomes.push(await job.end())
  }
  const context = { store, environment, baseUrl: 'http://127.0.0.1/', quotas: noQuotas }
  const steered = []
  for (const name of ['delivery pause', 'delivery retry', 'delivery resume', 'delivery retry'] as const)
    steered.push(await runDeliveryCommand(context, { name, user: 'anna' }))

  expect([outcomes[3], outcomes[7]]).toEqual([[], []])
  expect(await (await store.read(userId)).countThings()).toBeGreaterThan(1)
  expect(steered.map(([row]) => row?.to)).toEqual(Array(4).fill(webhook.targetUrl))
})
