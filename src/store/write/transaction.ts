import { createPace, runBySize } from '../../slices.ts'
import { joinUsage } from '../image/account.ts'
import { draftRecords } from '../image/records.ts'
import { addTagUsage } from '../image/tag-history.ts'
import { maxPosition, type StoredThing, type Thing } from '../model.ts'
import { type ErrandChange, findPosition, type OtherChange, type StoredTag, type Tombstone } from '../record/change.ts'
import { encodeThingStep } from '../record/thing-step.ts'
import { encodeChange } from '../record/write-steps.ts'
import { type ChangeKind, type Draft, StoreFailed } from '../store.ts'
import { addErrands, addThingUsage, findIdsIn, lookUp, type StagingBase } from './ahead.ts'
import { findIn, readThingsOf, type StagedStep, type StagedWrite } from './staged-write.ts'
import { createStepRoom } from './step-room.ts'

/** A write at work: what it reads and changes through `draft`, and the changes it has collected. */
export interface Staging {
  readonly draft: Draft
  /** Ends the write and gives its changes. Work that forgot to await a change finds the draft closed. */
  readonly finish: () => StagedWrite
}

/** How much is done between two looks at the clock. */
const stepsBetweenRests = 32

/** Usage of more changed things is counted in slices. */
const mostItemsAtOnce = 256

/** Begins to collect changes over a base, which stays as it is. */
export const stageChanges = (base: StagingBase, writer: string): Staging => {
  const room = createStepRoom()
  const readThing = readThingsOf(room)
  const steps: StagedStep[] = []
  const items = new Map<string, number | Tombstone>()
  const tags = new Map<string, StoredTag>()
  const records = draftRecords(base.records())
  const errands = new Map<string, ErrandChange>()
  const kinds = new Set<ChangeKind>()
  const writerJson = JSON.stringify(writer)
  const positionBefore = base.position()
  let position = positionBefore
  const todoTagsBefore = base.listTodoTags()
  // Copied once, by the first tag that is put.
  let ownTodoTags: Set<string> | undefined
  let tagUsage = base.tagUsage()
  let isFinished = false
  const pace = createPace()
  let restCount = 0

  /** Work with thousands of things on a draft waits here now and then, so that other events have their turn. */
  const mayRest = (): Promise<void> => {
    restCount += 1
    return restCount % stepsBetweenRests === 0 && pace.isDue() ? pace.rest() : noRest
  }

  const checkOpen = (): void => {
    if (isFinished) throw new Error('a draft was changed after its write had ended')
  }

  const takeNextPosition = (): number => {
    if (position >= maxPosition)
      throw new StoreFailed(
        `the account is at position ${position}, the last one; export it, and import it as another user`,
      )
    return position + 1
  }

  const collect = (change: OtherChange): void => {
    checkOpen()
    room.add(encodeChange(change))
    steps.push(change)
    position = findPosition(change) ?? position
  }

  const now = lookUp(base.form, (id) => findIn({ items, readThing }, id), base)
  const { findThing, findPlace } = now

  /** The oldest one; thousands may have the same url. */
  const findThingByUrl = async (url: string): Promise<StoredThing | undefined> => {
    const candidates: { readonly id: string; readonly createdPosition: number }[] = []
    for (const id of [...base.findIdsByUrl(url), ...findIdsIn({ items, readThing }, url)]) {
      await mayRest()
      const place = findPlace(id)
      if (place !== undefined && 'writer' in place) candidates.push({ id, createdPosition: place.createdPosition })
    }
    candidates.sort((a, b) => a.createdPosition - b.createdPosition)
    for (const { id } of candidates) {
      await mayRest()
      const thing = findThing(id)
      // Those that had the url may have another one by now.
      if (thing?.url === url) return thing
    }
    return undefined
  }

  const findTag = (name: string): StoredTag | undefined => tags.get(name) ?? base.findTag(name)

  const isTodo = (thing: Pick<Thing, 'tags'>): boolean => {
    const todoTags = ownTodoTags ?? todoTagsBefore
    return todoTags.size > 0 && base.form.tagsOf(thing).some((name) => todoTags.has(name))
  }

  const putThing = (thing: Thing): void => {
    // JSON has no such number: the line of this write could never be read again, nor the account.
    if (!Number.isFinite(thing.date)) throw new Error('the date of a thing is no finite number')
    checkOpen()
    const found = findPlace(thing.id)
    const before = found !== undefined && 'writer' in found ? found : undefined
    position = takeNextPosition()
    const place = {
      position,
      // An id that comes back after its deletion stays known to clients that never heard of that.
      createdPosition: found?.createdPosition ?? position,
      writerJson,
      othersPosition: before === undefined ? 0 : before.writer === writer ? before.othersPosition : before.position,
    }
    const isShown = isTodo(thing)
    const step = room.add(encodeThingStep(base.form.showThing(thing, isShown), thing, isShown, place))
    steps.push(step)
    items.set(thing.id, step)
    kinds.add(place.createdPosition > positionBefore ? 'new_thing' : 'changed_thing')
  }

  const deleteThing = (id: string): boolean => {
    const before = findPlace(id)
    if (before === undefined || !('writer' in before)) return false
    const tombstone = { id, position: takeNextPosition(), createdPosition: before.createdPosition }
    collect({ tombstone })
    kinds.add('deleted_thing')
    items.set(id, tombstone)
    return true
  }

  const applyRecord = (change: OtherChange): void => {
    collect(change)
    records.apply(change)
  }

  const putErrand = (key: string, change: ErrandChange): void => {
    checkOpen()
    errands.set(key, change)
  }

  // One that is what it was before the write is no change.
  const listErrandChanges = (): readonly ErrandChange[] => {
    if (errands.size === 0) return noErrandChanges
    const before = base.listErrands()
    return [...errands].flatMap(([key, change]) =>
      ('errand' in change ? change.errand.dueAt : undefined) === before.get(key) ? [] : [change],
    )
  }

  const draft: Draft = {
    position: () => position,
    findThing: async (id) => {
      await mayRest()
      return findThing(id)
    },
    findThingByUrl,
    isTodo: async (thing) => isTodo(thing),
    putThing: (thing) => {
      putThing(thing)
      return mayRest()
    },
    deleteThing: async (id) => {
      await mayRest()
      return deleteThing(id)
    },
    findTag: async (name) => findTag(name)?.settings,
    putTag: async (name, settings) => {
      const tag = { name, position: takeNextPosition(), settings }
      const before = findTag(name)?.settings
      collect({ tag })
      tagUsage = addTagUsage(tagUsage, base.form, name, settings, before)
      kinds.add('tag')
      tags.set(name, tag)
      ownTodoTags ??= new Set(todoTagsBefore)
      if (base.form.isTodoTag(settings)) ownTodoTags.add(name)
      else ownTodoTags.delete(name)
      await mayRest()
    },
    findRecord: async (kind, group, key) => {
      await mayRest()
      return records.find(kind, group, key)
    },
    putRecord: async (kind, group, key, value) => applyRecord({ record: { kind, group, key, value } }),
    deleteRecord: async (kind, group, key) => applyRecord({ removedRecord: { kind, group, key } }),
    deleteRecords: async (kind, group) => applyRecord({ removedRecords: { kind, group } }),
    listRecords: async (kind, group) => records.list(kind, group),
    putErrand: async (key, dueAt) => {
      // JSON has no such number.
      if (!Number.isFinite(dueAt)) throw new Error('the time of an errand is no finite number')
      putErrand(key, { errand: { key, dueAt } })
    },
    deleteErrand: async (key) => putErrand(key, { removedErrand: { key } }),
    listErrands: async () =>
      errands.size === 0 ? base.listErrands() : addErrands(base.listErrands(), errands.values()),
    countUsage: async () => {
      const work = addThingUsage(base.countThingUsage(), items.keys(), now, base)
      return joinUsage(await runBySize(work, items.size > mostItemsAtOnce), tagUsage)
    },
    countTagUsage: async () => tagUsage,
    kinds: () => kinds,
  }

  const finish = (): StagedWrite => {
    isFinished = true
    const errandSteps = listErrandChanges()
    return {
      length: steps.length,
      at: (index) => {
        const step = steps[index] as StagedStep
        return typeof step === 'number' ? readThing(step) : step
      },
      position,
      items,
      readThing,
      tags,
      tagUsage,
      records: records.finish(),
      errands,
      errandSteps,
      // They stand first (change.ts).
      json: room.close(errandSteps.map(encodeChange)),
    }
  }
  return { draft, finish }
}

const noRest = Promise.resolve()
const noErrandChanges: readonly ErrandChange[] = []
