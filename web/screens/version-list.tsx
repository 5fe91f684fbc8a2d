import { useEffect, useState } from 'preact/hooks'
import type { ThingVersion } from '../../client/src/index.ts'
import { useObservable, useShared } from '../parts/context.tsx'
import { formatMoment } from '../parts/format-date.ts'
import { Note } from '../parts/note.tsx'

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
