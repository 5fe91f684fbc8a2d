/*
 * Rules of the profile `replica` about what a listing means: the replica holds what the account holds. Start reading at
 * `listingRules`.
 */
import { showValue } from '../../encoding.ts'
import { type Behavior, rightServer } from '../../model/behavior.ts'
import { type Account, ApiError } from '../../model/state.ts'
import { addThing } from '../../model/sync.ts'
import { openSession } from '../../model/token-endpoint.ts'
import { arrivalOf, type ClientLab, expectEqual, expectThat, lastExchange } from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import { expectConverged } from '../converge.ts'
import type { ScriptedServer, ServerOptions } from '../scripted-server.ts'
import { lastWithNews } from '../story.ts'
import { cutBody, editJson, isUpload, loseResponse, rejectToken, valuesOf, type WireRequest } from '../wire.ts'
import { awkwardTexts } from './api-requests.ts'
import { expectTitles } from './replica-edits.ts'

const isSync = ({ path }: WireRequest): boolean => path === 'sync'

/** Rules about things and deletions in listings. */
export const listingRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-LISTING-01',
    title: 'MUST create things with an unknown `_id`, and update things with a known one',
    requirements: ['D-4.3-5', 'D-2.1-6'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const fields = { tags: 'a b', date: 1_700_000_000, url: 'https://example.org/', html: '<p>x</p>', archived: true }
      const id = await other.create({ title: 'one', ...fields })
      const phone = await lab.replica(server)
      await phone.sync()
      await expectConverged(server, phone, 'another device created a thing')
      await other.change(id, { title: 'changed', ...fields, html: 'new' })
      await other.create({ title: 'two', date: -5 })
      await phone.sync()
      await expectConverged(server, phone, 'another device changed one thing, and created one')
    },
  },
  {
    id: 'CLIENT-LISTING-02',
    title: 'MUST remove the fields that a listed thing does not have any more',
    section: '2.1',
    requirements: ['D-2.1-5'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      await other.setTag('todo', { todo: true })
      const id = await other.create({
        title: 'full',
        tags: 'todo',
        url: 'https://example.org/',
        html: 'x',
        archived: true,
        todoStatus: true,
      })
      const phone = await lab.replica(server)
      await phone.sync()
      expectEqual((await phone.find('full')).todoStatus, true, 'todoStatus of a todo')
      await other.change(id, { title: 'full', tags: '', url: '', html: '', archived: false, date: 7 })
      await phone.sync()
      const { url, html, archived, todoStatus } = await phone.find('full')
      const shown = { url: url ?? '', html: html ?? '', archived: archived ?? false, todoStatus: todoStatus ?? null }
      expectEqual(
        shown,
        { url: '', html: '', archived: false, todoStatus: null },
        'a thing without the fields that another device removed',
      )
      await expectConverged(server, phone, 'another device removed fields')
    },
  },
  {
    id: 'CLIENT-LISTING-03',
    title: 'MUST remove a deleted thing, and MUST NOT mind a deletion that comes again',
    requirements: ['D-4.3-6'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const ids = [await other.create({ title: 'stays' }), await other.create({ title: 'goes' })]
      const phone = await lab.replica(server)
      await phone.sync()
      await other.remove(ids[1] ?? '')
      await phone.sync()
      await expectConverged(server, phone, 'another device deleted a thing')
      server.wire.once(
        'sync',
        editJson((body) => ({ ...body, thingCount: 3, things: { deleted: [ids[1], 'unknown', ids[1]] } })),
      )
      await phone.sync('a deletion came again, and one of a thing that it never had')
      await expectConverged(server, phone, 'deletions came again')
      const { lost } = await phone.state()
      expectThat(lost.length === 0, 'nothing in lost, because nothing was typed', `${showValue(lost)} came`)
    },
  },
  {
    id: 'CLIENT-LISTING-04',
    title: 'MUST hold each thing once when the server lists its own uploads',
    requirements: ['D-4.3-12', 'D-4.3-4'],
    check: async (lab) => {
      const none = new Set<never>()
      const server = await lab.openServer({
        behavior: {
          listsThing: (thing, of) => rightServer.listsThing(thing, { ...of, own: none }),
          listsDeleted: (thing, of) => rightServer.listsDeleted(thing, { ...of, own: none }),
          since: (from, _session, account) => Math.min(from, Math.max(0, account.position - 4)),
        },
      })
      const phone = await lab.replica(server)
      const ref = await phone.create({ title: 'mine' })
      await phone.create({ title: 'another' })
      await phone.sync()
      await phone.sync()
      await expectConverged(server, phone, 'the server listed its own uploads')
      await phone.change(ref, { title: 'mine, changed' })
      await phone.sync()
      await phone.remove(await phone.refOf('another'))
      await phone.sync()
      expectTitles(server, ['mine, changed'], 'phone deleted the other one')
      await expectConverged(server, phone, 'the server listed its own uploads')
    },
  },
  {
    id: 'CLIENT-LISTING-05',
    title: 'MUST replace the settings of a tag by those that are listed',
    section: '2.2',
    requirements: ['D-2.2-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const phone = await lab.replica(server)
      for (const name of ['home', '__proto__', 'a]b', 'ä'])
        await other.setTag(name, { favorite: true, color: '#ffcc00', todo: true })
      await phone.sync()
      await expectConverged(server, phone, 'another device set tags')
      await other.setTag('home', { favorite: false, color: false, todo: false })
      await other.setTag('ä', { color: '#000000' })
      await phone.sync()
      await expectConverged(server, phone, 'another device changed the settings')
    },
  },
  {
    id: 'CLIENT-LISTING-06',
    title: 'MUST show the state that comes with its own upload',
    requirements: ['D-4.3-12'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const id = await other.create({ title: 'shared', tags: 'a', url: 'https://example.org/1' })
      const phone = await lab.replica(server)
      await phone.sync()
      await other.change(id, { title: 'shared', tags: 'b', url: 'https://example.org/2', html: 'theirs' })
      await phone.change(await phone.refOf('shared'), { title: 'mine' })
      await phone.sync()
      await phone.sync()
      await expectConverged(server, phone, 'both devices changed the thing')
    },
  },
  {
    id: 'CLIENT-LISTING-07',
    title: 'MUST take todoStatus as it is listed, when it appears and when it vanishes',
    section: '2.1',
    requirements: ['D-2.1-5'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const id = await other.create({ title: 'task', tags: 'work' })
      const phone = await lab.replica(server)
      await phone.sync()
      await other.sync({
        tag: { work: { todo: true } },
        changed_thing: [{ _id: id, title: 'task', tags: 'work', todoStatus: true }],
      })
      await phone.sync()
      expectEqual((await phone.find('task')).todoStatus, true, 'todoStatus, which is listed')
      await other.sync({ changed_thing: [{ _id: id, title: 'task', tags: 'work', todoStatus: false }] })
      await phone.sync()
      expectEqual((await phone.find('task')).todoStatus, false, 'todoStatus false, which is listed')
      await phone.change(await phone.refOf('task'), { todoStatus: true })
      await phone.sync()
      expectEqual(server.titled('task')[0]?.todoStatus, true, 'todoStatus in the account, which phone set')
    },
  },
  {
    id: 'CLIENT-LISTING-08',
    title: 'MUST ignore unknown members, and hold any text and any `_id`',
    section: '9',
    requirements: ['D-9-1', 'D-2.1-6'],
    check: async (lab) => {
      const ids = ['z', 'x'.repeat(200), '007', '1e5', '0', 'true', 'constructor', '123456789012345678']
      let created = 0
      const server = await lab.openServer({
        behavior: {
          newId: () => {
            created += 1
            return ids[created - 1]
          },
          thing: (thing, isTodo) => ({
            ...(rightServer.thing(thing, isTodo) as object),
            modified: 1,
            owner: { name: 'x' },
          }),
          tag: (settings) => ({ ...settings, count: 3 }),
          syncResponse: (response) => ({ server: 'x', ...response, hints: [], nothing: null }),
          tokenResponse: (response) => ({ ...response, user_id: 7 }),
        },
      })
      const other = await server.device()
      for (const [index, text] of awkwardTexts.slice(0, 4).entries())
        await other.create({ title: text, html: text, date: index })
      const phone = await lab.replica(server)
      await phone.sync()
      await expectConverged(server, phone, 'the server has more members')
      for (const text of awkwardTexts.slice(4, 8)) await phone.create({ title: text, html: text })
      await phone.sync()
      for (const text of awkwardTexts.slice(0, 8))
        await phone.change(await phone.refOf(text), { title: `${text}!`, tags: 'x' })
      await phone.sync()
      expectTitles(
        server,
        awkwardTexts.slice(0, 8).map((text) => `${text}!`),
        'phone changed each of them',
      )
      await phone.restart()
      await phone.sync()
      await expectConverged(server, phone, 'it was started again')
    },
  },
  {
    id: 'CLIENT-LISTING-09',
    title: 'MUST take over a big account and a big thing',
    section: '1',
    requirements: ['D-1-2'],
    check: async (lab) => {
      const server = await lab.openServer(filled(1500))
      const other = await server.device()
      await other.create({ title: 'big', html: 'ä😀\n"'.repeat(150_000) })
      const phone = await lab.replica(server)
      await phone.sync()
      await expectConverged(server, phone, 'it downloaded everything')
    },
  },
])

/** Rules about what two devices did to the same thing. */
export const conflictRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-CONFLICT-01',
    title: 'MUST let a deletion win over its own change, and report the edit that is lost',
    requirements: ['D-4.3-7'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const id = await other.create({ title: 'theirs' })
      const phone = await lab.replica(server)
      await phone.sync()
      await phone.change(await phone.refOf('theirs'), { title: 'typed for nothing' })
      await other.remove(id)
      await phone.syncUntilDone('another device deleted the thing')
      await phone.syncUntilDone('another device deleted the thing')
      expectTitles(server, [], 'another device deleted the only thing')
      await expectConverged(server, phone, 'the thing is deleted')
      const { lost } = await phone.state()
      expectThat(
        lost.includes('typed for nothing'),
        '"typed for nothing" in lost of state',
        `lost is ${showValue(lost)}`,
        lastWithNews(server.wire.exchanges),
      )
      await phone.restart()
      const { lost: after } = await phone.state()
      expectThat(
        after.includes('typed for nothing') || after.length === 0,
        'the same report, or none, after a restart',
        `lost is ${showValue(after)}`,
      )
    },
  },
  {
    id: 'CLIENT-CONFLICT-02',
    title: 'MUST converge when two devices changed the same thing',
    requirements: ['D-4.3-12'],
    check: async (lab) => {
      const server = await lab.openServer()
      const [phone, laptop] = [await lab.replica(server), await lab.replica(server, 'laptop')]
      await phone.create({ title: 'shared', tags: 'a' })
      await phone.sync()
      await laptop.sync()
      await phone.change(await phone.refOf('shared'), { title: 'by phone' })
      await laptop.change(await laptop.refOf('shared'), { title: 'by laptop', html: 'by laptop' })
      for (const device of [phone, laptop, phone, laptop]) await device.syncUntilDone('both devices changed a thing')
      await expectConverged(server, phone, 'both devices synced')
      await expectConverged(server, laptop, 'both devices synced')
      expectThat(server.things().length === 1, 'one thing in the account', `${server.things().length} came`)
    },
  },
  {
    id: 'CLIENT-CONFLICT-03',
    title: 'MUST delete a thing that another device changed meanwhile',
    requirements: ['D-4.3-7', 'D-4.3-12'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const id = await other.create({ title: 'theirs' })
      const phone = await lab.replica(server)
      await phone.sync()
      await phone.remove(await phone.refOf('theirs'))
      await other.change(id, { title: 'changed meanwhile' })
      await phone.syncUntilDone('phone deleted the thing')
      await phone.syncUntilDone('phone deleted the thing')
      expectTitles(server, [], 'deletion wins')
      await expectConverged(server, phone, 'the thing is deleted')
    },
  },
  {
    id: 'CLIENT-CONFLICT-04',
    title: 'MUST go on when another device deleted the same thing, and upload its other edits',
    requirements: ['D-4.3-24', 'D-4.3-7', 'D-4.3-12'],
    check: async (lab) => {
      for (const rejects of [false, true]) {
        // A server may reject an unknown _id, or ignore it.
        const server = await lab.openServer({ behavior: rejects ? rejectingUnknown : {} })
        const other = await server.device()
        const ids = [await other.create({ title: 'one' }), await other.create({ title: 'two' })]
        const phone = await lab.replica(server)
        await phone.sync()
        await phone.remove(await phone.refOf('one'))
        await phone.change(await phone.refOf('two'), { title: 'two changed' })
        await phone.create({ title: 'new' })
        for (const id of ids) await other.remove(id)
        for (let count = 0; count < 4; count += 1) await phone.trySync()
        const how = rejects ? 'rejects' : 'accepts'
        await phone.syncUntilDone(`a server that ${how} an unknown _id`)
        expectTitles(server, ['new'], `the server ${how} an unknown _id`)
        await expectConverged(server, phone, `the server ${how} an unknown _id`)
        const { lost } = await phone.state()
        expectThat(lost.includes('two changed'), '"two changed" in lost of state', `lost is ${showValue(lost)}`)
        await lab.reset()
      }
    },
  },
])

/** Rejects an upload as a whole when it names an `_id` that the account does not have. */
export const rejectingUnknown: Partial<Behavior> = {
  applied: (upload, _session, account, state) => {
    const changed = upload.changed.map(({ id }) => rightServer.findToChange(account, id, state))
    const deleted = upload.deleted.map((id) => rightServer.findToDelete(account, id, state))
    if ([...changed, ...deleted].includes(undefined)) throw new ApiError('thing-unknown', 'there is no such thing')
    return upload
  },
}

/** Moves the position of an account, without a change. */
const moveTo = (server: ScriptedServer, position: number): void => {
  server.account().position = position
}

/** Rules about positions. */
export const positionRules = clientRulesOf('replica', '2.3', [
  {
    id: 'CLIENT-POSITION-01',
    title: 'MUST send every position back exactly: with gaps, beyond 2^31, and up to 2^53',
    requirements: ['D-2.3-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const phone = await lab.replica(server)
      for (const position of [5, 1005, 2_147_483_646, 4_294_967_296, 1_767_225_600_123, 9_007_199_254_740_980]) {
        moveTo(server, position - 1)
        await other.create({ title: `at ${position}` })
        await phone.sync()
        await phone.sync()
        const exchange = lastExchange(server.wire.exchanges, isSync)
        expectEqual(
          exchange && valuesOf(exchange.request, 'from')[0],
          String(position),
          'the last pos as from',
          exchange,
        )
        await expectConverged(server, phone, 'it followed its positions')
      }
    },
  },
  {
    id: 'CLIENT-POSITION-02',
    title: 'MUST take over a position that is smaller, as after the restore of a backup',
    requirements: ['D-2.3-1'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      moveTo(server, 5000)
      await other.create({ title: 'before' })
      const phone = await lab.replica(server)
      await phone.sync()
      moveTo(server, 100)
      await other.create({ title: 'restored' })
      // The server responds to a from beyond its position with everything.
      await phone.sync()
      await expectConverged(server, phone, 'the server sent everything')
      await other.create({ title: 'after' })
      await phone.sync()
      await expectConverged(server, phone, 'positions go on from the smaller one')
      await other.create({ title: 'far behind the old position' })
      moveTo(server, 6000)
      await other.create({ title: 'beyond the old position' })
      await phone.sync()
      await expectConverged(server, phone, 'the server passed the position from before the restore')
    },
  },
  {
    id: 'CLIENT-POSITION-03',
    title: 'MUST keep its position after a restart, and take it from the last response',
    requirements: ['D-2.3-2'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const phone = await lab.replica(server)
      await other.create({ title: 'one' })
      await phone.sync()
      await phone.restart()
      await other.create({ title: 'two' })
      await phone.sync()
      await expectConverged(server, phone, 'it was started again between two syncs')
    },
  },
  {
    id: 'CLIENT-POSITION-04',
    title: 'MUST NOT store a position whose listing did not arrive as a whole',
    requirements: ['D-2.3-2', 'D-7-3'],
    check: async (lab) => {
      for (const act of [cutBody(0.3), cutBody(0.7), cutBody(0.98), loseResponse]) {
        const server = await lab.openServer()
        const other = await server.device()
        const phone = await lab.replica(server)
        await phone.sync()
        for (let number = 0; number < 6; number += 1) await other.create({ title: `missed ${number}` })
        await other.setTag('missed', { favorite: true })
        server.wire.once('sync', act)
        await phone.trySync()
        await phone.restart()
        await phone.syncUntilDone('the connection works again')
        await expectConverged(server, phone, 'an earlier response broke')
        await lab.reset()
      }
    },
  },
  {
    id: 'CLIENT-POSITION-05',
    title: 'MUST NOT lose what a listing contained when it is killed after the response',
    requirements: ['D-2.3-2', 'D-4.3-9'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const phone = await lab.replica(server)
      await phone.sync()
      for (const delayMs of [0, 1, 3, 8]) {
        for (let number = 0; number < 5; number += 1) await other.create({ title: `killed ${delayMs} ${number}` })
        const sent = new Promise<void>((resolve) => {
          server.wire.once('sync', async (step) => {
            await step.send(await step.forward())
            setTimeout(resolve, delayMs)
          })
        })
        const { outcome, arrived } = arrivalOf(server, 'sync', () => phone.trySync(), 'a sync')
        await arrived
        await sent
        await phone.kill()
        await outcome.catch(() => undefined)
        await phone.start()
        await phone.syncUntilDone('it was started again')
        await expectConverged(server, phone, `it was killed ${delayMs} ms after a response`)
      }
    },
  },
])

/** An account with so many things, of which no client knows. */
export function filled(count: number, behavior: Partial<Behavior> = {}): ServerOptions {
  return {
    behavior,
    prepare: (state) => {
      const account = state.accounts.get('alice') as Account
      const session = openSession(state, account.username)
      for (let number = 0; number < count; number += 1) {
        account.position += 1
        addThing(account, session, `id${number}`, { title: `old ${number}`, date: number }, account.position)
      }
      session.revoked = true
    },
  }
}

/** Whether a request asks for a page after the first one. */
export const isLaterPage = (request: WireRequest): boolean =>
  isSync(request) && Number(valuesOf(request, 'skip')[0] ?? 0) > 0

/** Opens an account that takes several pages, or fails when the client does not use pages. */
export async function openPaged(lab: ClientLab, behavior: Partial<Behavior> = {}): Promise<ScriptedServer> {
  return lab.openServer(filled(2600, behavior))
}

/** @throws Finding when the client downloaded without pages */
export function expectPages(server: ScriptedServer): void {
  const pages = server.wire.requests(isLaterPage).length
  expectThat(
    pages > 0,
    'a full sync of 2,600 things in pages with skip, which the feature paging promises',
    'no request with skip came',
  )
}

/** Rules about pages. */
export const pageRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-PAGE-01',
    title: 'MUST download every page, and each thing once',
    features: ['paging'],
    requirements: ['D-4.3-11'],
    check: async (lab) => {
      const server = await openPaged(lab)
      const phone = await lab.replica(server)
      await phone.sync()
      expectPages(server)
      await expectConverged(server, phone, 'it downloaded all pages')
      const changed_thing = Array.from({ length: 2_000 }, (_, number) => ({
        _id: `id${number}`,
        title: `new ${number}`,
      }))
      await (await server.device()).sync({ changed_thing })
      await phone.sync()
      await expectConverged(server, phone, 'another device changed 2,000 things')
      let from: readonly string[] = []
      for (const exchange of server.wire.exchanges.filter(({ request }) => isSync(request) && !isUpload(request))) {
        const given = valuesOf(exchange.request, 'from')
        if (isLaterPage(exchange.request)) expectEqual(given, from, 'from of a later page, as of the first', exchange)
        from = given
      }
    },
  },
  {
    id: 'CLIENT-PAGE-02',
    title: 'MUST NOT miss what another device does between two pages',
    features: ['paging'],
    requirements: ['D-2.3-2', 'D-4.3-11'],
    check: async (lab) => {
      const server = await openPaged(lab)
      const other = await server.device()
      const phone = await lab.replica(server)
      server.wire.once(isLaterPage, async (step) => {
        await other.change('id3', { title: 'changed between pages' })
        await other.change('id2590', { title: 'also changed' })
        await other.remove('id5')
        await other.create({ title: 'created between pages' })
        await step.send(await step.forward())
      })
      await phone.sync()
      expectPages(server)
      await phone.sync()
      await expectConverged(server, phone, 'another device wrote between two pages')
    },
  },
  {
    id: 'CLIENT-PAGE-03',
    title: 'MUST store the position of the first page, when the pages have different ones',
    features: ['paging'],
    requirements: ['D-2.3-2'],
    check: async (lab) => {
      // This server lists by creation, and gives each page the position of its moment.
      const server = await openPaged(lab, { keepsPages: false, order: (a, b) => a.created - b.created })
      const other = await server.device()
      const phone = await lab.replica(server)
      server.wire.once(isLaterPage, async (step) => {
        await other.change('id3', { title: 'changed between pages' })
        await step.send(await step.forward())
      })
      await phone.sync()
      expectPages(server)
      await phone.sync()
      await expectConverged(server, phone, 'another device changed a thing of the first page after it')
    },
  },
  {
    id: 'CLIENT-PAGE-04',
    title: 'MUST end a download whose token expires, or whose connection breaks, in the middle',
    features: ['paging'],
    requirements: ['D-5.2-3', 'D-4.3-11'],
    check: async (lab) => {
      for (const act of [rejectToken, loseResponse, cutBody(0.5)]) {
        const server = await openPaged(lab)
        const phone = await lab.replica(server)
        if (act === rejectToken) {
          server.wire.once(isLaterPage, async (step) => {
            server.expireAccessTokens()
            await step.send(await step.forward())
          })
        } else server.wire.once(isLaterPage, act)
        await phone.syncUntilDone('the server works')
        expectPages(server)
        await expectConverged(server, phone, 'a page failed once')
        await lab.reset()
      }
    },
  },
  {
    id: 'CLIENT-PAGE-05',
    title: 'MUST NOT lose pages when it is killed between two of them',
    features: ['paging'],
    requirements: ['D-2.3-2', 'D-4.3-9'],
    check: async (lab) => {
      const server = await openPaged(lab)
      const phone = await lab.replica(server)
      const { outcome, arrived } = arrivalOf(server, isLaterPage, () => phone.trySync(), 'a second page')
      await arrived
      await phone.kill()
      await outcome.catch(() => undefined)
      await phone.start()
      await phone.create({ title: 'typed after the kill' })
      await phone.syncUntilDone('it was started again')
      await phone.syncUntilDone('it was started again')
      await expectConverged(server, phone, 'it was killed between two pages')
    },
  },
])
