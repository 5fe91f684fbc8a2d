import { useEffect, useRef, useState } from 'preact/hooks'
import type { ReplicaThing } from '../../client/src/index.ts'
import { readSafeAddress } from '../data/add-line.ts'
import { deleteThings, toggleArchived, toggleDone } from '../data/deeds.ts'
import { nameThing } from '../data/name-thing.ts'
import { splitTags } from '../data/rows.ts'
import { useShared } from '../parts/desk-context.ts'
import { EditThing } from '../parts/edit-thing.tsx'
import { formatMoment } from '../parts/format-date.ts'
import { Note } from '../parts/note.tsx'
import { TagChip } from '../parts/tag-chip.tsx'
import { isStruck } from '../parts/thing-row.tsx'
import { useKeys } from '../parts/use-keys.ts'
import { useObservable } from '../parts/use-observable.ts'
import { useTagSettings } from '../parts/use-tag-settings.ts'
import { VersionList } from '../parts/version-list.tsx'

/** The thing with this id as it is now: 'reading' before the first answer. */
const useThing = (id: string): ReplicaThing | 'reading' | 'gone' => {
  const { app, library, look } = useShared().desk
  const { revision } = useObservable(library.state)
  const [thing, setThing] = useState<ReplicaThing | 'reading' | 'gone'>('reading')
  useEffect(() => {
    let isOver = false
    look(async () => {
      const next = (await app.replica.findThing(id)) ?? 'gone'
      if (!isOver) setThing(next)
    })
    return () => {
      isOver = true
    }
  }, [id, revision])
  return thing
}

const Address = ({ url }: { readonly url: string }) => {
  const { words } = useShared().desk
  const safe = readSafeAddress(url)
  if (safe === undefined) {
    return (
      <p>
        <bdi>{url}</bdi> <span class="soft">({words.thing.unsafeAddress})</span>
      </p>
    )
  }
  return (
    <p>
      <a href={safe.href} rel="noopener noreferrer" target="_blank">
        <bdi>{url}</bdi>
      </a>
    </p>
  )
}

/** Longer titles do not fit on half a screen of a phone. */
const longTitle = 300

/** One thing, to be read. */
const ReadThing = ({ thing, query }: { readonly thing: ReplicaThing; readonly query: string }) => {
  const { desk, navigation } = useShared()
  const settings = useTagSettings()
  const heading = useRef<HTMLHeadingElement>(null)
  const say = desk.words.thing
  const tags = splitTags(thing.tags)
  const row = desk.library.findById(thing.id)
  useEffect(() => {
    heading.current?.focus()
    scrollTo({ top: 0, behavior: 'instant' })
  }, [thing.id])
  useEffect(() => {
    document.title = `${nameThing(thing, desk.words).slice(0, 100)} · thingsync`
  }, [thing.title, thing.url, desk.words])

  const back = () => navigation.back({ screen: 'things', query })
  const edit = () => navigation.go({ screen: 'things', query, thing: thing.id, isEditing: true })
  const archive = () => row && toggleArchived(desk, [row])
  const remove = async () => {
    if (row !== undefined && (await deleteThings(desk, [row])) !== undefined) back()
  }
  const finish = () => row && toggleDone(desk, [row])
  useKeys({ e: edit, a: archive, c: finish, Delete: remove, Escape: back, '#': edit })
  return (
    <article class="sheet thing">
      <header class="head">
        <h1
          ref={heading}
          // A long title is scrolled, which has to be possible by keyboard.
          tabIndex={thing.title.length > longTitle ? 0 : -1}
          dir="auto"
          class={isStruck({ ...thing, tags }, settings) ? 'struck' : ''}
        >
          {thing.title.trim() === '' ? desk.words.row.noTitle : thing.title}
        </h1>
        {thing.url !== undefined && <Address url={thing.url} />}
        <p class="about">
          {tags.map((tag) => (
            <TagChip key={tag} name={tag} settings={settings} query={`#${tag}`} />
          ))}
          <span>
            {say.made} {formatMoment(thing.date, desk.words.code)}
          </span>
          {thing.archived && <span>{desk.words.row.archived}</span>}
          {thing.isPending && <span>{desk.words.row.pending}</span>}
        </p>
        {thing.todoStatus !== undefined && (
          <div class="choice">
            <input type="checkbox" id="done" checked={thing.todoStatus} onChange={finish} />
            <label for="done">{say.done}</label>
          </div>
        )}
      </header>
      {thing.html !== undefined && <Note html={thing.html} />}
      <div class="buttons">
        <button type="button" class="main" onClick={edit}>
          {say.edit}
        </button>
        <button type="button" onClick={archive}>
          {thing.archived ? say.unarchive : say.archive}
        </button>
        <button type="button" class="grave" onClick={remove}>
          {say.delete}
        </button>
      </div>
      <VersionList id={thing.id} />
    </article>
  )
}

/** A thing of which only a draft is left. */
const lost = { title: '', tags: '', date: 0, archived: false, isPending: false } as const

/** One thing, to be read or edited. */
export const ThingScreen = ({
  id,
  query,
  isEditing,
}: {
  readonly id: string
  readonly query: string
  readonly isEditing: boolean
}) => {
  const { desk, navigation } = useShared()
  const thing = useThing(id)
  const say = desk.words.thing
  const last = useRef<ReplicaThing | undefined>(undefined)
  if (typeof thing === 'object') last.current = thing
  const isGone = thing === 'gone'
  // What is being typed stays where it is, whoever has deleted the thing meanwhile.
  const hasDraft = isGone && desk.draft(`edit/${id}`).read() !== ''
  const edited = isEditing || hasDraft ? (last.current ?? (hasDraft ? { ...lost, id } : undefined)) : undefined
  const back = () => navigation.back({ screen: 'things', query })
  const finish = (made?: string) =>
    made === undefined ? back() : navigation.replace({ screen: 'things', query, thing: made })
  return (
    <div class="reading">
      <button type="button" class="plain back" onClick={back}>
        <span aria-hidden="true">←</span> {say.back}
      </button>
      {isGone && edited === undefined && (
        <div class="sheet">
          <p>{say.gone}</p>
          <VersionList id={id} />
        </div>
      )}
      {edited !== undefined && <EditThing key={id} thing={edited} isGone={isGone} onDone={finish} />}
      {typeof thing === 'object' && !isEditing && <ReadThing thing={thing} query={query} />}
    </div>
  )
}
