import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { ReplicaThing } from '../../client/src/index.ts'
import type { Row } from '../data/item-parts.ts'
import { useObservable, useShared } from '../parts/context.tsx'
import { BackButton, VersionList } from './item-reading.tsx'
import { ItemSheet } from './item-sheet.tsx'

export { sanitizePasted } from '../parts/note.tsx'

/** An item as it is known: 'missing' if it does not exist. */
interface KnownItem {
  readonly thing: ReplicaThing | 'reading' | 'missing'
  /** Reads the item again. */
  readonly reload: () => Promise<void>
}

/** Returns the current item with this ID; 'reading' before the store has responded. */
const useThing = (id: string): KnownItem => {
  const { app, library, load } = useShared().model
  const { revision } = useObservable(library.state)
  const [thing, setThing] = useState<KnownItem['thing']>('reading')
  const latest = useRef(0)
  const reload = async () => {
    const turn = ++latest.current
    await load(async () => {
      const next = (await app.replica.findThing(id)) ?? 'missing'
      if (turn === latest.current) setThing(next)
    })
  }
  // A layout effect, because an effect would begin the reading a frame later.
  useLayoutEffect(() => {
    reload()
    return () => {
      latest.current++
    }
  }, [id, revision])
  return { thing, reload }
}

/** Returns an item without its note, from the row that is in memory already. */
const toPreview = ({ id, title, tags, date, url, archived, todoStatus, isPending }: Row): ReplicaThing => ({
  id,
  title,
  tags: tags.join(' '),
  date,
  archived,
  isPending,
  ...(url === undefined ? {} : { url }),
  ...(todoStatus === undefined ? {} : { todoStatus }),
})

/** The fields of a deleted item of which only a draft exists. */
const deletedThing = { title: '', tags: '', date: 0, archived: false, isPending: false } as const

interface ItemScreenProps {
  readonly id: string
  readonly query: string
  /** Whether all fields are open for editing. */
  readonly isEditing: boolean
  /** Whether the item is beside the list. */
  readonly isPane: boolean
}

/** The screen of one item, which is edited where it is read; in a wide window it is beside the list. */
export const ItemScreen = ({ id, query, isEditing, isPane }: ItemScreenProps) => {
  const { model, navigation } = useShared()
  const { thing, reload } = useThing(id)
  const texts = model.words.item
  const last = useRef<ReplicaThing | undefined>(undefined)
  if (typeof thing === 'object') last.current = thing
  const isMissing = thing === 'missing'
  const hasDraft = model.draft(`edit/${id}`).read() !== ''
  const isLeft = useRef(false)
  const row = model.library.findById(id)
  // What is edited needs the note; what is only read appears at once.
  const preview = thing === 'reading' && !isEditing && !hasDraft && row !== undefined ? toPreview(row) : undefined
  // A draft stays in its form, even if the item was deleted meanwhile.
  const isKept = isMissing && !isLeft.current && (hasDraft || (isEditing && last.current !== undefined))
  const kept = isKept ? (last.current ?? { ...deletedThing, id }) : undefined
  const shown = typeof thing === 'object' ? thing : (kept ?? preview)
  const list = { screen: 'things', query } as const
  const back = () => (isPane ? navigation.go(list) : navigation.back(list))
  const finish = (createdId?: string) => {
    isLeft.current = isMissing
    if (createdId !== undefined) return navigation.replace({ ...list, thing: createdId })
    // Beside the list, the item stays for reading.
    if (isPane && isEditing && !isMissing) return navigation.replace({ ...list, thing: id })
    if (isEditing || isMissing) back()
  }
  if (shown !== undefined) {
    return (
      <div class="reading">
        <ItemSheet
          key={id}
          thing={shown}
          isComplete={preview === undefined}
          isMissing={isMissing}
          isEditing={isEditing}
          isPane={isPane}
          reload={reload}
          onBack={back}
          onDone={finish}
        />
      </div>
    )
  }
  return (
    <div class="reading">
      <div class="item-bar">
        <BackButton isPane={isPane} onBack={back} />
      </div>
      {isMissing && (
        <div class="sheet">
          <p>{texts.itemMissing}</p>
          <VersionList id={id} />
        </div>
      )}
    </div>
  )
}
