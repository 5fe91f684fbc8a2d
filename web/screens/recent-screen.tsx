import { useEffect, useState } from 'preact/hooks'
import type { LostEdit } from '../../client/src/index.ts'
import { nameThing } from '../data/messages.ts'
import type { UserAction } from '../data/undo.ts'
import { Link, useObservable, useShared } from '../parts/context.tsx'
import { formatSince } from '../parts/format-date.ts'

const toThing = (thing: string) => ({ screen: 'things', query: '', thing }) as const

const useLostEdits = (): readonly [readonly LostEdit[], () => void] => {
  const { app, library, load } = useShared().model
  const { revision } = useObservable(library.state)
  const [lost, setLost] = useState<readonly LostEdit[]>([])
  const read = () => void load(async () => setLost(await app.replica.listLostEdits()))
  useEffect(read, [revision])
  return [lost, read]
}

/** The edits that the server rejected, and the edits that other devices deleted or overwrote. */
const Conflicts = () => {
  const { model } = useShared()
  const { rejected } = useObservable(model.app.state)
  const overwritten = useObservable(model.conflicts.unseen)
  const [lost, readLost] = useLostEdits()
  const texts = model.words.recentScreen
  const forget = (id: string) => model.attempt(() => model.app.replica.forgetLostEdit(id)).then(readLost)
  const createAgain = async ({ id, content }: LostEdit) => {
    const created = await model.perform({ kind: 'added', name: content.title }, [{ kind: 'create', fields: content }])
    if (created !== undefined) await forget(id)
  }
  return (
    <>
      {rejected.length > 0 && (
        <section class="note bad">
          <h2>{texts.rejected}</h2>
          <ul class="rows">
            {rejected.map(({ kind, name, error }) => (
              <li key={`${kind} ${name}`}>
                <div class="what">
                  {kind === 'thing' ? (
                    <Link to={toThing(name)}>
                      {nameThing(model.library.findById(name) ?? { title: name }, model.words).slice(0, 200)}
                    </Link>
                  ) : (
                    <bdi>#{name}</bdi>
                  )}
                  <span>{texts.whyRejected(error)}</span>
                </div>
              </li>
            ))}
          </ul>
          <p class="soft">{texts.rejectedHint}</p>
        </section>
      )}
      {lost.length > 0 && (
        <section class="note heed">
          <h2>{texts.lost}</h2>
          <ul class="rows">
            {lost.map((edit) => (
              <li key={edit.id}>
                <bdi class="what">{nameThing(edit.content, model.words).slice(0, 200)}</bdi>
                <div class="acts">
                  <button
                    type="button"
                    aria-label={`${texts.createAgain}: ${nameThing(edit.content, model.words).slice(0, 200)}`}
                    onClick={() => createAgain(edit)}
                  >
                    {texts.createAgain}
                  </button>
                  <button
                    type="button"
                    aria-label={`${texts.forget}: ${nameThing(edit.content, model.words).slice(0, 200)}`}
                    onClick={() => forget(edit.id)}
                  >
                    {texts.forget}
                  </button>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      {overwritten.length > 0 && (
        <section class="note heed">
          <h2>{texts.overwritten}</h2>
          <ul class="rows">
            {overwritten.map((version) => (
              <li key={version.name}>
                <Link to={toThing(version.id)}>
                  <bdi>{nameThing(version.content, model.words).slice(0, 200)}</bdi>
                </Link>
                <span class="soft">{formatSince(version.replacedAt, model.words.code)}</span>
              </li>
            ))}
          </ul>
          <p class="soft">{texts.overwrittenHint}</p>
          <div class="buttons">
            <button type="button" onClick={() => model.conflicts.dismiss(overwritten)}>
              {texts.seen}
            </button>
          </div>
        </section>
      )}
    </>
  )
}

/** The unsaved drafts of edit forms, also of items that were deleted meanwhile. */
const Unsaved = () => {
  const { model } = useShared()
  const [unsaved] = useState(model.listUnsaved)
  if (unsaved.size === 0) return null
  return (
    <section class="note heed">
      <h2>{model.words.recentScreen.unsaved}</h2>
      <ul class="rows">
        {[...unsaved].map(([id, { form }]) => (
          <li key={id}>
            <Link to={{ ...toThing(id), isEditing: true }}>
              <bdi>{nameThing(form, model.words).slice(0, 200)}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The sentence of an action, as a link to its item if that exists. */
const ActionName = ({ item, text }: { readonly item: string | undefined; readonly text: string }) =>
  item === undefined ? (
    <bdi>{text}</bdi>
  ) : (
    <Link to={toThing(item)}>
      <bdi>{text}</bdi>
    </Link>
  )

/** The recent actions, each with a button that undoes it, and the conflicts with other devices. */
export const RecentScreen = () => {
  const { model } = useShared()
  const actions = useObservable(model.undo.actions)
  useObservable(model.library.state)
  const { words } = model
  const texts = words.recentScreen
  const nameOf = ({ kind, name, count }: UserAction) =>
    words.action[kind](nameThing({ title: name }, words).slice(0, 200), count)
  const findItem = ({ id }: UserAction) => (id === undefined ? undefined : model.library.findById(id)?.id)
  return (
    <section class="sheet">
      <h1>{words.recent}</h1>
      <Conflicts />
      <Unsaved />
      <h2 class="own-actions">{texts.done}</h2>
      <p class="soft">{texts.kept}</p>
      {actions.length === 0 && <p class="soft">{texts.nothing}</p>}
      <ol class="rows actions">
        {actions.map((action) => (
          <li key={action.key}>
            <div class="what">
              <ActionName item={findItem(action)} text={nameOf(action)} />
              <span>
                {action.isUndone && <b>{texts.undone}</b>} {formatSince(action.at, words.code)}
              </span>
            </div>
            <button
              type="button"
              aria-label={`${action.isUndone ? texts.redo : texts.undo}: ${nameOf(action)}`}
              onClick={() => model.attempt(() => model.undo.undo(action.key))}
            >
              {action.isUndone ? texts.redo : texts.undo}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
