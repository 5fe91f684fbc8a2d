import type { Config } from 'dompurify'
import createDOMPurify from 'dompurify'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useShared } from './context.tsx'

const purify = createDOMPurify(window)

/** A note that may be shown. */
interface CleanNote {
  readonly content: DocumentFragment
  /** Images that were left out because they would have been loaded. */
  readonly hiddenImages: number
}

/** A note as an editor is given it: nothing runs or loads, and it says what was taken away. */
interface EditableNote {
  readonly content: DocumentFragment
  /** Names of elements and attributes, each once. */
  readonly removed: readonly string[]
}

const settings = (): Config => ({
  // Notes are text. Forms, styles and names would let a note pass for a part of the app.
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

// Of `<frameset>` a document without a body is made, and DOMPurify gives null.
const orNothing = (content: DocumentFragment | null): DocumentFragment => content ?? document.createDocumentFragment()

const isLoadable = (address: string | null): boolean =>
  address !== null && URL.canParse(address) && new URL(address).protocol === 'https:'

/** A note without anything that runs or loads, and with `showsImages` with its images from https. */
const sanitizeHtml = (html: string, showsImages: boolean): CleanNote => {
  const content = orNothing(purify.sanitize(html, { ...settings(), RETURN_DOM_FRAGMENT: true }))
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
  return { content, hiddenImages }
}

// Tags of a whole document are taken in silence, by the browser's parser.
const documentTags = /<(?:!doctype|\/?html|\/?head|\/?body|\/?frameset)\b/iu

// A form may have a field that is named `nodeName`, and would give that.
const readNodeName = Object.getOwnPropertyDescriptor(Node.prototype, 'nodeName')?.get

const nameOf = (node: Node): string => String(readNodeName?.call(node)).toLowerCase().replace('#', '')

/** A note for an editor, with the names of all that was taken away from it. */
export const sanitizeForEditing = (html: string): EditableNote => {
  // Of nothing DOMPurify makes a comment, which it then removes.
  const content = orNothing(
    purify.sanitize(html === '' ? ' ' : html, {
      ...settings(),
      ADD_ATTR: ['target'],
      // Without it elements at the beginning fall into a head that nobody looks at.
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

/** What is pasted or dropped, before an editor takes it apart. */
export const sanitizePasted = (html: string): string =>
  purify.sanitize(html, { ...settings(), ADD_ATTR: ['target', 'data-pm-slice'] })

/** A note as it is read. */
export const Note = ({ html }: { readonly html: string }) => {
  const { model: desk, preferences } = useShared()
  const place = useRef<HTMLDivElement>(null)
  const [hiddenImages, setHiddenImages] = useState(0)
  useLayoutEffect(() => {
    const note = sanitizeHtml(html, preferences.showsImages)
    place.current?.replaceChildren(note.content)
    setHiddenImages(note.hiddenImages)
  }, [html, preferences.showsImages])
  return (
    <>
      <div class="prose" dir="auto" ref={place} />
      {hiddenImages > 0 && <p class="soft">{desk.words.thing.imagesHidden}</p>}
    </>
  )
}
