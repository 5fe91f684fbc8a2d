/*
 * Rules of the profile `replica` about edits that are typed during a download, a sync during a sync, values that the
 * client fills in, and what a replica shows after it gave up an edit. Start reading at `duringDownloadRules`.
 */
import type { JsonObject } from '../../encoding.ts'
import { ApiError } from '../../model/state.ts'
import { arrivalOf, expectEqual, expectThat, lastExchange, type ReplicaDevice } from '../client-lab.ts'
import { clientRulesOf } from '../client-rule.ts'
import { expectConverged } from '../converge.ts'
import type { ScriptedServer } from '../scripted-server.ts'
import { holdUntil, isUpload, type WireRequest } from '../wire.ts'
import { expectTitles } from './replica-edits.ts'

const isDownload = (request: WireRequest): boolean => request.path === 'sync' && !isUpload(request)

/** Acts while the next download of a sync is under way: after the server has handled it, before its response comes. */
async function duringDownload(server: ScriptedServer, phone: ReplicaDevice, act: () => Promise<void>): Promise<void> {
  let release = (): void => {}
  const acted = new Promise<void>((resolve) => {
    release = resolve
  })
  server.wire.once(isDownload, async (step) => {
    const response = await step.forward()
    await acted
    await step.send(response)
  })
  const { outcome, arrived } = arrivalOf(server, isDownload, () => phone.trySync(), 'a download')
  await arrived
  await act()
  release()
  await outcome
}

/** Rules about what happens during a download. */
export const duringDownloadRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-DOWNLOAD-01',
    title: 'MUST upload what was typed during a download, and let it win over that download',
    features: ['concurrent'],
    requirements: ['D-4.3-16'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      const names = ['title', 'html', 'tags', 'deletion']
      const ids = new Map<string, string>()
      for (const name of names) ids.set(name, await other.create({ title: name, html: 'old', tags: 'old' }))
      const phone = await lab.replica(server)
      await phone.sync()
      // An edit that waits, and one that the download itself changes.
      await phone.change(await phone.refOf('title'), { html: 'before' })
      await other.change(ids.get('html') ?? '', { title: 'html', html: 'theirs', tags: 'old' })
      const refs = new Map<string, string>()
      for (const name of names) refs.set(name, await phone.refOf(name))
      await duringDownload(server, phone, async () => {
        await phone.change(refs.get('title') ?? '', { title: 'title, typed meanwhile' })
        await phone.change(refs.get('html') ?? '', { html: 'typed meanwhile' })
        await phone.change(refs.get('tags') ?? '', { tags: 'typed meanwhile' })
        await phone.remove(refs.get('deletion') ?? '')
        await phone.create({ title: 'new, typed meanwhile', html: 'new', tags: 'new' })
      })
      for (let count = 0; count < 2; count += 1) await phone.syncUntilDone('the server works')
      const stored = server.things().map(({ title, html, tags }) => ({ title, html, tags }))
      const wanted: readonly JsonObject[] = [
        { title: 'html', html: 'typed meanwhile', tags: 'old' },
        { title: 'new, typed meanwhile', html: 'new', tags: 'new' },
        { title: 'tags', html: 'old', tags: 'typed meanwhile' },
        { title: 'title, typed meanwhile', html: 'before', tags: 'old' },
      ]
      const sorted = stored.sort((a, b) => (String(a.title) < String(b.title) ? -1 : 1))
      expectEqual(
        sorted,
        wanted,
        'everything that was typed in the account',
        lastExchange(server.wire.exchanges, isUpload),
      )
      await expectConverged(server, phone, 'the user typed during a download')
    },
  },
  {
    id: 'CLIENT-DOWNLOAD-02',
    title: 'MUST NOT report a sync as done, when an edit that was typed before it is not uploaded',
    features: ['concurrent'],
    requirements: ['D-4.3-16'],
    check: async (lab) => {
      const server = await lab.openServer()
      await (await server.device()).create({ title: 'before' })
      const phone = await lab.replica(server)
      await phone.sync()
      let release = (): void => {}
      const second = new Promise<void>((resolve) => {
        release = resolve
      })
      server.wire.once(isDownload, holdUntil(second))
      const { outcome, arrived } = arrivalOf(server, isDownload, () => phone.trySync(), 'a download')
      await arrived
      await phone.create({ title: 'typed during the first sync' })
      const later = phone.trySync()
      // The client may respond to the second sync only after the first one, so that both may need the response.
      const early = await Promise.race([later, new Promise<undefined>((resolve) => setTimeout(resolve, 300))])
      if (early?.result !== undefined)
        expectTitles(server, ['before', 'typed during the first sync'], 'a sync that began after the edit succeeded')
      release()
      const [, { result }] = await Promise.all([outcome, later])
      if (result !== undefined)
        expectTitles(server, ['before', 'typed during the first sync'], 'a sync that began after the edit succeeded')
    },
  },
])

/** Rules about values that the client fills in, and settings that it leaves alone. */
export const filledInRules = clientRulesOf('replica', '2.1', [
  {
    id: 'CLIENT-DATE-01',
    title: 'MUST hold the date that the account has for a thing that was created without one, and it is now',
    requirements: ['D-4.3-12', 'D-2.1-6'],
    check: async (lab) => {
      const server = await lab.openServer()
      const phone = await lab.replica(server)
      await phone.create({ title: 'without a date' })
      for (let count = 0; count < 2; count += 1) await phone.sync()
      const exchange = lastExchange(server.wire.exchanges, isUpload)
      const date = Number(server.titled('without a date')[0]?.date)
      const away = Math.abs(date - Date.now() / 1000)
      expectThat(away < 86_400, 'the time of now in the account, in seconds since 1970', `${date} came`, exchange)
      expectEqual((await phone.find('without a date')).date, date, 'the date of the account in phone', exchange)
    },
  },
  {
    id: 'CLIENT-SETTING-01',
    title: 'MUST leave `todo` of a tag as it is when it changes another setting',
    section: '2.2',
    features: ['set-tag'],
    requirements: ['D-2.2-3'],
    check: async (lab) => {
      const server = await lab.openServer()
      const other = await server.device()
      for (const todo of ['dont-strike', 'strike']) await other.setTag(todo, { todo, color: '#ffffff' })
      const phone = await lab.replica(server)
      await phone.sync()
      const edits: readonly JsonObject[] = [{ color: '#a1b2c3' }, { favorite: true }, { color: false }]
      for (const settings of edits) {
        for (const name of ['dont-strike', 'strike']) await phone.setTag(name, settings)
        await phone.sync()
        for (const name of ['dont-strike', 'strike'])
          expectEqual(
            server.account().tags.get(name)?.settings.todo,
            name,
            `todo of a tag after a change of ${Object.keys(settings)} alone`,
            lastExchange(server.wire.exchanges, isUpload),
          )
      }
    },
  },
])

/** Edits that the server rejects; each has a replica of its own. */
const rejectedEdits: readonly (readonly [what: string, edit: (phone: ReplicaDevice, ref: string) => Promise<void>])[] =
  [
    ['a title', async (phone, ref) => phone.change(ref, { title: 'bad' })],
    ['a text', async (phone, ref) => phone.change(ref, { html: 'bad' })],
    ['tags', async (phone, ref) => phone.change(ref, { tags: 'bad' })],
    ['archived', async (phone, ref) => phone.change(ref, { archived: true })],
    ['a deletion', async (phone, ref) => phone.remove(ref)],
  ]

/** Rules about edits that a client gave up. */
export const givenUpRules = clientRulesOf('replica', '4.3', [
  {
    id: 'CLIENT-DROPPED-01',
    title: 'MUST hold what the account holds after it gave up an edit that the server rejects',
    requirements: ['D-4.3-12', 'D-4.3-10'],
    check: async (lab) =>
      lab.forEachVariant(rejectedEdits, async ([what, edit], lab) => {
        let rejects = false
        const server = await lab.openServer({
          behavior: {
            applied: (upload) => {
              const hasEdits = upload.created.length + upload.changed.length + upload.deleted.length > 0
              if (rejects && hasEdits) throw new ApiError('parameter-invalid', 'the server does not take this')
              return upload
            },
          },
        })
        const other = await server.device()
        await other.create({ title: 'theirs', html: 'old', tags: 'old', url: 'https://example.org/' })
        const phone = await lab.replica(server)
        await phone.sync()
        rejects = true
        await edit(phone, await phone.refOf('theirs'))
        for (let count = 0; count < 4; count += 1) await phone.trySync()
        const { pending } = await phone.state()
        // A client may also keep the edit, and try again.
        if (pending === 0) await expectConverged(server, phone, `it gave up ${what}, which the server rejects`)
        await phone.restart()
        for (let count = 0; count < 2; count += 1) await phone.trySync()
        if ((await phone.state()).pending > 0) return
        await expectConverged(server, phone, `it gave up ${what}, which the server rejects, and was started again`)
      }),
  },
])
