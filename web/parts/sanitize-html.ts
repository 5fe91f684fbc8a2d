import createDOMPurify from 'dompurify'

const purify = createDOMPurify(window)

/** A note that may be shown. */
export interface CleanNote {
  readonly content: DocumentFragment
  /** Images that were left out because they would have been loaded. */
  readonly hiddenImages: number
}

const settings = {
  RETURN_DOM_FRAGMENT: true,
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
} as const

/** A note without anything that runs or loads, and with `showsImages` with its images from https. */
export const sanitizeHtml = (html: string, showsImages: boolean): CleanNote => {
  const content = purify.sanitize(html, {
    ...settings,
    FORBID_TAGS: [...settings.FORBID_TAGS],
    FORBID_ATTR: [...settings.FORBID_ATTR],
  })
  let hiddenImages = 0
  for (const image of content.querySelectorAll('img')) {
    if (showsImages && image.getAttribute('src')?.startsWith('https://') === true) {
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
