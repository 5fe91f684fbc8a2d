import { type Behaviour, right } from '../server/behaviour.ts'
import type { Upload } from '../server/right-uploads.ts'
import type { Fault } from './fault.ts'

/** An upload that names a thing that is gone and is taken, but not whole. */
function losing(edit: (upload: Upload, isGone: (id: string) => boolean) => Partial<Upload>): Partial<Behaviour> {
  return {
    applied: (given, session, account, world) => {
      const upload = right.applied(given, session, account, world)
      return { ...upload, ...edit(upload, (id) => account.things.get(id)?.deleted !== false) }
    },
  }
}

const before = <T>(list: readonly T[], isGone: (one: T) => boolean): readonly T[] => {
  const first = list.findIndex(isGone)
  return first === -1 ? list : list.slice(0, first + 1)
}

/** Things that are gone take others with them (interface 4.3). */
export const goneFaults: readonly Fault[] = [
  {
    id: 'gone-change-ends-changes',
    title: 'stops changing things at one that is gone',
    behaviour: losing(({ changed }, isGone) => ({ changed: before(changed, ({ id }) => isGone(id)) })),
  },
  {
    id: 'gone-change-ends-upload',
    title: 'creates nothing beside a change of a thing that is gone',
    behaviour: losing(({ created, changed }, isGone) =>
      changed.some(({ id }) => isGone(id)) ? { created: [] } : { created },
    ),
  },
  {
    id: 'gone-deletion-ends-deletions',
    title: 'stops deleting things at one that is gone',
    behaviour: losing(({ deleted }, isGone) => ({ deleted: before(deleted, isGone) })),
  },
]
