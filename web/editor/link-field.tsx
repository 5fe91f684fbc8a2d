import type { Editor } from '@tiptap/core'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { readSafeAddress } from '../data/add-line.ts'
import type { Words } from '../words/en.ts'

/** The address that a person means: one without a scheme is a page. Undefined for what may not be opened by a click. */
const readTypedAddress = (typed: string): string | undefined => {
  const address = typed.trim()
  if (/^[a-z][a-z0-9+.-]*:/iu.test(address) && !/^[^:/]+:\d+(?:\/|$)/u.test(address))
    return readSafeAddress(address)?.href
  return /\s/u.test(address) || address === '' ? undefined : readSafeAddress(`https://${address}`)?.href
}

/** Asks for the address of a link. */
export const LinkField = ({
  editor,
  say,
  onDone,
}: {
  readonly editor: Editor
  readonly say: Words['editor']
  readonly onDone: () => void
}) => {
  const [isLink] = useState(() => editor.isActive('link'))
  const [typed, setTyped] = useState<string>(() => editor.getAttributes('link').href ?? '')
  const [isWrong, setWrong] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  // Before the next key is typed.
  useLayoutEffect(() => {
    field.current?.focus()
    field.current?.select()
  }, [])
  // At once: TipTap's own command waits for a frame, and the keys until then would be lost.
  const focusNote = () => editor.view.focus()
  const done = () => {
    onDone()
    focusNote()
  }
  const set = () => {
    const href = readTypedAddress(typed)
    if (href === undefined) return setWrong(true)
    focusNote()
    const chain = editor.chain().extendMarkRange('link')
    if (editor.state.selection.empty && !isLink) {
      chain.insertContent({ type: 'text', text: typed.trim(), marks: [{ type: 'link', attrs: { href } }] }).run()
    } else chain.setLink({ href }).run()
    onDone()
  }
  const remove = () => {
    focusNote()
    editor.chain().extendMarkRange('link').unsetLink().run()
    onDone()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter') set()
    else if (event.key === 'Escape') done()
    else return
    event.preventDefault()
    // Not the form around it, which would be saved, nor the page, which would leave it.
    event.stopPropagation()
  }
  return (
    <div class="link-field">
      <label for="link-address">{say.linkAddress}</label>
      <input
        id="link-address"
        ref={field}
        type="text"
        inputMode="url"
        autocapitalize="none"
        spellcheck={false}
        value={typed}
        aria-invalid={isWrong ? 'true' : undefined}
        aria-describedby={isWrong ? 'link-wrong' : undefined}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value)
          setWrong(false)
        }}
        onKeyDown={onKeyDown}
      />
      <button type="button" onClick={set}>
        {say.setLink}
      </button>
      {isLink && (
        <button type="button" onClick={remove}>
          {say.removeLink}
        </button>
      )}
      <button type="button" onClick={done}>
        {say.cancelLink}
      </button>
      {isWrong && (
        <span class="wrong" id="link-wrong" role="alert">
          {say.wrongLink}
        </span>
      )}
    </div>
  )
}
