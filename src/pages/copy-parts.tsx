import type { ComponentChildren } from 'preact'

/**
 * Text to be copied. In a field, and not only to be read: there a keyboard selects all of it, and nothing else, without
 * JavaScript.
 */
export const Copyable = ({ label, text }: { readonly label: string; readonly text: string }) => {
  const id = `copy-${label.toLowerCase().replace(/\W+/g, '-')}`
  return (
    <div class="copy">
      <label for={id}>{label}</label>
      <textarea id={id} readOnly={true} rows={text.split('\n').length} autocomplete="off" spellcheck={false}>
        {text}
      </textarea>
    </div>
  )
}

/** A secret that was just made, with what may be pasted. */
export const ShownSecret = ({
  title,
  isKept = false,
  children,
}: {
  readonly title: string
  /** The server needs the secret itself, not a hash. */
  readonly isKept?: boolean
  readonly children: ComponentChildren
}) => (
  <section class="sheet fresh" aria-labelledby="fresh">
    <h2 id="fresh">{title}</h2>
    <p>
      Copy it now: {isKept ? 'it is not shown again' : 'only a hash is kept, so nobody can show it again'}. This page
      shows it for five minutes, if you load it anew. In a field Ctrl+A (on a Mac ⌘A) selects all of it.
    </p>
    {children}
  </section>
)

/** Any text as one word of a POSIX shell. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
