/*
 * Rules of the profile `replica` about edits: what was typed offline reaches the account, once and completely. Start
 * reading at `offlineRules`.
 */
import { isObject, type JsonObject, listOf, parseJson, showValue } from '../../encoding.ts'
import { ApiError } from '../../model/state.ts'
import { emptyFields } from '../../model/thing-fields.ts'
import { arrivalOf, expectEqual, expectThat, lastExchange, type ReplicaDevice } from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import { expectConverged } from '../converge.ts'
import type { ScriptedServer } from '../scripted-server.ts'
import { holdUntil, isUpload, valuesOf, type WireRequest } from '../wire.ts'
import { awkwardTexts } from './api-requests.ts'

const isSync = ({ path }: WireRequest): boolean => path === 'sync'

/** Expects exactly these titles in the account. */
export function expectTitles(server: ScriptedServer, titles: readonly string[], because: string): void {
  const came = server.things().map((thing) => String(thing.title))
  expectEqual(
    [...came].sort(),
    [...titles].sort(),
    `the titles in the account, because ${because}`,
    lastExchange(server.wire.exchanges, isUpload),
  )
}

/** Returns the objects of one upload parameter, from every form that it can have. */
function uploaded(request: WireRequest, kind: string): readonly JsonObject[] {
  const texts = [...valuesOf(request, kind), ...valuesOf(request, `${kind}[]`)]
  return texts.flatMap((text) => [parseJson(text) ?? null].flat()).filter(isObject)
}

/** Expects another `local_id` for each new thing of a request. */
function expectOwnLocalIds(server: ScriptedServer): void {
  for (const exchange of server.wire.exchanges.filter(({ request }) => isUpload(request))) {
    const ids = uploaded(exchange.request, 'new_thing').map(({ local_id }) => String(local_id))
    expectThat(
      new Set(ids).size === ids.length,
      'another local_id for each new thing of a request',
      `${showValue(ids)} came`,
      exchange,
    )
  }
}

/** Rules about edits that were typed offline. */
export const offlineRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-OFFLINE-01',
    title: 'MUST upload what was created offline, with every field',
    section: '2.1',
    requirements: ['D-2.1-1', 'D-4.3-9'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      await other.setTag('todo', { todo: true })
      const phone = await lab.replica(server)
      await phone.sync()
      const fields = {
        title: 'Offline',
        tags: 'todo b',
        date: 1_700_000_000,
        url: 'https://example.org/?a=1&b',
        html: '<p>ä</p>',
        archived: true,
        todoStatus: true,
      }
      await phone.create(fields)
      const before = await phone.state()
      expectThat(before.pending > 0, 'a pending edit before the sync', 'state says that none waits')
      const shown = await phone.find('Offline')
      expectThat(typeof shown._id !== 'string', 'no _id before the upload', `read shows ${showValue(shown._id)}`)
      await phone.sync()
      const { _id, ...stored } = server.titled('Offline')[0] ?? {}
      expectEqual(
        stored,
        fields,
        'the thing in the account with every field',
        lastExchange(server.wire.exchanges, isUpload),
      )
      await expectConverged(server, phone, 'it uploaded its only edit')
    },
  },
  {
    id: 'CLIENT-OFFLINE-02',
    title: 'MUST upload texts character for character',
    section: '2.1',
    requirements: ['D-2.1-1', 'D-2.1-6'],
    check: async (lab) => {
      const server = await lab.openServer()
      const phone = await lab.replica(server)
      for (const [index, text] of awkwardTexts.entries()) await phone.create({ title: text, html: `${text}${index}` })
      await phone.sync()
      expectTitles(server, awkwardTexts, 'phone created them')
      await expectConverged(server, phone, 'it uploaded them')
      const laptop = await lab.replica(server, 'laptop')
      await laptop.sync()
      await expectConverged(server, laptop, 'it downloaded them')
    },
  },
  {
    id: 'CLIENT-OFFLINE-03',
    title: 'MUST create one thing for a creation that was changed before its upload',
    requirements: ['D-4.3-16', 'D-4.3-9'],
    check: async (lab) => {
      const server = await lab.openServer()
      const phone = await lab.replica(server)
      const ref = await phone.create({ title: 'first', tags: 'a', url: 'https://example.org/' })
      await phone.change(ref, { title: 'second' })
      await phone.change(ref, { html: 'text' })
      await phone.sync()
      await phone.syncUntilDone('the server works')
      expectTitles(server, ['second'], 'phone created one thing, and changed it before the sync')
      await expectConverged(server, phone, 'it uploaded its edits')
    },
  },
  {
    id: 'CLIENT-OFFLINE-04',
    title: 'MUST create nothing for a creation that was deleted before its upload',
    requirements: ['D-4.3-9'],
    check: async (lab) => {
      const server = await lab.openServer()
      const phone = await lab.replica(server)
      await phone.remove(await phone.create({ title: 'gone' }))
      await phone.create({ title: 'stays' })
      await phone.sync()
      await phone.syncUntilDone('the server works')
      expectTitles(server, ['stays'], 'phone deleted the other thing before the sync')
      await expectConverged(server, phone, 'it uploaded its edits')
    },
  },
  {
    id: 'CLIENT-OFFLINE-05',
    title: 'MUST use the `_id` of a thing after its creation',
    requirements: ['D-4.3-4'],
    check: async (lab) => {
      const server = await lab.openServer()
      const phone = await lab.replica(server)
      const ref = await phone.create({ title: 'new' })
      await phone.sync()
      await phone.change(ref, { title: 'changed' })
      await phone.sync()
      expectTitles(server, ['changed'], 'phone created one thing, and changed it after the sync')
      await phone.remove(ref)
      await phone.sync()
      expectTitles(server, [], 'phone deleted it')
      await expectConverged(server, phone, 'it uploaded its edits')
    },
  },
  {
    id: 'CLIENT-OFFLINE-06',
    title: 'MUST give each new thing its own `_id` when several are uploaded at once',
    requirements: ['D-2.1-4', 'D-4.3-4'],
    check: async (lab) => {
      const server = await lab.openServer()
      const phone = await lab.replica(server)
      const refs: string[] = []
      for (let number = 0; number < 12; number += 1) refs.push(await phone.create({ title: `new ${number}` }))
      await phone.sync()
      expectOwnLocalIds(server)
      for (const [number, ref] of refs.entries())
        await phone.change(ref, { title: `changed ${number}`, html: `new ${number}` })
      await phone.sync()
      expectTitles(
        server,
        refs.map((_, number) => `changed ${number}`),
        'phone changed each of its 12 things',
      )
      await expectConverged(server, phone, 'it uploaded its edits')
    },
  },
  {
    id: 'CLIENT-OFFLINE-07',
    title: 'MUST keep `local_id`s apart that it gives before and after a restart',
    requirements: ['D-2.1-4', 'D-4.3-9'],
    check: async (lab) => {
      const server = await lab.openServer()
      const phone = await lab.replica(server)
      await phone.create({ title: 'before' })
      await phone.restart()
      await phone.create({ title: 'after' })
      await phone.sync()
      expectOwnLocalIds(server)
      expectTitles(server, ['before', 'after'], 'phone created one thing before a restart, and one after it')
      await expectConverged(server, phone, 'it uploaded its edits')
    },
  },
  {
    id: 'CLIENT-OFFLINE-08',
    title: 'MUST NOT lose the other fields of a thing when it changes one of them',
    section: '2.1',
    requirements: ['D-2.1-3'],
    check: async (lab) => {
      // This server clears the fields that a changed thing leaves out: it may.
      const server = await lab.openServer({
        behavior: { changedFields: (old, change) => ({ ...emptyFields, title: old.title, date: old.date, ...change }) },
      })
      const other = await server.device()
      const fields = { tags: 'a b', date: 1_700_000_000, url: 'https://example.org/', html: '<p>x</p>', archived: true }
      await other.create({ title: 'theirs', ...fields })
      const phone = await lab.replica(server)
      await phone.create({ title: 'mine', ...fields })
      await phone.sync()
      for (const title of ['mine', 'theirs'])
        await phone.change(await phone.refOf(title), { title: `${title} changed` })
      await phone.sync()
      for (const title of ['mine changed', 'theirs changed']) {
        const { _id, ...stored } = server.titled(title)[0] ?? {}
        expectEqual(
          stored,
          { title, ...fields },
          'the changed thing with its other fields',
          lastExchange(server.wire.exchanges, isUpload),
        )
      }
      await phone.change(await phone.refOf('mine changed'), { archived: false })
      await phone.sync()
      expectEqual(server.titled('mine changed')[0]?.archived, undefined, 'a thing that is not archived any more')
      await expectConverged(server, phone, 'it uploaded its edits')
    },
  },
  {
    id: 'CLIENT-OFFLINE-09',
    title: 'MUST remove a url or html that the user removed',
    section: '2.1',
    requirements: ['D-2.1-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const phone = await lab.replica(server)
      const ref = await phone.create({ title: 'bare', url: 'https://example.org/', html: 'x' })
      await phone.sync()
      await phone.change(ref, { url: '', html: '' })
      await phone.sync()
      const { url, html } = server.titled('bare')[0] ?? {}
      expectEqual({ url, html }, {}, 'a thing without url and html', lastExchange(server.wire.exchanges, isUpload))
      await expectConverged(server, phone, 'it uploaded its edit')
    },
  },
  {
    id: 'CLIENT-OFFLINE-10',
    title: 'MUST upload 300 things that were created offline',
    requirements: ['D-4.3-9'],
    check: async (lab) => {
      const server = await lab.openServer()
      const phone = await lab.replica(server)
      const titles = Array.from({ length: 300 }, (_, number) => `many ${number}`)
      for (const title of titles) await phone.create({ title, html: 'x'.repeat(200) })
      await phone.syncUntilDone('the server takes all of them')
      expectTitles(server, titles, 'phone created them')
      await expectConverged(server, phone, 'it uploaded them')
    },
  },
  {
    id: 'CLIENT-OFFLINE-11',
    title: 'MUST keep two things apart that look the same',
    requirements: ['D-4.3-5', 'D-4.3-8', 'D-2.1-4'],
    check: async (lab) => {
      const server = await lab.openServer()
      const twin = { title: 'twin', date: 1_700_000_000, url: 'https://example.org/' }
      const other = await server.device()
      await other.create(twin)
      const phone = await lab.replica(server)
      await phone.create(twin)
      await phone.create(twin)
      await phone.sync()
      await phone.sync()
      expectOwnLocalIds(server)
      expectTitles(server, ['twin', 'twin', 'twin'], 'phone created two, and another device one')
      await expectConverged(server, phone, 'it uploaded and downloaded them')
    },
  },
  {
    id: 'CLIENT-OFFLINE-12',
    title: 'SHOULD ask only for changes since its position, and upload nothing twice',
    requirements: ['D-4.3-13'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      await other.create({ title: 'theirs' })
      const phone = await lab.replica(server)
      await phone.create({ title: 'mine' })
      await phone.sync()
      await phone.sync()
      const before = server.wire.exchanges.length
      await phone.sync()
      for (const exchange of server.wire.exchanges.slice(before)) {
        const [from = '0'] = valuesOf(exchange.request, 'from')
        expectThat(
          Number(from) > 0,
          'a from in a sync after the first one',
          'the client asked for everything again',
          exchange,
        )
        expectThat(!isUpload(exchange.request), 'no upload, because nothing was typed', 'an upload came', exchange)
      }
    },
  },
  {
    id: 'CLIENT-OFFLINE-13',
    title: 'MUST upload tag settings that were changed offline',
    section: '2.2',
    features: ['set-tag'],
    requirements: ['D-2.2-2', 'D-2.2-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const phone = await lab.replica(server)
      const settings = { favorite: true, color: '#a1b2c3', todo: 'strike' }
      for (const name of ['plain', 'a]b', '__proto__', 'ä&b']) await phone.setTag(name, settings)
      await phone.restart()
      await phone.sync()
      for (const name of ['plain', 'a]b', '__proto__', 'ä&b'])
        expectEqual(
          server.account().tags.get(name)?.settings,
          settings,
          `the settings of the tag ${showValue(name)} in the account`,
          lastExchange(server.wire.exchanges, isUpload),
        )
      await expectConverged(server, phone, 'it uploaded its settings')
    },
  },
  {
    id: 'CLIENT-OFFLINE-14',
    title: 'MUST upload an edit that was typed while a sync was running',
    features: ['concurrent'],
    requirements: ['D-4.3-16'],
    check: async (lab) => {
      for (const field of ['title', 'html'] as const) {
        const server = await lab.openServer()
        const phone = await lab.replica(server)
        const ref = await phone.create({ title: 'first', html: 'first', date: 1_700_000_000 })
        let release = (): void => {}
        const released = new Promise<void>((resolve) => {
          release = resolve
        })
        server.wire.once('upload', async (step) => {
          const response = await step.forward()
          await released
          await step.send(response)
        })
        const { outcome, arrived } = arrivalOf(server, 'upload', () => phone.trySync(), 'an upload')
        await arrived
        await phone.change(ref, { [field]: 'typed meanwhile' })
        await phone.create({ title: 'created meanwhile' })
        release()
        await outcome
        await phone.syncUntilDone('the server works')
        await phone.syncUntilDone('the server works')
        const found = server.things().map((thing) => String(thing[field] ?? ''))
        expectThat(
          found.includes('typed meanwhile'),
          `the ${field} "typed meanwhile" in the account`,
          `${showValue(found)} came`,
          lastExchange(server.wire.exchanges, isUpload),
        )
        expectThat(
          server.things().length === 2,
          'two things in the account',
          `${server.things().length} came`,
          lastExchange(server.wire.exchanges, isUpload),
        )
        await expectConverged(server, phone, 'it uploaded every edit')
        await lab.reset()
      }
    },
  },
])

/** Rejects a thing with this title, as a server with limits does. */
const rejecting = (title: string) => ({
  keepText: (text: string, field: string): string => {
    if (field === 'title' && text === title)
      throw new ApiError('text-invalid', 'this server does not take such a title')
    return text
  },
})

async function isStillKnown(phone: ReplicaDevice, title: string): Promise<boolean> {
  const [{ things }, { lost }] = [await phone.read(), await phone.state()]
  return lost.includes(title) || things.some((thing) => thing.title === title)
}

async function syncSeveralTimes(phone: ReplicaDevice, times: number): Promise<void> {
  // The server rejects an edit: each try may return that error.
  for (let count = 0; count < times; count += 1) await phone.trySync()
}

/** Rules about edits that the server does not take. */
export const rejectedEditRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-REJECTED-01',
    title: 'MUST NOT let an edit disappear that the server rejects',
    requirements: ['D-4.3-10'],
    check: async (lab) => {
      const server = await lab.openServer({ behavior: rejecting('bad') })
      const phone = await lab.replica(server)
      await phone.create({ title: 'bad' })
      const { error } = await phone.trySync()
      const state = await phone.state()
      const isReported = error !== undefined || state.lost.includes('bad') || state.error !== undefined
      expectThat(isReported, 'an error of sync, or "bad" in lost', 'sync succeeded, and state reports nothing')
      await syncSeveralTimes(phone, 2)
      expectThat(await isStillKnown(phone, 'bad'), 'the thing "bad" in read, or in lost of state', 'it is in neither')
      const { things } = await phone.read()
      const shown = things.find((thing) => thing.title === 'bad')
      expectThat(typeof shown?._id !== 'string', 'no _id of a thing that was not uploaded', `${showValue(shown)} came`)
    },
  },
  {
    id: 'CLIENT-REJECTED-02',
    title: 'MUST NOT let a change disappear that the server rejects',
    requirements: ['D-4.3-10'],
    check: async (lab) => {
      const server = await lab.openServer({ behavior: rejecting('bad') })
      const phone = await lab.replica(server)
      const ref = await phone.create({ title: 'good' })
      await phone.sync()
      await phone.change(ref, { title: 'bad' })
      await syncSeveralTimes(phone, 3)
      expectThat(await isStillKnown(phone, 'bad'), 'the title "bad" in read, or in lost of state', 'it is in neither')
      expectTitles(server, ['good'], 'the server rejected the change')
    },
  },
  {
    id: 'CLIENT-REJECTED-03',
    title: 'SHOULD upload other edits although one is rejected',
    requirements: ['D-4.3-14'],
    check: async (lab) => {
      const server = await lab.openServer({ behavior: rejecting('bad') })
      const phone = await lab.replica(server)
      for (const title of ['good 1', 'bad', 'good 2']) await phone.create({ title })
      await syncSeveralTimes(phone, 5)
      expectTitles(server, ['good 1', 'good 2'], 'the server rejects only the third one')
    },
  },
  {
    id: 'CLIENT-REJECTED-04',
    title: 'MUST upload in parts when the server takes fewer things at once',
    section: '8',
    requirements: ['D-8-4'],
    check: async (lab) => {
      const server = await lab.openServer({
        behavior: {
          applied: (upload) => {
            const count = upload.created.length + upload.changed.length + upload.deleted.length
            if (count > 20) throw new ApiError('things-many', 'more than 20 things')
            return upload
          },
        },
      })
      const phone = await lab.replica(server)
      const titles = Array.from({ length: 50 }, (_, number) => `part ${number}`)
      for (const title of titles) await phone.create({ title })
      await syncSeveralTimes(phone, 8)
      expectTitles(server, titles, 'the server takes 20 at once')
    },
  },
  {
    id: 'CLIENT-REJECTED-05',
    title: 'SHOULD keep downloading although an edit is rejected',
    requirements: ['D-4.3-14'],
    check: async (lab) => {
      const server = await lab.openServer({ behavior: rejecting('bad') })
      const other = await server.device()
      const phone = await lab.replica(server)
      await phone.sync()
      await phone.create({ title: 'bad' })
      await other.create({ title: 'theirs' })
      await syncSeveralTimes(phone, 4)
      const { things } = await phone.read()
      expectThat(
        things.some(({ title }) => title === 'theirs'),
        '"theirs" in phone after four tries',
        `read lists ${showValue(things.map(({ title }) => title))}`,
      )
    },
  },
])

/** Rules about a server that accepts an upload late or asks to wait. */
export const heldUploadRules = clientRulesOf('replica', '8', [
  {
    id: 'CLIENT-HELD-01',
    title: 'MUST upload once when 429 or 503 came first',
    requirements: ['D-8-2'],
    check: async (lab) => {
      for (const [status, headers] of [
        [429, { 'retry-after': '0' }],
        [503, { 'retry-after': '0' }],
        [503, {}],
      ] as const) {
        const server = await lab.openServer()
        const phone = await lab.replica(server)
        await phone.sync()
        await phone.create({ title: 'later' })
        const body = Buffer.from(JSON.stringify({ error: 'temporarily_unavailable', error_description: 'later' }))
        const reject = { status, headers: { 'content-type': 'application/json', ...headers }, body }
        server.wire.once('upload', async (step) => step.send(reject))
        await phone.trySync()
        await phone.syncUntilDone('the server takes it now')
        await phone.syncUntilDone('the server takes it now')
        expectTitles(server, ['later'], `the first response was ${status}`)
        await expectConverged(server, phone, 'the server took the upload')
        const { lost } = await phone.state()
        expectThat(listOf([...lost]).length === 0, 'nothing in lost', `${showValue(lost)} came`)
        await lab.reset()
      }
    },
  },
  {
    id: 'CLIENT-HELD-02',
    title: 'MUST upload once when the response comes after three seconds',
    section: '4.3',
    requirements: ['D-4.3-8', 'D-1-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const phone = await lab.replica(server)
      await phone.create({ title: 'slow' })
      server.wire.once('upload', holdUntil(new Promise((resolve) => void setTimeout(resolve, 3000))))
      await phone.syncUntilDone('the response came late')
      expectTitles(server, ['slow'], 'phone created one thing')
      await expectConverged(server, phone, 'its upload succeeded')
      expectThat(server.wire.requests(isSync).length > 0, 'a sync', 'none came')
    },
  },
])
