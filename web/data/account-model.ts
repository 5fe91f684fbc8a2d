import type { Replica, ReplicaChange, ReplicaThing, TagSettings } from '../../client/src/index.ts'
import type { Search } from '../search/search.ts'
import type { Words } from '../words/en.ts'
import type { Draft } from './drafts.ts'
import { type EditDraft, readEditDraft } from './edit-form.ts'
import { createParts, createRows, type Row, readParts, type ThingPart } from './item-parts.ts'
import { createObservable, type Observable, type Settable } from './observable.ts'
import type { OpenApp } from './open-account.ts'
import { createUndoList, type EditStep, type UndoList, type UserAction } from './undo.ts'

/** How far the things have been read from the local store. */
interface LibraryState {
  /** Goes up with each change of what the library shows. */
  readonly revision: number
  readonly isComplete: boolean
}

/** All things of the account in memory, without their notes, and in the search with them. */
interface Library {
  readonly state: Observable<LibraryState>
  /** Numbers of the newest things, the newest first: a first screen, before the search knows of anything. */
  readonly firstNumbers: () => Uint32Array<ArrayBuffer>
  readonly findByNumber: (number: number) => Row | undefined
  readonly findById: (id: string) => Row | undefined
  readonly listRows: () => Iterable<Row>
  readonly countThings: () => number
  /** Tags that things carry, with the number of these. */
  readonly tagCounts: () => ReadonlyMap<string, number>
  /** Resolves when all changes so far are shown. */
  readonly settle: () => Promise<void>
  readonly close: () => void
}

/** What is read before anything else, so that a first screen is there at once. */
const firstThings = 60
const thingsPerStep = 500
/** From so many on they go to the search as columns. */
const minPerPart = 50
/** How often the screen is told while much is read: each time the list is drawn anew. */
const stepsPerUpdate = 8

/** As the search orders them. */
const byNewest = (one: Row, other: Row): number => other.date - one.date || other.number - one.number

/** Whether settings make todos of things. */
const isTodo = (settings: TagSettings | undefined): boolean => (settings?.todo ?? false) !== false

// A store that answers at once would leave the screen no time.
const nextTurn = () => new Promise<void>((resolve) => setTimeout(resolve))

/**
 * Reads the things of a replica and follows its changes until it is closed; `onFault` is told what breaks,
 * `onRename` the `_id` that the server has given to a thing, in the place of its local id. Once the first screen can be drawn
 * `untilDrawn` is waited for, and then all that the replica shows is read by `readEverything`.
 */
export const openLibrary = (
  replica: Replica,
  search: Search,
  onFault: (fault: unknown) => void,
  onRename: (id: string, next: string) => void = () => undefined,
  untilDrawn: () => Promise<void> = nextTurn,
  readEverything: () => AsyncIterable<ThingPart> = () => readParts(replica),
): Library => {
  const rows = createRows()
  const state = createObservable<LibraryState>({ revision: 0, isComplete: false })
  let turn: Promise<void> = Promise.resolve()
  let firstNumbers = new Uint32Array()
  let settings: ReadonlyMap<string, TagSettings> = new Map()
  let changed: { readonly ids: Set<string>; readonly tags: Set<string> } | undefined

  const tell = (isComplete = state.read().isComplete) => state.set({ revision: state.read().revision + 1, isComplete })
  const putPart = (part: ThingPart) => search.putPart(rows.putPart(part), part)
  const put = (things: readonly ReplicaThing[]) => {
    if (things.length >= minPerPart) for (const part of createParts(things)) putPart(part)
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
    tell()
    await untilDrawn()
    let steps = 0
    // A worker is not worth its start where these are all.
    for await (const part of newest.length < firstThings ? readParts(replica) : readEverything()) {
      putPart(part)
      steps++
      if (steps % stepsPerUpdate === 0) tell()
    }
    tell(true)
  }
  /** Things whose checkboxes come or go with the settings of these tags. */
  const listCarrying = async (tags: ReadonlySet<string>): Promise<readonly string[]> => {
    if (tags.size === 0) return []
    const before = settings
    settings = await replica.listTags()
    const turned = new Set([...tags].filter((tag) => isTodo(before.get(tag)) !== isTodo(settings.get(tag))))
    if (turned.size === 0) return []
    return [...rows.list()].filter((row) => row.tags.some((tag) => turned.has(tag))).map((row) => row.id)
  }
  const take = async (all: readonly string[]) => {
    const found = await replica.findThings(all)
    const gone: string[] = []
    for (const id of all) {
      const thing = found.get(id)
      // A thing that has got its _id is told of under both ids.
      if (thing !== undefined && thing.id !== id) {
        onRename(id, thing.id)
        if (!rows.rename(id, thing.id)) gone.push(id)
      }
      if (thing === undefined) gone.push(id)
    }
    put([...new Map([...found.values()].map((thing) => [thing.id, thing])).values()])
    remove(gone)
  }
  const follow = async () => {
    const { ids = new Set<string>(), tags = new Set<string>() } = changed ?? {}
    changed = undefined
    const all = [...new Set([...ids, ...(await listCarrying(tags))])]
    for (let start = 0; start < all.length; start += thingsPerStep) await take(all.slice(start, start + thingsPerStep))
    tell()
  }
  const inTurn = (work: () => Promise<void>) => {
    turn = turn.then(work).catch(onFault)
  }
  const unwatch = replica.watch(({ ids, tags }: ReplicaChange) => {
    const isWaiting = changed !== undefined
    changed ??= { ids: new Set(), tags: new Set() }
    for (const id of ids) changed.ids.add(id)
    for (const tag of tags) changed.tags.add(tag)
    // What comes while much is read is taken over together.
    if (!isWaiting) inTurn(follow)
  })
  inTurn(readAll)
  return {
    state,
    firstNumbers: () => firstNumbers,
    findByNumber: rows.findByNumber,
    findById: rows.findById,
    listRows: rows.list,
    countThings: rows.count,
    tagCounts: rows.tagCounts,
    settle: () => turn,
    close: unwatch,
  }
}

/** Everything that the screens of an open account share, without any of the screen. */
export interface AccountModel {
  readonly app: OpenApp
  readonly library: Library
  readonly search: Search
  readonly undo: UndoList
  readonly words: Words
  /** Numbers of the things that are selected. */
  readonly selected: Settable<ReadonlySet<number>>
  /** What went wrong with the last thing that was done; undefined when all is well. */
  readonly problem: Observable<unknown>
  readonly clearProblem: () => void
  readonly draft: (name: string) => Draft
  /** What was typed into the forms of things and not saved, by the id of the thing. */
  readonly listUnsaved: () => ReadonlyMap<string, EditDraft>
  /** Removes what was typed and not added, in all places. */
  readonly forgetDrafts: () => void
  /** Carries out steps that can be taken back; undefined when they failed, which is told in `problem`. */
  readonly perform: (
    deed: Pick<UserAction, 'kind' | 'name'>,
    steps: readonly EditStep[],
  ) => Promise<readonly string[] | undefined>
  /** Carries out anything else; false when it failed, which is told in `problem`. */
  readonly attempt: (work: () => Promise<unknown>) => Promise<boolean>
  /** Reads what is shown. A failure is told in `problem`, too; but that it worked says nothing of what was done before. */
  readonly look: (work: () => Promise<unknown>) => Promise<void>
  readonly close: () => void
}

/** What a desk is made of. */
interface AccountModelOptions {
  readonly app: OpenApp
  readonly search: Search
  readonly words: Words
  readonly now: () => number
  /** Resolves when what there is to be shown has been drawn. */
  readonly untilDrawn: () => Promise<void>
  /** Reads all things of the store of this name, without keeping the screen waiting. */
  readonly readEverything: (store: string) => AsyncIterable<ThingPart>
}

/** Opens the things of an account for the screens, until it is closed. */
export const openAccountModel = ({
  app,
  search,
  words,
  now,
  untilDrawn,
  readEverything,
}: AccountModelOptions): AccountModel => {
  const problem = createObservable<unknown>(undefined)
  const tell = (fault: unknown) => problem.set(fault ?? new Error())
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
  const library = openLibrary(app.replica, search, tell, moveDraft, untilDrawn, () => readEverything(app.store))
  const undo = createUndoList(app.replica, now, app.deeds, tell)
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await app.hold(work)
      problem.set(undefined)
      return true
    } catch (fault) {
      tell(fault)
      return false
    }
  }
  return {
    app,
    library,
    search,
    undo,
    words,
    selected: createObservable<ReadonlySet<number>>(new Set()),
    problem,
    clearProblem: () => problem.set(undefined),
    draft,
    listUnsaved,
    forgetDrafts: app.drafts.forget,
    attempt,
    look: (work) => work().then(() => undefined, tell),
    perform: async (deed, steps) => {
      let ids: readonly string[] = []
      const isDone = await attempt(async () => {
        ids = await undo.perform(deed, steps)
      })
      return isDone ? ids : undefined
    },
    close: library.close,
  }
}

type ActionTarget = Pick<AccountModel, 'perform'>

const firstTitle = (rows: readonly Row[]): string => rows[0]?.title ?? ''

/** Archives things, or takes them out of the archive when all of them are in it. */
export const toggleArchived = (desk: ActionTarget, rows: readonly Row[]) => {
  const archived = rows.some((row) => !row.archived)
  const steps = rows
    .filter((row) => row.archived !== archived)
    .map(({ id }) => ({ kind: 'change', id, fields: { archived } }) as const)
  return desk.perform({ kind: archived ? 'archived' : 'unarchived', name: firstTitle(rows) }, steps)
}

/** Deletes things. */
export const deleteThings = (desk: ActionTarget, rows: readonly Row[]) =>
  desk.perform(
    { kind: 'deleted', name: firstTitle(rows) },
    rows.map(({ id }) => ({ kind: 'remove', id }) as const),
  )

/** Ticks off the todos among things, or opens them again when all of them are done. */
export const toggleDone = (desk: ActionTarget, rows: readonly Row[]) => {
  const todos = rows.filter((row) => row.todoStatus !== undefined)
  const todoStatus = todos.some((row) => row.todoStatus === false)
  const steps = todos
    .filter((row) => row.todoStatus !== todoStatus)
    .map(({ id }) => ({ kind: 'change', id, fields: { todoStatus } }) as const)
  return desk.perform({ kind: todoStatus ? 'done' : 'opened', name: firstTitle(todos) }, steps)
}
