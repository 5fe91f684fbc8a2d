import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Send } from '../../client/src/api.ts'
import { createMemoryLocalStore, createMemoryTokenStorage, type ReplicaTagFields } from '../../client/src/index.ts'
import { deleteIndexedDbStore, openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { createTestClient } from '../../test/support/create-test-client.ts'
import { openFileServer } from '../../test/support/open-test-server.ts'
import { shownByServer } from '../../test/support/replica.ts'
import { createInProcessSearch } from '../../test/support/web/search-here.ts'
import { createSharedTexts } from '../../test/support/web/shared-texts.ts'
import { readFieldDate, toFieldDate } from '../parts/format-date.ts'
import { en } from '../words/en.ts'
import { deleteThings, openAccountModel, toggleArchived, toggleDone } from './account-model.ts'
import { planAdding, readAddLine } from './add-line.ts'
import { openDrafts } from './drafts.ts'
import { planRename, planTagging, readChangedFields, toEditForm } from './edit-form.ts'
import { type Row, readParts } from './item-parts.ts'
import { openAccount } from './open-account.ts'
import { createActionLog } from './undo.ts'

/** Other ones each time; `.ci/run` requests 100, `npm run client:histories` 1,000. */
const numRuns = Number(process.env.THINGSYNC_CLIENT_HISTORIES ?? 8)
const server = await openFileServer()

const tag = fc.constantFrom('home', 'work', 'todo', 'a/b', '__proto__')
const index = fc.nat(9)
const action = fc.oneof(
  fc.record({ act: fc.constant('add' as const), tag, isTodo: fc.boolean() }),
  fc.record({ act: fc.constant('edit' as const), index, tags: fc.option(fc.constantFrom('', 'home', 'work, home')) }),
  fc.record({ act: fc.constant('write note' as const), index }),
  fc.record({ act: fc.constantFrom('archive' as const, 'done' as const, 'delete' as const), index }),
  fc.record({ act: fc.constant('tag many' as const), indexes: fc.array(index, { maxLength: 4 }), add: tag, drop: tag }),
  fc.record({ act: fc.constant('rename tag' as const), tag, next: tag }),
  fc.record({
    act: fc.constant('set tag' as const),
    tag,
    settings: fc.constantFrom<ReplicaTagFields>(
      { favorite: true },
      { todo: 'strike' },
      { todo: false },
      { color: '#f00' },
    ),
  }),
  fc.record({ act: fc.constantFrom('undo' as const, 'reload' as const, 'wait' as const) }),
  fc.record({ act: fc.constant('network' as const), network: fc.constantFrom('on', 'on', 'off', 'responses lost') }),
)
type Action = ReturnType<typeof action.generate>['value']

/** What users typed. A word such as `item3` at the beginning of a title identifies the item. */
const createBook = () => ({
  items: 0,
  texts: 0,
  /** The last title that each browser gave to each item. */
  titles: new Map<string, string>(),
  /** The last note that each browser gave to each item. */
  notes: new Map<string, string>(),
  /** The items that were deleted, by an action or by undoing their creation. */
  deleted: new Set<string>(),
})
type Book = ReturnType<typeof createBook>

const nameOf = (title: string): string => title.split(' ', 1)[0] ?? ''

/** A browser in which the user has the app open: the data layer of the web app above a store of its own. */
const openWebBrowser = async (userName: string, number: number, book: Book) => {
  const store = `histories ${userName} ${number}`
  const [actions, tokens, sharedTexts] = [createMemoryLocalStore(), createMemoryTokenStorage(), createSharedTexts()]
  const { token } = await server.openDevice(userName)
  await tokens.write({ accessToken: token, requestToken: '', session: 'one', expiresAt: Number.POSITIVE_INFINITY })
  let network = 'on'
  const send: Send = async (request) => {
    if (network === 'off') throw new TypeError('fetch failed')
    const response = await fetch(request)
    if (network === 'on') return response
    await response.arrayBuffer()
    throw new TypeError('fetch failed')
  }
  const open = async () => {
    const handle = await openAccount({
      client: createTestClient(server, { tokens, fetch: send }),
      store: await openIndexedDbStore(store),
      account: userName,
      live: { ways: ['poll'], pollMilliseconds: 20, quietMilliseconds: 1, firstMilliseconds: 5, maxMilliseconds: 20 },
      actionLog: createActionLog(actions, Date.now),
      drafts: await openDrafts({
        storage: undefined,
        store: createMemoryLocalStore(),
        account: userName,
        now: Date.now,
      }),
      sharedTexts,
      signIn: async () => undefined,
      signOut: async () => undefined,
    })
    const model = openAccountModel({
      app: handle.app,
      search: createInProcessSearch(),
      words: en,
      now: Date.now,
      untilDrawn: async () => undefined,
      readEverything: () => readParts(handle.app.replica),
    })
    const close = async () => {
      await model.library.settle()
      model.close()
      await handle.close()
    }
    return { handle, model, close }
  }
  let page = await open()

  const listRows = (): readonly Row[] =>
    [...page.model.library.listRows()].sort((one, other) => one.number - other.number)
  const rowAt = (at: number): readonly Row[] => {
    const rows = listRows()
    return rows.length === 0 ? [] : rows.slice(at % rows.length, (at % rows.length) + 1)
  }
  const editAt = async (at: number, form: (name: string, typed: string) => object): Promise<void> => {
    const [row] = rowAt(at)
    const thing = row && (await page.handle.app.replica.findThing(row.id))
    if (thing === undefined) return
    const begun = toEditForm(thing, toFieldDate)
    const changes = form(nameOf(thing.title), `text${++book.texts}`)
    const fields = readChangedFields({ begun, form: { ...begun, ...changes } }, readFieldDate)
    const done = await page.model.perform({ kind: 'edited', name: thing.title }, [
      { kind: 'change', id: thing.id, fields },
    ])
    // Another device may have deleted the item between the look and the edit; the screen then says so.
    if (done === undefined) return expect(page.model.problem.read()).toMatchObject({ code: 'unknown_thing' })
    const key = `${number}/${nameOf(thing.title)}`
    if (fields.title !== undefined) book.titles.set(key, fields.title)
    if (typeof fields.html === 'string') book.notes.set(key, fields.html)
  }
  const noteDeleted = (rows: readonly Row[]) => {
    for (const { title } of rows) book.deleted.add(nameOf(title))
  }
  const undo = async () => {
    const last = page.model.undo.actions.read().find(({ isUndone }) => !isUndone)
    if (last === undefined) return
    const before = listRows()
    await page.model.attempt(() => page.model.undo.undo(last.key))
    await page.model.library.settle()
    const after = new Set(listRows().map(({ title }) => nameOf(title)))
    noteDeleted(before.filter(({ title }) => !after.has(nameOf(title))))
    // What is undone is no longer what the user typed last.
    for (const texts of [book.titles, book.notes])
      for (const key of texts.keys()) if (key.startsWith(`${number}/`)) texts.delete(key)
  }
  const act = async (what: Action): Promise<void> => {
    const { model, handle } = page
    await model.library.settle()
    const settings = await handle.app.replica.listTags()
    switch (what.act) {
      case 'add': {
        const name = `item${++book.items}`
        const line = readAddLine(`${what.isTodo ? '[] ' : ''}${name} first #${what.tag} https://a.example/${name}`)
        const steps = line === undefined ? [] : planAdding([line], settings, model.library.tagCounts())
        expect(await model.perform({ kind: 'added', name }, steps)).toHaveLength(
          steps.filter(({ kind }) => kind === 'create').length,
        )
        book.titles.set(`${number}/${name}`, `${name} first`)
        break
      }
      case 'edit':
        await editAt(what.index, (name, typed) => ({
          title: `${name} ${typed}`,
          ...(what.tags === null ? {} : { tags: what.tags }),
        }))
        break
      case 'write note':
        await editAt(what.index, (_, typed) => ({ note: `<p>${typed}</p>` }))
        break
      case 'archive':
        await toggleArchived(model, rowAt(what.index))
        break
      case 'done':
        await toggleDone(model, rowAt(what.index))
        break
      case 'delete':
        noteDeleted(rowAt(what.index))
        await deleteThings(model, rowAt(what.index))
        break
      case 'tag many': {
        const rows = new Set(what.indexes.flatMap(rowAt))
        await model.perform({ kind: 'tagged', name: '' }, planTagging(rows, [what.add], [what.drop]))
        break
      }
      case 'rename tag':
        if (what.tag !== what.next)
          await model.perform(
            { kind: 'renamedTag', name: what.tag },
            planRename(model.library.listRows(), settings, what.tag, what.next),
          )
        break
      case 'set tag':
        await model.perform({ kind: 'setTag', name: what.tag }, [
          { kind: 'tag', name: what.tag, change: what.settings },
        ])
        break
      case 'undo':
        await undo()
        break
      case 'reload':
        await page.close()
        page = await open()
        break
      case 'wait':
        await new Promise((resolve) => setTimeout(resolve, 30))
        break
      case 'network':
        network = what.network
        if (network === 'on') handle.app.syncNow()
    }
  }

  return {
    act,
    goOnline: () => {
      network = 'on'
    },
    sync: () => page.handle.app.replica.sync(),
    /** What the screens show, and the texts that they can restore. */
    read: async () => {
      const { model, handle } = page
      await model.library.settle()
      const things = []
      for await (const thing of handle.app.replica.listThings()) things.push(thing)
      const versions = await Promise.all(things.map(({ id }) => handle.app.replica.listVersions(id)))
      const rows = listRows().map(({ number: _, hasNote, tags, ...row }) => ({ ...row, tags: tags.join(' ') }))
      return {
        rows: rows.sort(byId),
        things: things.sort(byId),
        tags: await handle.app.replica.listTags(),
        texts: [...versions.flat(), ...(await handle.app.replica.listOverwritten())].map(({ content }) => content),
      }
    },
    close: async () => {
      await page.close()
      await deleteIndexedDbStore(store)
    },
  }
}

const byId = (one: { readonly id: string }, other: { readonly id: string }): number => (one.id < other.id ? -1 : 1)

test('two browsers whose users work on and off the network converge, and lose and duplicate nothing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(1), action), { minLength: 5, maxLength: 40, size: 'max' }),
      async (actions) => {
        const observer = await server.openDevice()
        const book = createBook()
        const browsers = [
          await openWebBrowser(observer.userName, 0, book),
          await openWebBrowser(observer.userName, 1, book),
        ]
        for (const [who, what] of actions) await browsers[who]?.act(what)
        for (const { goOnline } of browsers) goOnline()
        for (const { sync } of [...browsers, ...browsers]) await sync()

        const contents = await Promise.all(browsers.map(({ read }) => read()))
        const shown = (await shownByServer(observer)) as { things: { title: string; html?: string }[]; tags: object }
        for (const { close } of browsers) await close()

        const texts = [...shown.things, ...contents.flatMap((content) => content.texts)]
        const isPresent = (key: string) => !book.deleted.has(key.slice(2))
        const lostTitles = [...book.titles].filter(
          ([key, title]) => isPresent(key) && !texts.some((text) => text.title === title),
        )
        const lostNotes = [...book.notes].filter(
          ([key, note]) => isPresent(key) && !texts.some((text) => text.html === note),
        )
        const names = shown.things.map(({ title }) => nameOf(title)).filter((name) => !book.deleted.has(name))
        for (const { rows, things, tags } of contents) {
          expect({ things, tags }).toEqual(shown)
          expect(rows).toEqual(things.map(({ html: _, ...thing }) => thing))
        }
        expect({ lostTitles, lostNotes }).toEqual({ lostTitles: [], lostNotes: [] })
        expect(names.length).toBe(new Set(names).size)
      },
    ),
    { numRuns },
  )
}, 1_800_000)
