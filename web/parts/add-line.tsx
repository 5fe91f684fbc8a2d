import { useEffect, useRef, useState } from 'preact/hooks'
import { readAddLine } from '../data/add-line.ts'
import { type AddLines, dropWaiting, readWaiting, takeShared, takeWaiting, writeWaiting } from '../data/add-lines.ts'
import { useShared } from './desk-context.ts'
import { useObservable } from './use-observable.ts'

/** One line to add a thing. What is typed is kept at each key, and goes only once the thing is kept. */
export const AddLine = () => {
  const { desk, navigation } = useShared()
  const { added } = useObservable(navigation.view)
  const say = desk.words.add
  const [draft] = useState(() => desk.draft('add'))
  const [line, setLine] = useState(draft.read)
  const [waitingDraft] = useState(() => desk.draft('add waiting'))
  const [waiting, setWaiting] = useState(() => readWaiting(waitingDraft.read()))
  const [isKept, setKept] = useState(true)
  const [needsTitle, setNeedsTitle] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const isAdding = useRef(false)
  const latest = useRef(line)

  const take = (next: string) => {
    latest.current = next
    setLine(next)
    setKept(draft.write(next))
    setNeedsTitle(false)
  }
  const takeAll = (next: AddLines) => {
    setWaiting(next.waiting)
    // Before the line that it stood in is written over.
    const areKept = waitingDraft.write(writeWaiting(next.waiting))
    take(next.line)
    if (!areKept) setKept(false)
    field.current?.focus()
  }
  useEffect(() => {
    if (added === undefined) return
    takeAll(takeShared({ line: draft.read(), waiting: readWaiting(waitingDraft.read()) }, added))
    const { added: _, ...view } = navigation.view.read()
    // From now on the draft has it: a reload must not add it once more.
    navigation.replace(view)
  }, [added])

  const add = async (event: SubmitEvent) => {
    event.preventDefault()
    const fields = readAddLine(line)
    if (fields === undefined) return setNeedsTitle(line.trim() !== '')
    if (isAdding.current) return
    isAdding.current = true
    const ids = await desk.perform({ kind: 'added', name: fields.title }, [{ kind: 'create', fields }])
    isAdding.current = false
    // Whoever types on while it is saved keeps what was typed since.
    if (ids !== undefined && latest.current === line) take('')
    field.current?.focus()
  }
  return (
    <form class="add" onSubmit={add}>
      <label class="aside" for="add">
        {say.label}
      </label>
      <input
        id="add"
        ref={field}
        type="text"
        value={line}
        placeholder={say.hint}
        autocomplete="off"
        enterkeyhint="done"
        dir="auto"
        aria-invalid={needsTitle ? 'true' : undefined}
        aria-describedby={needsTitle || !isKept ? 'add-remark' : undefined}
        onInput={(event) => take(event.currentTarget.value)}
      />
      <button type="submit" class="main">
        {say.button}
      </button>
      {waiting[0] !== undefined && (
        <p class="add-waiting">
          <span>{say.waiting(waiting.length)}</span>
          <button type="button" class="plain" onClick={() => takeAll(takeWaiting({ line, waiting }))}>
            {waiting[0]}
          </button>
          <button
            type="button"
            class="plain"
            aria-label={say.dropLine(waiting[0])}
            onClick={() => takeAll(dropWaiting({ line, waiting }))}
          >
            {say.drop}
          </button>
        </p>
      )}
      {(needsTitle || !isKept) && (
        <p id="add-remark" class="wrong" role="alert">
          {needsTitle ? say.needsTitle : say.notKept}
        </p>
      )}
    </form>
  )
}
