import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useShared } from './desk-context.ts'
import { sanitizeHtml } from './sanitize-html.ts'

/** A note as it is read. */
export const Note = ({ html }: { readonly html: string }) => {
  const { desk, preferences } = useShared()
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
