import purify, { type Config } from 'dompurify'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { doneBox, openBox } from '../data/edit-form.ts'
import { useShared } from './context.tsx'

/** A sanitized note for display. */
interface SanitizedNote {
  readonly content: DocumentFragment
  /** The number of images that were removed so that they do not load. */
  readonly hiddenImages: number
}

/** A sanitized note for the editor, with the names of everything that was removed. */
interface EditableNote {
  readonly content: DocumentFragment
  /** The names of removed elements and attributes, each once. */
  readonly removed: readonly string[]
}

const settings = (): Config => ({
  // Notes are text. Forms, styles and names would let a note imitate a part of the app.
  USE_PROFILES: { html: true },
  FORBID_TAGS: [
    'style',
    'form',
    'input',
    'button',
    'select',
    'textarea',
    'dialog',
    'audio',
    'video',
    'source',
    'picture',
    'template',
  ],
  FORBID_ATTR: [
    'style',
    'class',
    'id',
    'name',
    'srcset',
    'background',
    'poster',
    'popover',
    'popovertarget',
    'tabindex',
    'autofocus',
  ],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
})

// For `<frameset>` the document has no body, and DOMPurify returns null.
const orEmpty = (content: DocumentFragment | null): DocumentFragment => content ?? document.createDocumentFragment()

const isLoadable = (url: string | null): boolean =>
  url !== null && URL.canParse(url) && new URL(url).protocol === 'https:'

/** Removes everything from a note that runs or loads; `showsImages` keeps images from https URLs. */
const sanitizeHtml = (html: string, showsImages: boolean): SanitizedNote => {
  const content = orEmpty(purify.sanitize(html, { ...settings(), RETURN_DOM_FRAGMENT: true }))
  let hiddenImages = 0
  for (const image of content.querySelectorAll('img')) {
    if (showsImages && isLoadable(image.getAttribute('src'))) {
      image.referrerPolicy = 'no-referrer'
      image.loading = 'lazy'
      continue
    }
    hiddenImages++
    image.replaceWith(image.alt)
  }
  for (const link of content.querySelectorAll('a[href], area[href]')) {
    link.setAttribute('rel', 'noopener noreferrer')
    link.setAttribute('target', '_blank')
  }
  for (const item of content.querySelectorAll('li')) {
    const box = [openBox, doneBox].find((each) => item.textContent.trimStart().startsWith(each))
    if (box !== undefined) item.className = box === doneBox ? 'task done' : 'task'
  }
  return { content, hiddenImages }
}

// The browser's parser removes the tags of a whole document, and DOMPurify does not report them.
const documentTags = /<(?:!doctype|\/?html|\/?head|\/?body|\/?frameset)\b/iu

// In a form, `form.nodeName` may be a field of that name (DOM clobbering).
const nameOf = (node: Node): string => {
  const readName = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeName')?.get
  return String(readName?.call(node)).toLowerCase().replace('#', '')
}

/** Sanitizes a note for the editor, and lists everything that was removed. */
export const sanitizeForEditing = (html: string): EditableNote => {
  // For an empty text, DOMPurify creates a comment and reports its removal.
  const content = orEmpty(
    purify.sanitize(html === '' ? ' ' : html, {
      ...settings(),
      ADD_ATTR: ['target'],
      // Otherwise elements at the beginning end up in the head, which is not part of the result.
      FORCE_BODY: true,
      RETURN_DOM_FRAGMENT: true,
    }),
  )
  const names = purify.removed.map((one) =>
    'element' in one ? nameOf(one.element) : (one.attribute?.name ?? 'attribute'),
  )
  if (documentTags.test(html)) names.push('html')
  const removed = new Set(names.filter((name) => name !== 'remove'))
  return { content, removed: [...removed] }
}

/** Sanitizes pasted or dropped HTML before the editor parses it. */
export const sanitizePasted = (html: string): string =>
  purify.sanitize(html, { ...settings(), ADD_ATTR: ['target', 'data-pm-slice'] })

/** A point in a note, in CSS pixels from the top left corner of the note; 'end' for its end. */
export type NotePoint = { readonly left: number; readonly top: number } | 'end'

interface NoteProps {
  readonly html: string
  readonly onClick?: (event: MouseEvent) => void
  readonly onPointerEnter?: () => void
}

/** A note for reading. */
export const Note = ({ html, onClick, onPointerEnter }: NoteProps) => {
  const { model, preferences } = useShared()
  const container = useRef<HTMLDivElement>(null)
  const [hiddenImages, setHiddenImages] = useState(0)
  useLayoutEffect(() => {
    const note = sanitizeHtml(html, preferences.showsImages)
    container.current?.replaceChildren(note.content)
    setHiddenImages(note.hiddenImages)
  }, [html, preferences.showsImages])
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the keyboard has the button "Edit" and the key E */}
      <div class="prose" dir="auto" ref={container} onClick={onClick} onPointerEnter={onPointerEnter} />
      {hiddenImages > 0 && <p class="soft">{model.words.item.imagesHidden}</p>}
    </>
  )
}
