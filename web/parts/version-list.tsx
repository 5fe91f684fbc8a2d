import { useEffect, useState } from 'preact/hooks'
import type { ThingVersion } from '../../client/src/index.ts'
import { useShared } from './desk-context.ts'
import { formatMoment } from './format-date.ts'
import { Note } from './note.tsx'
import { useObservable } from './use-observable.ts'

/** What was overwritten of a thing, the latest first, each to be taken back. */
export const VersionList = ({ id }: { readonly id: string }) => {
  const { desk, navigation } = useShared()
  const { revision } = useObservable(desk.library.state)
  const [versions, setVersions] = useState<readonly ThingVersion[]>([])
  const say = desk.words.thing
  useEffect(() => {
    let isOver = false
    desk.look(async () => {
      const next = await desk.app.replica.listVersions(id)
      if (!isOver) setVersions([...next].reverse())
    })
    return () => {
      isOver = true
    }
  }, [id, revision])
  const takeBack = (version: ThingVersion) =>
    desk.attempt(async () => {
      const thing = await desk.app.replica.restoreVersion(id, version.name)
      // A thing that was gone is another one now.
      if (thing !== id) navigation.replace({ ...navigation.view.read(), thing })
    })
  if (versions.length === 0) return null
  return (
    <section class="versions">
      <h2>{say.versions}</h2>
      <ol class="rows">
        {versions.map((version) => (
          <li key={version.name}>
            <div class="what">
              <span>
                {say.why[version.why]} · {formatMoment(version.replacedAt / 1000, desk.words.code)}
              </span>
              {version.fields.includes('title') && <strong dir="auto">{version.content.title}</strong>}
              {version.fields.includes('url') && <bdi>{version.content.url}</bdi>}
              {version.fields.includes('tags') && <bdi>{version.content.tags}</bdi>}
              {version.fields.includes('html') && <Note html={version.content.html ?? ''} />}
            </div>
            <button type="button" onClick={() => takeBack(version)}>
              {say.takeBack}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
