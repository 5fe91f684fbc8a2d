import type { ThingVersion } from '../../client/src/index.ts'
import type { SharedText } from './drafts.ts'
import { createObservable, type Observable } from './observable.ts'
import type { AppState } from './open-account.ts'

/** The edits of this device that other devices replaced or deleted, and that the user has not dismissed. */
export interface Conflicts {
  /** The kept versions, the latest last. */
  readonly unseen: Observable<readonly ThingVersion[]>
  /** Dismisses versions; they stay dismissed on later visits. The content itself stays with the item. */
  readonly dismiss: (versions: readonly ThingVersion[]) => void
  /** Dismisses all versions of the item with this ID, for example after one of them was restored. */
  readonly dismissItem: (id: string) => void
  readonly close: () => void
}

const readNames = (seen: SharedText): ReadonlySet<string> =>
  new Set(seen.read() === '' ? [] : (JSON.parse(seen.read()) as readonly string[]))

/** Follows the overwritten versions of an account until it is closed; `seen` stores the names of dismissed versions. */
export const openConflicts = (state: Observable<Pick<AppState, 'overwritten'>>, seen: SharedText): Conflicts => {
  const unseen = createObservable<readonly ThingVersion[]>([])
  const update = () => {
    const names = readNames(seen)
    const next = state.read().overwritten.filter(({ name }) => !names.has(name))
    const before = unseen.read()
    // The state also changes with each sync; only new conflicts concern the observers.
    if (next.length !== before.length || next.some(({ name }, index) => name !== before[index]?.name)) unseen.set(next)
  }
  const dismiss = (versions: readonly ThingVersion[]) => {
    if (versions.length === 0) return
    const names = new Set([...readNames(seen), ...versions.map(({ name }) => name)])
    // Expired versions never come back, so their names are forgotten.
    const known = state.read().overwritten.map(({ name }) => name)
    seen.write(JSON.stringify(known.filter((name) => names.has(name))))
    update()
  }
  update()
  const unwatchState = state.watch(update)
  // Another window dismisses as well.
  const unwatchSeen = seen.watch(update)
  return {
    unseen,
    dismiss,
    dismissItem: (id) => dismiss(unseen.read().filter((version) => version.id === id)),
    close: () => {
      unwatchState()
      unwatchSeen()
    },
  }
}
