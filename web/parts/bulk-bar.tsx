import { useState } from 'preact/hooks'
import { deleteThings, toggleArchived } from '../data/deeds.ts'
import type { Row } from '../data/rows.ts'
import { planTagging, readTags } from '../data/tag-edits.ts'
import { useShared } from './desk-context.ts'

interface BulkBarProps {
  readonly rows: readonly Row[]
  readonly onAll: () => void
  readonly onNone: () => void
  /** They have been tagged: keys are about the list again. */
  readonly onTagged: () => void
}

/** What can be done with all that is selected. */
export const BulkBar = ({ rows, onAll, onNone, onTagged }: BulkBarProps) => {
  const { desk } = useShared()
  const [text, setText] = useState('')
  const say = desk.words.many

  const tag = async (event: SubmitEvent) => {
    event.preventDefault()
    const words = text.split(/[\s,]+/u)
    const add = readTags(words.filter((word) => !word.startsWith('-')).join(' '))
    const drop = readTags(
      words
        .filter((word) => word.startsWith('-'))
        .map((word) => word.slice(1))
        .join(' '),
    )
    const isDone = await desk.perform({ kind: 'tagged', name: rows[0]?.title ?? '' }, planTagging(rows, add, drop))
    if (isDone === undefined) return
    setText('')
    onTagged()
  }
  const isAllArchived = rows.every((row) => row.archived)
  const thenClear = (isDone: unknown) => {
    if (isDone !== undefined) onNone()
  }
  return (
    <section class="bulk" aria-label={say.selected(rows.length)}>
      <p>
        <strong aria-live="polite">{say.selected(rows.length)}</strong>
        <button type="button" class="plain" onClick={onAll}>
          {say.all}
        </button>
        <button type="button" class="plain" onClick={onNone}>
          {say.none}
        </button>
      </p>
      <form onSubmit={tag}>
        <label class="aside" for="bulk-tags">
          {say.tagLabel}
        </label>
        <input
          id="bulk-tags"
          type="text"
          value={text}
          placeholder="home -work"
          title={say.tagLabel}
          autocapitalize="none"
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit">{say.tag}</button>
      </form>
      <div class="buttons">
        <button type="button" onClick={() => toggleArchived(desk, rows).then(thenClear)}>
          {isAllArchived ? say.unarchive : say.archive}
        </button>
        <button type="button" class="grave" onClick={() => deleteThings(desk, rows).then(thenClear)}>
          {say.delete}
        </button>
      </div>
    </section>
  )
}
