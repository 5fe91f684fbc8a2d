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

/** An edit as data; the screens create every edit as steps. */
export type EditStep =
  | {
      readonly kind: 'create'
      readonly fields: ReplicaFields & { readonly title: string }
      /** The ID of the deleted item that this item replaces. */
      readonly insteadOf?: string
    }
  | { readonly kind: 'change'; readonly id: string; readonly fields: ReplicaFields }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'tag'; readonly name: string; readonly change: ReplicaTagFields }

/** The part of the replica that steps need. */
type EditTarget = Pick<Replica, 'editAll' | 'findThings' | 'listTags' | 'resolveId'>

/** Returns the fields that are needed to create the item again. */
const toContent = ({ id, isPending, ...content }: ReplicaThing): ReplicaFields & { readonly title: string } => content

/** Returns the current values of the fields that a step changes. */
const previousFields = (thing: ReplicaThing, fields: ReplicaFields): ReplicaFields => ({
  ...('title' in fields ? { title: thing.title } : {}),
  ...('tags' in fields ? { tags: thing.tags } : {}),
  ...('date' in fields ? { date: thing.date } : {}),
  ...('url' in fields ? { url: thing.url ?? '' } : {}),
  ...('html' in fields ? { html: thing.html ?? '' } : {}),
  ...('archived' in fields ? { archived: thing.archived } : {}),
  ...('todoStatus' in fields ? { todoStatus: thing.todoStatus ?? false } : {}),
})

const noSettings = { favorite: false, color: false, todo: false } as const

/** Returns the step that restores the current settings of a tag. */
const previousSettings = (
  settings: ReadonlyMap<string, TagSettings>,
  { name, change }: Extract<EditStep, { kind: 'tag' }>,
): EditStep => {
  const { favorite, color, todo } = settings.get(name) ?? noSettings
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

/** Steps that are ready for `editAll`, which writes all of them or none. */
interface PreparedEdit {
  readonly edits: readonly ReplicaEdit[]
  /**
   * The steps that undo the edits, the last first. Items that did not exist need no step. The steps are harmless
   * if the edits were never written.
   */
  readonly inverse: readonly EditStep[]
  /** The items to create, each with its step. */
  readonly created: readonly { readonly id: string; readonly step: Extract<EditStep, { kind: 'create' }> }[]
}

/** Prepares the edits of steps and their inverse, before any change. */
const prepareEdit = async (target: EditTarget, steps: readonly EditStep[]): Promise<PreparedEdit> => {
  const found = await target.findThings(steps.flatMap((step) => ('id' in step ? [step.id] : [])))
  const settings = steps.some(({ kind }) => kind === 'tag') ? await target.listTags() : new Map<string, TagSettings>()
  const possible = steps.filter((step) => !('id' in step) || found.has(step.id))
  const created = possible.flatMap((step) => (step.kind === 'create' ? [{ id: createLocalId(), step }] : []))
  const creations = created.values()
  const edits = possible.map((step): ReplicaEdit => {
    const next = step.kind === 'create' ? creations.next().value : undefined
    return next === undefined ? step : { kind: 'create', fields: next.step.fields, localId: next.id }
  })
  const inverse: EditStep[] = created.map(({ id }) => ({ kind: 'remove', id }) as const)
  for (const step of steps) {
    const thing = 'id' in step ? found.get(step.id) : undefined
    if (step.kind === 'tag') inverse.push(previousSettings(settings, step))
    else if (step.kind === 'remove' && thing)
      inverse.push({ kind: 'create', fields: toContent(thing), insteadOf: thing.id })
    else if (step.kind === 'change' && thing) {
      inverse.push({ kind: 'change', id: step.id, fields: previousFields(thing, step.fields) })
    }
  }
  return { edits, inverse: inverse.reverse(), created }
}

/** The kind of a user action; `words/` has its texts. */
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

/** An action of the user that can be undone. */
export interface UserAction {
  readonly key: number
  readonly kind: ActionKind
  /** The number of affected items. */
  readonly count: number
  /** The title of the item, or the name of the tag. */
  readonly name: string
  /** The ID of the item, if the action affected one item. */
  readonly id?: string
  /** The time of the action, in milliseconds since 1970. */
  readonly at: number
  readonly isUndone: boolean
}

/** A stored action, with the new IDs of items that were deleted and created again. */
interface SavedAction {
  readonly action: UserAction
  /** The previous and the new ID of each item that was created again. */
  readonly next: readonly (readonly [id: string, next: string])[]
  /** The number of parts of the stored inverse, if it is written in parts. */
  readonly parts?: number
}

/** Stores actions and their inverse steps for later visits. */
export interface ActionLog {
  /** Reads the stored actions, the latest first, and deletes those that are older than `actionDays`. */
  readonly read: () => Promise<readonly SavedAction[]>
  /** Reads the inverse of an action; empty if the action is not stored. */
  readonly readInverse: (key: number) => Promise<readonly EditStep[]>
  /**
   * Stores an action and deletes others, in one write. Stores nothing when the browser's storage is full or forbidden.
   * With `parts`, `inverse` belongs to the last part. It is stored beside the inverses of the previous parts, which
   * follow it when the action is undone.
   */
  readonly write: (saved: SavedAction, inverse: readonly EditStep[], forgotten: readonly SavedAction[]) => Promise<void>
  /** Deletes these actions. */
  readonly forget: (forgotten: readonly SavedAction[]) => Promise<void>
  /** A number below `maxWindows` that no other window has; absent if this is the only window. */
  readonly window?: number
  /** Calls the listener when another window has changed the log, until the returned function is called. */
  readonly watch?: (listener: () => void) => () => void
}

/** The maximum number of open windows. Each has keys of its own, so that two windows never write the same action. */
export const maxWindows = 1_000

/** The retention of actions, in days: the same as for the versions of an item. */
export const actionDays = 90

const dayMilliseconds = 86_400_000
const digits = 12
const pad = (number: number) => String(number).padStart(digits, '0')
const actionKey = (key: number) => `action/${pad(key)}`
const inverseKey = (key: number, part?: number) => `inverse/${pad(key)}${part === undefined ? '' : `/${pad(part)}`}`
const deleteActions = (forgotten: readonly SavedAction[]): readonly (readonly [string, undefined])[] =>
  forgotten.flatMap(({ action: { key }, parts = 0 }) => {
    const inverses = Array.from({ length: parts }, (_, index) => inverseKey(key, index + 1))
    return [actionKey(key), inverseKey(key), ...inverses].map((name) => [name, undefined] as const)
  })

const byLatest = (one: SavedAction, other: SavedAction) =>
  other.action.at - one.action.at || other.action.key - one.action.key

/** Creates an action log in this store. The inverse of an action may be long, so it is read only on undo. */
export const createActionLog = (store: LocalStore, now: () => number): ActionLog => ({
  read: async () => {
    const all: SavedAction[] = []
    for await (const [, saved] of store.list('action/')) all.push(saved as SavedAction)
    const isExpired = ({ action }: SavedAction) => action.at < now() - actionDays * dayMilliseconds
    const expired = all.filter(isExpired)
    if (expired.length > 0) await store.write(new Map(deleteActions(expired)))
    return all.filter((saved) => !isExpired(saved)).sort(byLatest)
  },
  readInverse: async (key) => {
    const all: (readonly [string, readonly EditStep[]])[] = []
    for await (const [name, steps] of store.list(inverseKey(key))) all.push([name, steps as readonly EditStep[]])
    return all.sort(([one], [other]) => (one < other ? 1 : -1)).flatMap(([, steps]) => steps)
  },
  forget: (forgotten) => store.write(new Map(deleteActions(forgotten))),
  write: async (saved, inverse, forgotten) => {
    const { key } = saved.action
    const next = [actionKey(key), saved] as const
    try {
      await store.write(
        new Map<string, unknown>([...deleteActions(forgotten), next, [inverseKey(key, saved.parts), inverse]]),
      )
    } catch (error) {
      // The edit itself is written. It can be undone until the page is closed.
      if (!isClientError(error) || !error.code.startsWith('store_')) throw error
    }
  },
})

/** Executes edits and undoes them. */
export interface UndoList {
  /** The actions, the latest first, at most `maxUndoActions`. */
  readonly actions: Observable<readonly UserAction[]>
  /** The action that was last executed, undone or redone since this page was opened. */
  readonly latest: Observable<UserAction | undefined>
  /**
   * Executes the steps, `editsPerWrite` in one write, and returns the IDs of the created items. If a write fails or the
   * page is closed, the completed writes can be undone.
   */
  readonly perform: (
    action: Pick<UserAction, 'kind' | 'name'>,
    steps: readonly EditStep[],
  ) => Promise<readonly string[]>
  /**
   * Executes a long action. Other actions do not wait for it. It can be stopped; the completed writes are then one
   * action.
   */
  readonly performLong: (
    action: Pick<UserAction, 'kind' | 'name'>,
    steps: readonly EditStep[],
    options: LongActionOptions,
  ) => Promise<void>
  /** Undoes an action, also of an earlier visit or another window; redoes an undone action. */
  readonly undo: (key: number) => Promise<void>
  readonly close: () => void
}

/** Options of `performLong`. */
interface LongActionOptions {
  /** Stops the action after the current write. */
  readonly signal: AbortSignal
  /** Receives the number of completed steps after each write. */
  readonly onProgress: (stepsDone: number) => void
  /** Receives the key of the action, also if it was stopped or failed; not called for an action without effect. */
  readonly onSaved: (key: number) => void
}

/** The maximum number of stored actions. */
export const maxUndoActions = 50

/** The number of steps in one write; few enough that the browser paints between two writes. */
export const editsPerWrite = 250

interface LoadedAction extends SavedAction {
  /** Absent until it is read. */
  readonly inverse?: readonly EditStep[]
}

/**
 * Creates the undo list and loads the stored actions; new actions wait for the loading. `onError` receives an error of
 * the loading.
 */
export const createUndoList = (
  target: EditTarget,
  now: () => number,
  log: ActionLog,
  onError: (error: unknown) => void,
): UndoList => {
  const actions = createObservable<readonly UserAction[]>([])
  const latest = createObservable<UserAction | undefined>(undefined)
  // An item that was deleted and created again has a new ID, which older actions do not know.
  const nextIds = new Map<string, string>()
  let loaded: readonly LoadedAction[] = []
  let lastKey = 0

  const set = (next: readonly LoadedAction[]): readonly LoadedAction[] => {
    loaded = next.slice(0, maxUndoActions)
    actions.set(loaded.map(({ action }) => action))
    return next.slice(maxUndoActions)
  }
  const load = async () => {
    const found = await log.read()
    for (const [id, next] of found.flatMap((one) => one.next)) nextIds.set(id, next)
    lastKey = found.reduce((max, { action }) => Math.max(max, action.key), lastKey)
    const stored = new Set(found.map(({ action }) => action.key))
    // With full storage, actions are only here.
    set([...loaded.filter(({ action }) => !stored.has(action.key)), ...found].sort(byLatest))
  }
  let queue: Promise<unknown> = load().catch(onError)
  const unwatch = log.watch?.(() => {
    queue = queue.then(load).catch(onError)
  })
  const createKey = (): number => {
    lastKey = log.window === undefined ? lastKey + 1 : Math.ceil((lastKey + 1) / maxWindows) * maxWindows + log.window
    return lastKey
  }

  // An action may know an item by its client-assigned ID, a later action by the server's ID or the ID of its successor.
  const resolveLatestId = async (id: string): Promise<string> => {
    const next = nextIds.get(id) ?? (await target.resolveId(id))
    return next === id ? id : resolveLatestId(next)
  }
  const plan = async (steps: readonly EditStep[]): Promise<PlannedSteps> => {
    const { edits, inverse, created } = await prepareEdit(
      target,
      await Promise.all(
        steps.map(async (step) => ('id' in step ? { ...step, id: await resolveLatestId(step.id) } : step)),
      ),
    )
    const next = created.flatMap(({ id, step }) =>
      step.insteadOf === undefined ? [] : [[step.insteadOf, id] as const],
    )
    return { edits, inverse, next, ids: created.map(({ id }) => id) }
  }
  const execute = async (planned: PlannedSteps): Promise<ExecutedSteps> => {
    await target.editAll(planned.edits)
    for (const [previous, id] of planned.next) nextIds.set(previous, id)
    return planned
  }
  /** Executes steps; passes the completed ones to `done`, also if a step fails. */
  const run = async (
    steps: readonly EditStep[],
    done: (executed: ExecutedSteps) => Promise<unknown>,
  ): Promise<void> => {
    const all: ExecutedSteps[] = []
    try {
      for (const slice of splitSteps(steps)) all.push(await execute(await plan(slice)))
    } finally {
      await done(joinSteps(all))
    }
  }
  /** Begins an action in parts. Stores each part before its execution, so that an interrupted action can be undone. */
  const begin = ({ kind, name }: Pick<UserAction, 'kind' | 'name'>, isShort: boolean) => {
    const key = createKey()
    const all: ExecutedSteps[] = []
    let parts = 0
    const toSaved = ({ inverse, next }: ExecutedSteps) => {
      const steps = inverse.filter((step) => step.kind !== 'tag')
      const count = steps.length
      const [only] = steps
      const id = count === 1 && only !== undefined && 'id' in only ? { id: only.id } : {}
      const action: UserAction = { key, kind, name, count, ...id, at: now(), isUndone: false }
      return { action, next, ...(parts === 0 ? {} : { parts }) }
    }
    return {
      executePart: async (slice: readonly EditStep[]) => {
        const planned = await plan(slice)
        if (!isShort && planned.inverse.length > 0) {
          parts++
          await log.write(toSaved(joinSteps([...all, planned])), planned.inverse, [])
        }
        all.push(await execute(planned))
      },
      /** Ends the action. It is in the list at once, and stored when this resolves. */
      end: async (onSaved?: (key: number) => void): Promise<readonly string[]> => {
        const executed = joinSteps(all)
        const saved = toSaved(executed)
        if (executed.inverse.length === 0) {
          if (parts > 0) await log.forget([saved])
          return executed.ids
        }
        const forgotten = set([{ ...saved, inverse: executed.inverse }, ...loaded])
        latest.set(saved.action)
        onSaved?.(key)
        const effective = all.filter(({ inverse }) => inverse.length > 0)
        // The inverse of a failed part is stored as empty.
        await log.write(saved, parts === 0 ? executed.inverse : (effective[parts - 1]?.inverse ?? []), forgotten)
        return executed.ids
      },
    }
  }
  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }
  return {
    actions,
    latest,
    perform: (about, steps) =>
      enqueue(async () => {
        const action = begin(about, steps.length <= editsPerWrite)
        try {
          for (const slice of splitSteps(steps)) await action.executePart(slice)
        } catch (error) {
          await action.end()
          throw error
        }
        return await action.end()
      }),
    performLong: async (about, steps, { signal, onProgress, onSaved }) => {
      const action = await enqueue(async () => begin(about, false))
      let done = 0
      try {
        for (const slice of splitSteps(steps)) {
          if (signal.aborted) break
          await enqueue(() => action.executePart(slice))
          done += slice.length
          onProgress(done)
        }
      } finally {
        await enqueue(() => action.end(onSaved))
      }
    },
    undo: (key) =>
      enqueue(async () => {
        const listed = loaded.find(({ action }) => action.key === key)
        if (listed === undefined) return
        await run(listed.inverse ?? (await log.readInverse(key)), async (executed) => {
          const action = { ...listed.action, isUndone: !listed.action.isUndone }
          const next = [...listed.next, ...executed.next]
          set(loaded.map((other) => (other.action.key === key ? { action, next, inverse: executed.inverse } : other)))
          latest.set(action)
          await log.write({ action, next }, executed.inverse, [listed])
        })
      }),
    close: () => unwatch?.(),
  }
}

/** Executed steps with their inverse. */
interface ExecutedSteps {
  readonly inverse: readonly EditStep[]
  readonly next: SavedAction['next']
  readonly ids: readonly string[]
}

/** Steps before their execution. */
interface PlannedSteps extends ExecutedSteps {
  readonly edits: readonly ReplicaEdit[]
}

/** Joins executed steps; the inverse of the last comes first. */
const joinSteps = (all: readonly ExecutedSteps[]): ExecutedSteps => ({
  inverse: all.toReversed().flatMap(({ inverse }) => inverse),
  next: all.flatMap(({ next }) => next),
  ids: all.flatMap(({ ids }) => ids),
})

const splitSteps = function* (steps: readonly EditStep[]): Generator<readonly EditStep[]> {
  for (let from = 0; from < steps.length; from += editsPerWrite) yield steps.slice(from, from + editsPerWrite)
}
