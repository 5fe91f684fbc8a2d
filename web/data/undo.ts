import {
  createLocalId,
  isClientError,
  type LocalStore,
  type Replica,
  type ReplicaEdit,
  type ReplicaFields,
  type ReplicaTagFields,
  type ReplicaThing,
  type TagSettings,
} from '../../client/src/index.ts'
import { createObservable, type Observable } from './observable.ts'

/** One edit, as data; every edit that the screens make is one. */
export type EditStep =
  | {
      readonly kind: 'create'
      readonly fields: ReplicaFields & { readonly title: string }
      /** The id of a thing that is gone, and that this one is made in the place of. */
      readonly insteadOf?: string
    }
  | { readonly kind: 'change'; readonly id: string; readonly fields: ReplicaFields }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'tag'; readonly name: string; readonly change: ReplicaTagFields }

/** What steps are carried out on. */
type Edited = Pick<Replica, 'editAll' | 'findThings' | 'listTags' | 'resolveId'>

/** Everything of a thing, to make it again. */
const contentOf = ({ id, isPending, ...content }: ReplicaThing): ReplicaFields & { readonly title: string } => content

const before = (thing: ReplicaThing, fields: ReplicaFields): ReplicaFields => ({
  ...('title' in fields ? { title: thing.title } : {}),
  ...('tags' in fields ? { tags: thing.tags } : {}),
  ...('date' in fields ? { date: thing.date } : {}),
  ...('url' in fields ? { url: thing.url ?? '' } : {}),
  ...('html' in fields ? { html: thing.html ?? '' } : {}),
  ...('archived' in fields ? { archived: thing.archived } : {}),
  ...('todoStatus' in fields ? { todoStatus: thing.todoStatus ?? false } : {}),
})

const blank = { favorite: false, color: false, todo: false } as const

const settingsBefore = (
  settings: ReadonlyMap<string, TagSettings>,
  { name, change }: Extract<EditStep, { kind: 'tag' }>,
): EditStep => {
  const { favorite, color, todo } = settings.get(name) ?? blank
  return {
    kind: 'tag',
    name,
    change: {
      ...('favorite' in change ? { favorite } : {}),
      ...('color' in change ? { color } : {}),
      ...('todo' in change ? { todo } : {}),
    },
  }
}

/** Steps that are about to be carried out, in one write, all of them or none, by `editAll`. */
interface PreparedEdit {
  readonly edits: readonly ReplicaEdit[]
  /** Takes everything back, the last first; things that were gone need nothing. Where nothing is made, it does no harm. */
  readonly inverse: readonly EditStep[]
  /** The things that will be made, each with its step. */
  readonly made: readonly { readonly id: string; readonly step: Extract<EditStep, { kind: 'create' }> }[]
}

/** Works out what steps do and what takes them back, before anything is changed. */
const prepareEdit = async (edited: Edited, steps: readonly EditStep[]): Promise<PreparedEdit> => {
  const found = await edited.findThings(steps.flatMap((step) => ('id' in step ? [step.id] : [])))
  const settings = steps.some(({ kind }) => kind === 'tag') ? await edited.listTags() : new Map<string, TagSettings>()
  const possible = steps.filter((step) => !('id' in step) || found.has(step.id))
  const made = possible.flatMap((step) => (step.kind === 'create' ? [{ id: createLocalId(), step }] : []))
  const creations = made.values()
  const edits = possible.map((step): ReplicaEdit => {
    const next = step.kind === 'create' ? creations.next().value : undefined
    return next === undefined ? step : { kind: 'create', fields: next.step.fields, localId: next.id }
  })
  const inverse: EditStep[] = made.map(({ id }) => ({ kind: 'remove', id }) as const)
  for (const step of steps) {
    const thing = 'id' in step ? found.get(step.id) : undefined
    if (step.kind === 'tag') inverse.push(settingsBefore(settings, step))
    else if (step.kind === 'remove' && thing)
      inverse.push({ kind: 'create', fields: contentOf(thing), insteadOf: thing.id })
    else if (step.kind === 'change' && thing) {
      inverse.push({ kind: 'change', id: step.id, fields: before(thing, step.fields) })
    }
  }
  return { edits, inverse: inverse.reverse(), made }
}

/** What a person did, in a word; `words/` says it. */
type ActionKind =
  | 'added'
  | 'edited'
  | 'archived'
  | 'unarchived'
  | 'deleted'
  | 'done'
  | 'opened'
  | 'tagged'
  | 'renamedTag'
  | 'setTag'
  | 'restored'
  | 'imported'

/** Something that was done and can be taken back. */
export interface UserAction {
  readonly key: number
  readonly kind: ActionKind
  /** How many things it concerned. */
  readonly count: number
  /** The title of the thing, or the name of the tag. */
  readonly name: string
  /** When, in milliseconds since 1970. */
  readonly at: number
  readonly isUndone: boolean
}

/** A deed as it is kept: what it was, and what became of things that were deleted and made again. */
interface SavedAction {
  readonly deed: UserAction
  /** Of each thing that was made again: its id before, and now. */
  readonly next: readonly (readonly [id: string, next: string])[]
  /** How many parts what takes it back is kept in, where that is written bit by bit. */
  readonly parts?: number
}

/** Keeps what was done, and what takes it back, for the next visit. */
export interface ActionLog {
  /** What is kept, the latest first; what is older than 90 days is forgotten. */
  readonly read: () => Promise<readonly SavedAction[]>
  /** What takes a deed back; nothing of one that is not kept. */
  readonly readInverse: (key: number) => Promise<readonly EditStep[]>
  /**
   * Keeps a deed, and forgets others, in one write. Where the browser keeps nothing more, it is not kept. With `parts` the
   * inverse is that of the last part, and is kept beside those of the parts before, which take their turn after it.
   */
  readonly write: (kept: SavedAction, inverse: readonly EditStep[], forgotten: readonly SavedAction[]) => Promise<void>
  /** Forgets these deeds. */
  readonly forget: (forgotten: readonly SavedAction[]) => Promise<void>
}

/** How long a deed is kept, in days: as long as the versions of a thing. */
export const actionDays = 90

const dayMilliseconds = 86_400_000
const digits = 12
const pad = (number: number) => String(number).padStart(digits, '0')
const actionKey = (key: number) => `deed/${pad(key)}`
const inverseKey = (key: number, part?: number) => `inverse/${pad(key)}${part === undefined ? '' : `/${pad(part)}`}`
const deleteActions = (forgotten: readonly SavedAction[]): readonly (readonly [string, undefined])[] =>
  forgotten.flatMap(({ deed: { key }, parts = 0 }) => {
    const inverses = Array.from({ length: parts }, (_, index) => inverseKey(key, index + 1))
    return [actionKey(key), inverseKey(key), ...inverses].map((name) => [name, undefined] as const)
  })

/** A keeper in this store. What takes deeds back may be long, and is read only when it is wanted. */
export const createActionLog = (store: LocalStore, now: () => number): ActionLog => ({
  read: async () => {
    const all: SavedAction[] = []
    for await (const [, kept] of store.list('deed/')) all.push(kept as SavedAction)
    const isOld = ({ deed }: SavedAction) => deed.at < now() - actionDays * dayMilliseconds
    const old = all.filter(isOld)
    if (old.length > 0) await store.write(new Map(deleteActions(old)))
    const isLater = (one: SavedAction, other: SavedAction) =>
      other.deed.at - one.deed.at || other.deed.key - one.deed.key
    return all.filter((kept) => !isOld(kept)).sort(isLater)
  },
  readInverse: async (key) => {
    const all: (readonly [string, readonly EditStep[]])[] = []
    for await (const [name, steps] of store.list(inverseKey(key))) all.push([name, steps as readonly EditStep[]])
    return all.sort(([one], [other]) => (one < other ? 1 : -1)).flatMap(([, steps]) => steps)
  },
  forget: (forgotten) => store.write(new Map(deleteActions(forgotten))),
  write: async (kept, inverse, forgotten) => {
    const { key } = kept.deed
    const next = [actionKey(key), kept] as const
    try {
      await store.write(
        new Map<string, unknown>([...deleteActions(forgotten), next, [inverseKey(key, kept.parts), inverse]]),
      )
    } catch (error) {
      // What was done is done, and can be taken back until the page is closed.
      if (!isClientError(error) || !error.code.startsWith('store_')) throw error
    }
  },
})

/** Carries out edits, and takes them back. */
export interface UndoList {
  /** The latest first, fifty at most. */
  readonly deeds: Observable<readonly UserAction[]>
  /** What was done, taken back or done again last since this page was opened. */
  readonly news: Observable<UserAction | undefined>
  /**
   * Carries out the steps, some hundreds in one write, and gives the ids of the things that were made. What was done before
   * a write failed, or before the page was closed, can be taken back.
   */
  readonly perform: (deed: Pick<UserAction, 'kind' | 'name'>, steps: readonly EditStep[]) => Promise<readonly string[]>
  /**
   * The same for a deed that takes a while: other deeds do not wait for it, it can be stopped, and what was done until then
   * is one deed.
   */
  readonly performLong: (
    deed: Pick<UserAction, 'kind' | 'name'>,
    steps: readonly EditStep[],
    watched: LongAction,
  ) => Promise<void>
  /** Takes a deed back, also one of an earlier visit; one that was taken back is done again. */
  readonly undo: (key: number) => Promise<void>
}

/** What watches a deed that takes a while. */
interface LongAction {
  /** Stops it after what is being written. */
  readonly signal: AbortSignal
  readonly onProgress: (stepsDone: number) => void
  /** Told the key of the deed, also when it was stopped or failed; not when nothing was done. */
  readonly onKept: (key: number) => void
}

/** How many deeds are kept. */
export const maxUndoActions = 50

/** How many steps are written at once: so few that a screen is drawn in between. */
export const editsPerWrite = 250

interface Kept extends SavedAction {
  /** Absent where it is still to be read. */
  readonly inverse?: readonly EditStep[]
}

/** The deeds that are kept, as soon as they are read, which `tell` is told when it fails; what is done is kept there, too. */
export const createUndoList = (
  edited: Edited,
  now: () => number,
  keeper: ActionLog,
  tell: (fault: unknown) => void,
): UndoList => {
  const deeds = createObservable<readonly UserAction[]>([])
  const news = createObservable<UserAction | undefined>(undefined)
  // What was deleted and made again has another id, which older deeds do not know.
  const nextIds = new Map<string, string>()
  let kept: readonly Kept[] = []
  let keys = 0

  const set = (next: readonly Kept[]): readonly Kept[] => {
    kept = next.slice(0, maxUndoActions)
    deeds.set(kept.map(({ deed }) => deed))
    return next.slice(maxUndoActions)
  }
  const takeUp = async () => {
    const found = await keeper.read()
    for (const [id, next] of found.flatMap((one) => one.next)) nextIds.set(id, next)
    keys = found.reduce((most, { deed }) => Math.max(most, deed.key), 0)
    set(found)
  }
  let turn: Promise<unknown> = takeUp().catch(tell)

  /** A deed may know a thing by its local id, and a later one by that of the server, or by that of the thing made again. */
  const newest = async (id: string): Promise<string> => {
    const next = nextIds.get(id) ?? (await edited.resolveId(id))
    return next === id ? id : newest(next)
  }
  const plan = async (steps: readonly EditStep[]): Promise<Planned> => {
    const { edits, inverse, made } = await prepareEdit(
      edited,
      await Promise.all(steps.map(async (step) => ('id' in step ? { ...step, id: await newest(step.id) } : step))),
    )
    const next = made.flatMap(({ id, step }) => (step.insteadOf === undefined ? [] : [[step.insteadOf, id] as const]))
    return { edits, inverse, next, ids: made.map(({ id }) => id) }
  }
  const carryOut = async (planned: Planned): Promise<Ran> => {
    await edited.editAll(planned.edits)
    for (const [before, id] of planned.next) nextIds.set(before, id)
    return planned
  }
  /** Gives what takes the steps back to `done`, also when one of them fails. */
  const run = async (steps: readonly EditStep[], done: (ran: Ran) => Promise<unknown>): Promise<void> => {
    const all: Ran[] = []
    try {
      for (const slice of slicesOf(steps)) all.push(await carryOut(await plan(slice)))
    } finally {
      await done(joinRan(all))
    }
  }
  /** A deed in parts. It is kept before a part of it is carried out, so that it can be taken back wherever it is cut off. */
  const begin = ({ kind, name }: Pick<UserAction, 'kind' | 'name'>, isShort: boolean) => {
    const key = ++keys
    const all: Ran[] = []
    let parts = 0
    const toKept = ({ inverse, next }: Ran) => {
      const count = inverse.filter((step) => step.kind !== 'tag').length
      const deed: UserAction = { key, kind, name, count, at: now(), isUndone: false }
      return { deed, next, ...(parts === 0 ? {} : { parts }) }
    }
    return {
      goOn: async (slice: readonly EditStep[]) => {
        const planned = await plan(slice)
        if (!isShort && planned.inverse.length > 0) {
          parts++
          await keeper.write(toKept(joinRan([...all, planned])), planned.inverse, [])
        }
        all.push(await carryOut(planned))
      },
      /** It is in the list at once, and kept when this resolves. */
      end: async (tell?: ReportKey): Promise<readonly string[]> => {
        const ran = joinRan(all)
        const one = toKept(ran)
        if (ran.inverse.length === 0) {
          if (parts > 0) await keeper.forget([one])
          return ran.ids
        }
        const forgotten = set([{ ...one, inverse: ran.inverse }, ...kept])
        news.set(one.deed)
        tell?.(key)
        const doing = all.filter(({ inverse }) => inverse.length > 0)
        // A part that failed is kept as empty.
        await keeper.write(one, parts === 0 ? ran.inverse : (doing[parts - 1]?.inverse ?? []), forgotten)
        return ran.ids
      },
    }
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work)
    turn = result.catch(() => undefined)
    return result
  }
  return {
    deeds,
    news,
    perform: (about, steps) =>
      inTurn(async () => {
        const deed = begin(about, steps.length <= editsPerWrite)
        try {
          for (const slice of slicesOf(steps)) await deed.goOn(slice)
        } catch (error) {
          await deed.end()
          throw error
        }
        return await deed.end()
      }),
    performLong: async (about, steps, { signal, onProgress, onKept }) => {
      const deed = await inTurn(async () => begin(about, false))
      let done = 0
      try {
        for (const slice of slicesOf(steps)) {
          if (signal.aborted) break
          await inTurn(() => deed.goOn(slice))
          done += slice.length
          onProgress(done)
        }
      } finally {
        await inTurn(() => deed.end(onKept))
      }
    },
    undo: (key) =>
      inTurn(async () => {
        const one = kept.find(({ deed }) => deed.key === key)
        if (one === undefined) return
        await run(one.inverse ?? (await keeper.readInverse(key)), async (ran) => {
          const deed = { ...one.deed, isUndone: !one.deed.isUndone }
          const next = [...one.next, ...ran.next]
          set(kept.map((other) => (other.deed.key === key ? { deed, next, inverse: ran.inverse } : other)))
          news.set(deed)
          await keeper.write({ deed, next }, ran.inverse, [one])
        })
      }),
  }
}

type ReportKey = (key: number) => void

/** What was carried out. */
interface Ran {
  readonly inverse: readonly EditStep[]
  readonly next: SavedAction['next']
  readonly ids: readonly string[]
}

/** What is about to be carried out. */
interface Planned extends Ran {
  readonly edits: readonly ReplicaEdit[]
}

/** The last is taken back first. */
const joinRan = (all: readonly Ran[]): Ran => ({
  inverse: all.toReversed().flatMap(({ inverse }) => inverse),
  next: all.flatMap(({ next }) => next),
  ids: all.flatMap(({ ids }) => ids),
})

const slicesOf = function* (steps: readonly EditStep[]): Generator<readonly EditStep[]> {
  for (let from = 0; from < steps.length; from += editsPerWrite) yield steps.slice(from, from + editsPerWrite)
}
