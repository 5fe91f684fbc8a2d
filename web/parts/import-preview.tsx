import { useState } from 'preact/hooks'
import { readNames } from '../../src/transfer/format-names.ts'
import type { TransferThing } from '../../src/transfer/transfer.ts'
import { readTags } from '../data/tag-edits.ts'
import type { Importer, ImportPreview } from '../data/transfer/importer.ts'
import { settingsAfterImport, tagsAfterImport } from '../data/transfer/plan-import.ts'
import { useShared } from './desk-context.ts'
import { ImportFindings } from './import-findings.tsx'
import { StillRow } from './still-row.tsx'
import { useObservable } from './use-observable.ts'
import { useTagSettings } from './use-tag-settings.ts'

const shownThings = 5

const FirstThings = ({ preview, added }: { readonly preview: ImportPreview; readonly added: readonly string[] }) => {
  const { desk } = useShared()
  const own = useTagSettings()
  const settings = settingsAfterImport({ tags: preview.tags, settings: own })
  const isTodoTag = (tag: string) => (settings.get(tag)?.todo ?? false) !== false
  const toRow = ({ tags, ...thing }: TransferThing) => {
    const { todoStatus, ...rest } = thing
    const names = tagsAfterImport({ ...thing, tags }, { added, isTodoTag })
    // A tag of the account may make a todo of what was none.
    const isTodo = todoStatus !== undefined || names.some(isTodoTag)
    return { ...rest, tags: names, ...(isTodo ? { todoStatus: todoStatus ?? false } : {}) }
  }
  if (preview.fresh.length === 0) return null
  return (
    <>
      <h4 id="import-first">{desk.words.transferScreen.first}</h4>
      <ul class="still" aria-labelledby="import-first">
        {preview.fresh.slice(0, shownThings).map((thing, place) => (
          <StillRow key={place} thing={toRow(thing)} settings={settings} />
        ))}
      </ul>
    </>
  )
}

/** What an import will do, what can be chosen about it, and the button that begins it. */
export const PreviewForm = ({
  importer,
  preview,
}: {
  readonly importer: Importer
  readonly preview: ImportPreview
}) => {
  const { desk } = useShared()
  const { progress } = useObservable(desk.app.state)
  const [text, setText] = useState('')
  const say = desk.words.transferScreen
  const added = readTags(text)
  const count = preview.fresh.length
  const isListing = (progress?.thingCount ?? 0) > (progress?.listed ?? 0)
  const begin = (event: SubmitEvent) => {
    event.preventDefault()
    void importer.begin(added)
  }
  return (
    <form class="fields" onSubmit={begin}>
      <h3>{say.preview}</h3>
      <ImportFindings preview={preview}>
        {count === 0 ? <li>{say.nothingNew}</li> : <li>{say.fresh(count)}</li>}
      </ImportFindings>
      {isListing && <p class="note heed">{say.stillListing}</p>}
      <div class="field">
        <label for="import-format">{say.readAs}</label>
        <select
          id="import-format"
          value={preview.chosen ?? ''}
          onChange={({ currentTarget: { value } }) => importer.readAs(value === '' ? undefined : value)}
        >
          <option value="">{say.guessed}</option>
          {readNames.map((name) => (
            <option key={name} value={name}>
              {say.formatNames[name]}
            </option>
          ))}
        </select>
      </div>
      {count > 0 && (
        <div class="field">
          <label for="import-tags">{say.tag}</label>
          <input
            id="import-tags"
            type="text"
            value={text}
            autocapitalize="none"
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </div>
      )}
      <FirstThings preview={preview} added={added} />
      <div class="buttons">
        {count > 0 && (
          <button type="submit" class="main">
            {say.begin(count)}
          </button>
        )}
        <button type="button" onClick={importer.stop}>
          {say.cancel}
        </button>
      </div>
    </form>
  )
}
