import type { ThingVersion } from '../../client/src/index.ts'
import { nameThing } from '../data/messages.ts'
import { useObservable, useShared } from './context.tsx'

const maxNameCharacters = 60

/**
 * A quiet notice of edits of this device that other devices replaced or deleted. It stays until the user dismisses it,
 * or restores the version of this device. Screen readers announce it once, because its text is in a status region.
 */
export const ConflictNotice = () => {
  const { model, navigation } = useShared()
  const unseen = useObservable(model.conflicts.unseen)
  const { screen, thing } = useObservable(navigation.view)
  const texts = model.words.conflict
  // The screen "Recent" lists all of them.
  const [first, second] = screen === 'recent' ? [] : unseen
  const describe = ({ why, content }: ThingVersion) => {
    const name = nameThing(content, model.words).slice(0, maxNameCharacters)
    return why === 'deleted' ? texts.deleted(name) : texts.overwritten(name)
  }
  const show = () => {
    if (second !== undefined) return navigation.go({ screen: 'recent', query: '' })
    if (first !== undefined) navigation.go({ screen: 'things', query: '', thing: first.id })
  }
  const restore = async ({ id, name }: ThingVersion) => {
    if (await model.attempt(() => model.app.replica.restoreVersion(id, name))) model.conflicts.dismissItem(id)
  }
  return (
    <div class="conflict" role="status">
      {first !== undefined && (
        <>
          <p>
            <bdi>{second === undefined ? describe(first) : texts.many(unseen.length)}</bdi>
          </p>
          <div class="acts">
            {(second !== undefined || thing !== first.id) && (
              <button type="button" class="plain" onClick={show}>
                {texts.show}
              </button>
            )}
            {second === undefined && (
              <button type="button" class="plain" onClick={() => restore(first)}>
                {texts.restore}
              </button>
            )}
            <button type="button" class="plain" onClick={() => model.conflicts.dismiss(unseen)}>
              {texts.dismiss}
            </button>
          </div>
        </>
      )}
    </div>
  )
}
