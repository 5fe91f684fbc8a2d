import type { Editor } from '@tiptap/core'
import { useRef, useState } from 'preact/hooks'
import type { Words } from '../words/en.ts'
import { type Tool, tools } from './tools.ts'

const modKey = /Mac|iPhone|iPad/u.test(navigator.userAgent) ? 'Meta' : 'Control'

const shortcut = (keys: string): string => keys.replace('Mod', modKey)

/** The buttons above a note: one stop for Tab, arrows go from one to the next. */
export const Toolbar = ({
  editor,
  say,
  onLink,
}: {
  readonly editor: Editor
  readonly say: Words['editor']
  readonly onLink: () => void
}) => {
  const bar = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState('bold')
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(bar.current?.querySelectorAll('button') ?? [])]
    const at = buttons.indexOf(event.target as HTMLButtonElement)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1 }[event.key]
    if (to === undefined || at < 0) return
    event.preventDefault()
    buttons[(to + buttons.length) % buttons.length]?.focus()
  }
  const button = (
    name: string,
    sign: string,
    keys: string,
    isOn: boolean | undefined,
    use: () => void,
    isOff: boolean,
  ) => {
    const label = say.tool[name as keyof Words['editor']['tool']]
    return (
      <button
        key={name}
        type="button"
        class={`tool ${name}`}
        title={`${label} (${shortcut(keys).replace('Control', 'Ctrl')})`}
        // Drawn by the style: read aloud it would say nothing.
        data-sign={sign}
        aria-label={label}
        aria-keyshortcuts={shortcut(keys)}
        aria-pressed={isOn}
        aria-disabled={isOff ? 'true' : undefined}
        tabIndex={current === name ? 0 : -1}
        onFocus={() => setCurrent(name)}
        // The selection in the note stays while a button is pressed.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => {
          if (!isOff) use()
        }}
      />
    )
  }
  const applyTool = (use: Tool['use']) => {
    // At once: TipTap's own command waits for a frame, and the keys until then would be lost.
    editor.view.focus()
    use(editor.chain()).run()
  }
  return (
    <div class="tools" role="toolbar" aria-label={say.tools} aria-controls="note" ref={bar} onKeyDown={onKeyDown}>
      {button('link', '↗', 'Mod+K', editor.isActive('link'), onLink, editor.isActive('codeBlock'))}
      {tools.map(({ name, sign, keys, isOn, isUsable, use }) =>
        button(name, sign, keys, isOn?.(editor), () => applyTool(use), !isUsable(editor)),
      )}
    </div>
  )
}
