import { useEffect, useState } from 'preact/hooks'
import type { ThingVersion } from '../../client/src/index.ts'
import { toggleBox } from '../data/edit-form.ts'
import { readSafeUrl } from '../data/urls.ts'
import { useObservable, useShared } from '../parts/context.tsx'
import { formatMoment } from '../parts/format-date.ts'
import { Icon } from '../parts/icon.tsx'
import { Note, type NotePoint } from '../parts/note.tsx'
import { preloadEditor } from '../parts/note-field.tsx'

interface BackButtonProps {
  /** Whether the item is beside the list. */
  readonly isPane: boolean
  readonly onBack: () => void
}

/** The button that leaves an item: back to the list, or, beside the list, closes the item. */
export const BackButton = ({ isPane, onBack }: BackButtonProps) => {
  const { item: texts } = useShared().model.words
  if (isPane) {
    return (
      <button type="button" class="plain back" aria-label={texts.close} title={texts.close} onClick={onBack}>
        <Icon name="close" />
      </button>
    )
  }
  return (
    <button type="button" class="plain back" onClick={onBack}>
      <span aria-hidden="true">←</span> <span class="name">{texts.back}</span>
    </button>
  )
}

/** The maximum length of a URL that breaks at its slashes. */
const maxBrokenCharacters = 2000

/** The URL of an item, with a button that opens it if it is safe to open. */
export const UrlLine = ({ url }: { readonly url: string }) => {
  const { words } = useShared().model
  const safe = readSafeUrl(url)
  if (safe === undefined) {
    return (
      <p>
        <bdi>{url}</bdi> <span class="soft">({words.item.unsafeUrl})</span>
      </p>
    )
  }
  return (
    <p class="url-line">
      <a class="button small" href={safe.href} rel="noopener noreferrer" target="_blank">
        {words.item.open} <span aria-hidden="true">↗</span>
      </a>
      <bdi>
        {url.length > maxBrokenCharacters
          ? url
          : url.split(/(?<=[/?&])(?!\/)/u).map((part) => [<wbr key={part} />, part])}
      </bdi>
    </p>
  )
}

/** Whether nothing is selected: a click that ends a selection must not begin the editing. */
export const isUnselected = (): boolean => getSelection()?.isCollapsed !== false

interface ReadNoteProps {
  readonly html: string
  readonly onEdit: (point: NotePoint) => void
  /** Receives the note after a box of a task was ticked. */
  readonly onTick: (html: string) => void
}

const boxPattern = /[☐☑]/gu

/** Returns the index of the box at this point among the boxes of the note; undefined if there is none. */
const findBoxAt = (note: Element, { clientX, clientY }: MouseEvent): number | undefined => {
  const texts = document.createTreeWalker(note, NodeFilter.SHOW_TEXT)
  const range = document.createRange()
  let index = 0
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    for (const { index: start } of text.nodeValue?.matchAll(boxPattern) ?? []) {
      range.setStart(text, start)
      range.setEnd(text, start + 1)
      const box = range.getBoundingClientRect()
      // A finger is wider than the box.
      const isNear = clientX >= box.left - 8 && clientX <= box.right + 4 && clientY >= box.top && clientY <= box.bottom
      if (isNear && text.parentElement?.closest('li.task') !== null) return index
      index++
    }
  }
  return undefined
}

/** A note for reading; a click on it begins the editing at that place. */
export const ReadNote = ({ html, onEdit, onTick }: ReadNoteProps) => {
  const { words } = useShared().model
  if (html === '') {
    return (
      <button type="button" class="plain add-note" onPointerEnter={preloadEditor} onClick={() => onEdit('end')}>
        {words.item.addNote}
      </button>
    )
  }
  const begin = (event: MouseEvent) => {
    if (!(event.target instanceof Element) || event.target.closest('a') !== null || !isUnselected()) return
    const note = event.currentTarget as Element
    const index = findBoxAt(note, event)
    const ticked = index === undefined ? undefined : toggleBox(html, note.textContent, index)
    if (ticked !== undefined) return onTick(ticked)
    const box = note.getBoundingClientRect()
    onEdit({ left: event.clientX - box.left, top: event.clientY - box.top })
  }
  return <Note html={html} onClick={begin} onPointerEnter={preloadEditor} />
}

/** The overwritten versions of an item, the latest first, each with a button that restores it. */
export const VersionList = ({ id }: { readonly id: string }) => {
  const { model, navigation } = useShared()
  const { revision } = useObservable(model.library.state)
  const [versions, setVersions] = useState<readonly ThingVersion[]>([])
  const texts = model.words.item
  useEffect(() => {
    let isOver = false
    model.load(async () => {
      const next = await model.app.replica.listVersions(id)
      if (!isOver) setVersions([...next].reverse())
    })
    return () => {
      isOver = true
    }
  }, [id, revision])
  const takeBack = (version: ThingVersion) =>
    model.attempt(async () => {
      const thing = await model.app.replica.restoreVersion(id, version.name)
      model.conflicts.dismissItem(id)
      // A deleted item gets a new ID.
      if (thing !== id) navigation.replace({ ...navigation.view.read(), thing })
    })
  if (versions.length === 0) return null
  return (
    <section class="versions">
      <h2>{texts.versions}</h2>
      <ol class="rows">
        {versions.map((version) => (
          <li key={version.name}>
            <div class="what">
              <span>
                {texts.why[version.why]} · {formatMoment(version.replacedAt / 1000, model.words.code)}
              </span>
              {version.fields.includes('title') && <strong dir="auto">{version.content.title}</strong>}
              {version.fields.includes('url') && <bdi>{version.content.url}</bdi>}
              {version.fields.includes('tags') && <bdi>{version.content.tags}</bdi>}
              {version.fields.includes('html') && <Note html={version.content.html ?? ''} />}
            </div>
            <button type="button" onClick={() => takeBack(version)}>
              {texts.takeBack}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
