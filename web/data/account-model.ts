import type { ReplicaChange, ReplicaThing, TagSettings } from '../../client/src/index.ts'
import type { Search } from '../search/search.ts'
import type { Words } from '../words/en.ts'
import type { Draft } from './drafts.ts'
import { type EditDraft, readEditDraft } from './edit-form.ts'
import { createParts, createRows, type Row, readParts, type ThingPart } from './item-parts.ts'
import { isUntitled, type MissingTitles, missingTitlesName, openMissingTitles } from './missing-titles.ts'
import { createObservable, type Observable, type Settable } from './observable.ts'
import type { OpenApp, SharedReplica } from './open-account.ts'
import {
  type ChangeTimes,
  type Conflicts,
  openChangeTimes,
  openConflicts,
  openSavedSearches,
  type SavedSearches,
} from './shared-texts.ts'
import { mayUseTodoFirst, withTodoSettings } from './tags.ts'
import { createUndoList, type EditStep, type UndoList, type UserAction } from './undo.ts'

/** The progress of reading the items from the local store. */
interface LibraryState {
  /** Increases with each visible change of the library. */
  readonly revision: number
  /** Whether all items of the store have been read. */
  readonly isComplete: boolean
}

/** All items of the account: in memory without their notes, and in the search index with their notes. */
interface Library {
  readonly state: Observable<LibraryState>
  /** The numbers of the newest items, the newest first: the first screen, before the search has any item. */
  readonly firstNumbers: () => Uint32Array<ArrayBuffer>
  readonly findByNumber: (number: number) => Row | undefined
  readonly findById: (id: string) => Row | undefined
  readonly listRows: () => Iterable<Row>
  readonly countThings: () => number
  /** The tags in use, with the number of items of each. */
  readonly tagCounts: () => ReadonlyMap<string, number>
  /** Resolves when the library shows all changes so far. */
  readonly settle: () => Promise<void>
  readonly close: () => void
}

/** The number of items that are read first, so that the first screen appears at once. */
const firstThings = 60
const thingsPerStep = 500
/** The minimum number of items that go to the search as columns. */
const minThingsPerPart = 50
/** The number of parts between two updates of the screen during the first reading; each update renders the list. */
const partsPerUpdate = 8

/** A larger change is a full sync or an import, which says nothing about the last changes of the user. */
const maxNotedChanges = 200

/** Compares rows in the order of the search results. */
const byNewest = (one: Row, other: Row): number => other.date - one.date || other.number - one.number

/** More new rows than this come from the server, not from the user, who waits for the own ones. */
const maxLatest = 3

/**
 * Adds the rows that came after all rows of a whole list in the order `newest`, each at its place, so that an item
 * appears before the search has responded. Returns the same numbers when there is none, or when there are many.
 */
export const addLatest = (
  numbers: Uint32Array<ArrayBuffer>,
  findByNumber: (number: number) => Row | undefined,
): Uint32Array<ArrayBuffer> => {
  const latest: Row[] = []
  let next = numbers.reduce((last, number) => Math.max(last, number), -1) + 1
  for (let row = findByNumber(next); row !== undefined; row = findByNumber(++next)) {
    if (!row.archived) latest.push(row)
    if (latest.length > maxLatest) return numbers
  }
  if (latest.length === 0) return numbers
  const rest = latest.sort(byNewest)
  const all = new Uint32Array(numbers.length + latest.length)
  let added = 0
  for (const [index, number] of numbers.entries()) {
    const known = findByNumber(number)
    for (let row = rest[0]; row !== undefined && known !== undefined && byNewest(row, known) < 0; row = rest[0]) {
      all[index + added++] = row.number
      rest.shift()
    }
    all[index + added] = number
  }
  for (const row of rest) all[numbers.length + added++] = row.number
  return all
}

/** Whether a tag with these settings makes items to-dos. */
const isTodo = (settings: TagSettings | undefined): boolean => (settings?.todo ?? false) !== false

// A fast store would leave the browser no time to paint.
const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve))

/**
 * Reads the items of a replica and follows its changes until it is closed. `onFault` receives unexpected errors.
 * `onRename` receives the client-assigned ID of an item and the `_id` that replaced it. After the newest items, the
 * library waits for `untilDrawn`, and then reads all items with `readEverything`. It reads them again when `missed`
 * changes. `times` stores when items changed.
 */
export const openLibrary = (
  replica: SharedReplica,
  search: Search,
  onFault: (fault: unknown) => void,
  onRename: (id: string, next: string) => void = () => undefined,
  untilDrawn: () => Promise<void> = nextTurn,
  readEverything: () => AsyncIterable<ThingPart> = () => readParts(replica),
  missed?: Observable<number>,
  times?: ChangeTimes,
): Library => {
  const rows = createRows()
  const state = createObservable<LibraryState>({ revision: 0, isComplete: false })
  let queue: Promise<void> = Promise.resolve()
  let firstNumbers = new Uint32Array()
  let settings: ReadonlyMap<string, TagSettings> = new Map()
  let changed: { readonly ids: Set<string>; readonly tags: Set<string> } | undefined

  const publish = (isComplete = state.read().isComplete) =>
    state.set({ revision: state.read().revision + 1, isComplete })
  const putPart = (part: ThingPart) => search.putPart(rows.putPart(part), part)
  const put = (things: readonly ReplicaThing[]) => {
    if (things.length >= minThingsPerPart) for (const part of createParts(things)) putPart(part)
    else if (things.length > 0) search.put(things.map((thing) => ({ ...thing, number: rows.put(thing).number })))
  }
  const remove = (ids: readonly string[]) => {
    const numbers = ids.flatMap((id) => rows.remove(id) ?? [])
    if (numbers.length > 0) search.remove(numbers)
  }
  const readAll = async () => {
    settings = await replica.listTags()
    const newest = await replica.listNewest(firstThings)
    put(newest)
    const first = newest.flatMap(({ id }) => rows.findById(id) ?? []).sort(byNewest)
    firstNumbers = Uint32Array.from(first, ({ number }) => number)
    publish()
    await untilDrawn()
    let partCount = 0
    // For so few items a worker is not worth its start.
    for await (const part of newest.length < firstThings ? readParts(replica) : readEverything()) {
      putPart(part)
      partCount++
      if (partCount % partsPerUpdate === 0) publish()
    }
    touch(times?.list() ?? [])
    publish(true)
  }
  /** Sends the times of the last changes to the search. */
  const touch = (changes: Iterable<readonly [id: string, seconds: number]>) => {
    const known = [...changes].flatMap(([id, seconds]) => {
      const row = rows.findById(id)
      return row === undefined ? [] : [[row.number, seconds] as const]
    })
    if (known.length > 0) search.touch(known)
  }
  /**
   * Lists the items whose checkbox appears or disappears with the current settings. It compares the settings of all
   * tags, because a change that is not yet announced may be among them.
   */
  const listAffected = async (): Promise<readonly string[]> => {
    const previous = settings
    settings = await replica.listTags()
    const all = new Set([...previous.keys(), ...settings.keys()])
    const affected = new Set([...all].filter((tag) => isTodo(previous.get(tag)) !== isTodo(settings.get(tag))))
    if (affected.size === 0) return []
    return [...rows.list()].filter((row) => row.tags.some((tag) => affected.has(tag))).map((row) => row.id)
  }
  const update = async (all: readonly string[]) => {
    const found = await replica.findThings(all)
    const removed: string[] = []
    for (const id of all) {
      const thing = found.get(id)
      // The replica reports an item that got its `_id` under both IDs.
      if (thing !== undefined && thing.id !== id) {
        onRename(id, thing.id)
        times?.rename(id, thing.id)
        if (!rows.rename(id, thing.id)) removed.push(id)
      }
      if (thing === undefined) removed.push(id)
    }
    put([...new Map([...found.values()].map((thing) => [thing.id, thing])).values()])
    remove(removed)
  }
  const applyChanges = async () => {
    const { ids = new Set<string>(), tags = new Set<string>() } = changed ?? {}
    changed = undefined
    const all = [...new Set([...ids, ...(tags.size === 0 ? [] : await listAffected())])]
    for (let start = 0; start < all.length; start += thingsPerStep) {
      await update(all.slice(start, start + thingsPerStep))
    }
    if (times !== undefined && state.read().isComplete && ids.size <= maxNotedChanges) {
      const present = [...ids].filter((id) => rows.findById(id) !== undefined)
      if (present.length > 0) times.note(present)
      touch(times.list())
    }
    publish()
  }
  const enqueue = (work: () => Promise<void>) => {
    queue = queue.then(work).catch(onFault)
  }
  const unwatch = replica.watch(({ ids, tags }: ReplicaChange) => {
    const isWaiting = changed !== undefined
    changed ??= { ids: new Set(), tags: new Set() }
    for (const id of ids) changed.ids.add(id)
    for (const tag of tags) changed.tags.add(tag)
    // Changes that arrive during a long reading are applied together.
    if (!isWaiting) enqueue(applyChanges)
  })
  /** Compares all items with the replica. */
  const readAgain = async () => {
    settings = await replica.listTags()
    const ids = new Set(Array.from(rows.list(), ({ id }) => id))
    for await (const part of replica.listThingParts()) for (const { id } of part) ids.add(id)
    const all = [...ids]
    for (let start = 0; start < all.length; start += thingsPerStep)
      await update(all.slice(start, start + thingsPerStep))
    publish()
  }
  enqueue(readAll)
  const unwatchMissed = missed?.watch(() => enqueue(readAgain))
  return {
    state,
    firstNumbers: () => firstNumbers,
    findByNumber: rows.findByNumber,
    findById: rows.findById,
    listRows: rows.list,
    countThings: rows.count,
    tagCounts: rows.tagCounts,
    settle: () => queue,
    close: () => {
      unwatch()
      unwatchMissed?.()
    },
  }
}

/** The state and actions that the screens of an open account share; it knows no DOM. */
export interface AccountModel {
  readonly app: OpenApp
  readonly library: Library
  readonly search: Search
  readonly undo: UndoList
  readonly conflicts: Conflicts
  readonly words: Words
  /** The numbers of the selected items. */
  readonly selected: Settable<ReadonlySet<number>>
  /** The error of the last action; undefined after a success. */
  readonly problem: Observable<unknown>
  readonly clearProblem: () => void
  readonly savedSearches: SavedSearches
  /** The links whose titles are still to be read from their pages. */
  readonly missingTitles: MissingTitles
  /** Returns the draft of this name. */
  readonly draft: (name: string) => Draft
  /** The unsaved drafts of edit forms, by the ID of the item. */
  readonly listUnsaved: () => ReadonlyMap<string, EditDraft>
  /** Removes all drafts of the account. */
  readonly forgetDrafts: () => void
  /**
   * Executes steps that can be undone. The first use of the tag `todo` makes it a to-do tag, in the same action. Returns
   * the IDs of created items; undefined after an error, see `problem`.
   */
  readonly perform: (
    action: Pick<UserAction, 'kind' | 'name'>,
    steps: readonly EditStep[],
  ) => Promise<readonly string[] | undefined>
  /** Undoes the last action that is not undone. */
  readonly undoLast: () => void
  /** Executes other work; false after an error, see `problem`. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>
  /** Reads data for a screen. Sets `problem` after an error, but a success does not clear the problem of an action. */
  readonly load: (work: () => Promise<unknown>) => Promise<void>
  readonly close: () => void
}

/** Options of `openAccountModel`. */
interface AccountModelOptions {
  readonly app: OpenApp
  readonly search: Search
  readonly words: Words
  readonly now: () => number
  /** Resolves when the browser has painted the current state. */
  readonly untilDrawn: () => Promise<void>
  /** Reads all items of the store of this name, without blocking the screen. */
  readonly readEverything: (store: string) => AsyncIterable<ThingPart>
}

/** Opens the items of an account for the screens, until it is closed. */
export const openAccountModel = ({
  app,
  search,
  words,
  now,
  untilDrawn,
  readEverything,
}: AccountModelOptions): AccountModel => {
  const problem = createObservable<unknown>(undefined)
  const reportProblem = (fault: unknown) => problem.set(fault ?? new Error())
  const draft = app.drafts.open
  const moveDraft = (id: string, next: string): void => {
    const [from, to] = [draft(`edit/${id}`), draft(`edit/${next}`)]
    const text = from.read()
    if (text !== '' && to.write(text)) from.write('')
  }
  const listUnsaved = (): ReadonlyMap<string, EditDraft> =>
    new Map(
      app.drafts.list().flatMap((name) => {
        const edit = name.startsWith('edit/') ? readEditDraft(draft(name).read()) : undefined
        return edit === undefined ? [] : [[name.slice('edit/'.length), edit] as const]
      }),
    )
  const { sharedTexts } = app
  const library = openLibrary(
    app.replica,
    search,
    reportProblem,
    moveDraft,
    untilDrawn,
    () => readEverything(app.store),
    app.missed,
    openChangeTimes(sharedTexts.open('change times'), now),
  )
  const undo = createUndoList(app.replica, now, app.actionLog, reportProblem)
  const conflicts = openConflicts(app.state, sharedTexts.open('dismissed conflicts'))
  const savedSearches = openSavedSearches(sharedTexts.open('saved searches'))
  const missingTitles = openMissingTitles(sharedTexts.open(missingTitlesName))
  /** Has the titles of links read that were created with their URL as the title. */
  const readTitles = (steps: readonly EditStep[], ids: readonly string[]): void => {
    const created = steps.flatMap((step) => (step.kind === 'create' ? [step.fields] : []))
    missingTitles.add(ids.filter((_, index) => isUntitled(created[index] ?? {})))
  }
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await app.hold(work)
      problem.set(undefined)
      return true
    } catch (fault) {
      reportProblem(fault)
      return false
    }
  }
  return {
    app,
    library,
    search,
    undo,
    conflicts,
    words,
    selected: createObservable<ReadonlySet<number>>(new Set()),
    problem,
    clearProblem: () => problem.set(undefined),
    savedSearches,
    missingTitles,
    draft,
    listUnsaved,
    forgetDrafts: app.drafts.forget,
    undoLast: () => {
      const last = undo.actions.read().find(({ isUndone }) => !isUndone)
      if (last !== undefined) void attempt(() => undo.undo(last.key))
    },
    attempt,
    load: (work) => work().then(() => undefined, reportProblem),
    perform: async (action, steps) => {
      let ids: readonly string[] = []
      const isDone = await attempt(async () => {
        const counts = library.tagCounts()
        // Most actions need no settings, whose reading would delay them.
        const all = mayUseTodoFirst(steps, counts)
          ? withTodoSettings(steps, await app.replica.listTags(), counts)
          : steps
        ids = await undo.perform(action, all)
        if (action.kind === 'added') readTitles(all, ids)
      })
      return isDone ? ids : undefined
    },
    close: () => {
      undo.close()
      library.close()
      conflicts.close()
      savedSearches.close()
      missingTitles.close()
    },
  }
}

type ActionTarget = Pick<AccountModel, 'perform'>

const firstTitle = (rows: readonly Row[]): string => rows[0]?.title ?? ''

/** Archives items, or unarchives them if all of them are archived. */
export const toggleArchived = (model: ActionTarget, rows: readonly Row[]) => {
  const archived = rows.some((row) => !row.archived)
  const steps = rows
    .filter((row) => row.archived !== archived)
    .map(({ id }) => ({ kind: 'change', id, fields: { archived } }) as const)
  return model.perform({ kind: archived ? 'archived' : 'unarchived', name: firstTitle(rows) }, steps)
}

/** Deletes items. */
export const deleteThings = (model: ActionTarget, rows: readonly Row[]) =>
  model.perform(
    { kind: 'deleted', name: firstTitle(rows) },
    rows.map(({ id }) => ({ kind: 'remove', id }) as const),
  )

/** Marks the to-dos among the items as done, or as open if all of them are done. */
export const toggleDone = (model: ActionTarget, rows: readonly Row[]) => {
  const todos = rows.filter((row) => row.todoStatus !== undefined)
  const todoStatus = todos.some((row) => row.todoStatus === false)
  const steps = todos
    .filter((row) => row.todoStatus !== todoStatus)
    .map(({ id }) => ({ kind: 'change', id, fields: { todoStatus } }) as const)
  return model.perform({ kind: todoStatus ? 'done' : 'opened', name: firstTitle(todos) }, steps)
}
