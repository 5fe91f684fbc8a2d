import { useEffect, useState } from 'preact/hooks'
import type { LostEdit } from '../../src/client/index.ts'
import type { Deed } from '../data/undo.ts'
import { useShared } from '../parts/desk-context.ts'
import { formatClock } from '../parts/format-date.ts'
import { Link } from '../parts/link.tsx'
import { useObservable } from '../parts/use-observable.ts'

const toThing = (thing: string) => ({ screen: 'things', query: '', thing }) as const

const useLostEdits = (): readonly [readonly LostEdit[], () => void] => {
  const { app, library, look } = useShared().desk
  const { revision } = useObservable(library.state)
  const [lost, setLost] = useState<readonly LostEdit[]>([])
  const read = () => void look(async () => setLost(await app.replica.listLostEdits()))
  useEffect(read, [revision])
  return [lost, read]
}

/** What the server refused, and what other devices deleted or overwrote. */
const Concerns = () => {
  const { desk } = useShared()
  const { refused, overwritten } = useObservable(desk.app.state)
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
                    <Link to={toThing(name)}>{desk.library.findById(name)?.title.slice(0, 200) ?? name}</Link>
                  ) : (
                    <bdi>#{name}</bdi>
                  )}
                  <span>{error.description ?? error.message}</span>
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
                <bdi class="what">{edit.content.title.slice(0, 200)}</bdi>
                <div class="acts">
                  <button
                    type="button"
                    aria-label={`${say.makeAgain}: ${edit.content.title.slice(0, 200)}`}
                    onClick={() => makeAgain(edit)}
                  >
                    {say.makeAgain}
                  </button>
                  <button
                    type="button"
                    aria-label={`${say.forget}: ${edit.content.title.slice(0, 200)}`}
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
                  <bdi>{version.content.title.slice(0, 200)}</bdi>
                </Link>
                <span class="soft">{formatClock(version.replacedAt, desk.words.code)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** What was done here, each to be taken back, and what others did to it. */
export const RecentScreen = () => {
  const { desk } = useShared()
  const deeds = useObservable(desk.undo.deeds)
  const { words } = desk
  const say = words.recentScreen
  const nameOf = ({ kind, name, count }: Deed) => words.deed[kind](name.slice(0, 200), count)
  return (
    <section class="sheet">
      <h1>{words.recent}</h1>
      <Concerns />
      <h2>{say.done}</h2>
      {deeds.length === 0 && <p class="soft">{say.nothing}</p>}
      <ol class="rows deeds">
        {deeds.map((deed) => (
          <li key={deed.key}>
            <div class="what">
              <bdi class={deed.isUndone ? 'struck' : ''}>{nameOf(deed)}</bdi>
              <span>{formatClock(deed.at, words.code)}</span>
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
