import { useEffect, useState } from 'preact/hooks'
import type { LostEdit, ThingVersion } from '../../client/src/index.ts'
import { nameThing } from '../data/messages.ts'
import type { UserAction } from '../data/undo.ts'
import { Link, useObservable, useShared } from '../parts/context.tsx'
import { formatSince } from '../parts/format-date.ts'

const toThing = (thing: string) => ({ screen: 'things', query: '', thing }) as const

const useLostEdits = (): readonly [readonly LostEdit[], () => void] => {
  const { app, library, look } = useShared().model
  const { revision } = useObservable(library.state)
  const [lost, setLost] = useState<readonly LostEdit[]>([])
  const read = () => void look(async () => setLost(await app.replica.listLostEdits()))
  useEffect(read, [revision])
  return [lost, read]
}

/** The versions that nobody has said to have seen yet. They stay with their things. */
const useUnseen = (all: readonly ThingVersion[]): readonly [readonly ThingVersion[], () => void] => {
  const { model: desk } = useShared()
  const [mark] = useState(() => desk.draft('overwritten seen'))
  const [seenAt, setSeenAt] = useState(() => Number(mark.read()))
  const markSeen = () => {
    const latest = all.at(-1)?.replacedAt ?? 0
    mark.write(String(latest))
    setSeenAt(latest)
  }
  return [all.filter(({ replacedAt }) => replacedAt > seenAt), markSeen]
}

/** What the server refused, and what other devices deleted or overwrote. */
const Concerns = () => {
  const { model: desk } = useShared()
  const { refused, overwritten: all } = useObservable(desk.app.state)
  const [overwritten, markSeen] = useUnseen(all)
  const [lost, readLost] = useLostEdits()
  const say = desk.words.recentScreen
  const forget = (id: string) => desk.attempt(() => desk.app.replica.forgetLostEdit(id)).then(readLost)
  const makeAgain = async ({ id, content }: LostEdit) => {
    const made = await desk.perform({ kind: 'added', name: content.title }, [{ kind: 'create', fields: content }])
    if (made !== undefined) await forget(id)
  }
  if (refused.length + overwritten.length + lost.length === 0) return <p class="soft">{say.allWell}</p>
  return (
    <>
      {refused.length > 0 && (
        <section class="note bad">
          <h2>{say.refused}</h2>
          <ul class="rows">
            {refused.map(({ kind, name, error }) => (
              <li key={`${kind} ${name}`}>
                <div class="what">
                  {kind === 'thing' ? (
                    <Link to={toThing(name)}>
                      {nameThing(desk.library.findById(name) ?? { title: name }, desk.words).slice(0, 200)}
                    </Link>
                  ) : (
                    <bdi>#{name}</bdi>
                  )}
                  <span>{say.whyRefused(error.description ?? error.message)}</span>
                </div>
              </li>
            ))}
          </ul>
          <p class="soft">{say.refusedHint}</p>
        </section>
      )}
      {lost.length > 0 && (
        <section class="note heed">
          <h2>{say.lost}</h2>
          <ul class="rows">
            {lost.map((edit) => (
              <li key={edit.id}>
                <bdi class="what">{nameThing(edit.content, desk.words).slice(0, 200)}</bdi>
                <div class="acts">
                  <button
                    type="button"
                    aria-label={`${say.makeAgain}: ${nameThing(edit.content, desk.words).slice(0, 200)}`}
                    onClick={() => makeAgain(edit)}
                  >
                    {say.makeAgain}
                  </button>
                  <button
                    type="button"
                    aria-label={`${say.forget}: ${nameThing(edit.content, desk.words).slice(0, 200)}`}
                    onClick={() => forget(edit.id)}
                  >
                    {say.forget}
                  </button>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {overwritten.length > 0 && (
        <section class="note heed">
          <h2>{say.overwritten}</h2>
          <ul class="rows">
            {overwritten.map((version) => (
              <li key={version.name}>
                <Link to={toThing(version.id)}>
                  <bdi>{nameThing(version.content, desk.words).slice(0, 200)}</bdi>
                </Link>
                <span class="soft">{formatSince(version.replacedAt, desk.words.code)}</span>
              </li>
            ))}
          </ul>
          <p class="soft">{say.overwrittenHint}</p>
          <div class="buttons">
            <button type="button" onClick={markSeen}>
              {say.seen}
            </button>
          </div>
        </section>
      )}
    </>
  )
}

/** What was typed into the form of a thing and not saved, also of one that somebody has deleted since. */
const Unsaved = () => {
  const { model: desk } = useShared()
  const [unsaved] = useState(desk.listUnsaved)
  if (unsaved.size === 0) return null
  return (
    <section class="note heed">
      <h2>{desk.words.recentScreen.unsaved}</h2>
      <ul class="rows">
        {[...unsaved].map(([id, { form }]) => (
          <li key={id}>
            <Link to={{ ...toThing(id), isEditing: true }}>
              <bdi>{nameThing(form, desk.words).slice(0, 200)}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What was done here, each to be taken back, and what others did to it. */
export const RecentScreen = () => {
  const { model: desk } = useShared()
  const deeds = useObservable(desk.undo.deeds)
  const { words } = desk
  const say = words.recentScreen
  const nameOf = ({ kind, name, count }: UserAction) =>
    words.deed[kind](nameThing({ title: name }, words).slice(0, 200), count)
  return (
    <section class="sheet">
      <h1>{words.recent}</h1>
      <Concerns />
      <Unsaved />
      <h2>{say.done}</h2>
      {deeds.length === 0 && <p class="soft">{say.nothing}</p>}
      <ol class="rows deeds">
        {deeds.map((deed) => (
          <li key={deed.key}>
            <div class="what">
              <bdi class={deed.isUndone ? 'struck' : ''}>{nameOf(deed)}</bdi>
              <span>{formatSince(deed.at, words.code)}</span>
            </div>
            <button
              type="button"
              aria-label={`${deed.isUndone ? say.redo : say.undo}: ${nameOf(deed)}`}
              onClick={() => desk.attempt(() => desk.undo.undo(deed.key))}
            >
              {deed.isUndone ? say.redo : say.undo}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
