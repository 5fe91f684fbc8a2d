import type { ComponentChildren } from 'preact'

/** Text to be copied: one click or tap selects all of it. */
export const Copyable = ({ label, text }: { readonly label: string; readonly text: string }) => (
  <figure class="copy">
    <figcaption>{label}</figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
    <pre tabIndex={0}>{text}</pre>
  </figure>
)

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
      shows it for five minutes, if you load it anew.
    </p>
    {children}
  </section>
)

/** Any text as one word of a POSIX shell. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
