import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { readFormatNames } from '../../src/transfer/format-names.ts'
import type { TransferThing } from '../../src/transfer/transfer.ts'
import { readTags } from '../data/edit-form.ts'
import { nameThing } from '../data/messages.ts'
import { readSafeUrl } from '../data/urls.ts'
import {
  createImporter,
  type Importer,
  type ImportPreview,
  type ImportProblem,
  type ImportState,
  settingsAfterImport,
  tagsAfterImport,
} from '../transfer/importer.ts'
import type { FilesToRead, ReadingMessage } from '../transfer/read-files.ts'
import type { Words } from '../words/en.ts'
import { useObservable, useShared } from './context.tsx'
import { isStruck } from './item-row.tsx'
import { type AllTagSettings, tagStyle, useTagSettings } from './tags.tsx'

/** The progress of a long action, with an optional button that stops it. */
export const ProgressLine = ({
  label,
  value,
  max,
  stop,
}: {
  readonly label: string
  readonly value: number
  readonly max: number
  readonly stop?: { readonly label: string; readonly act: () => void }
}) => (
  <div class="progress-line">
    <progress value={value} max={Math.max(max, 1)} aria-label={label} />
    <span>{label}</span>
    {stop && (
      <button type="button" onClick={stop.act}>
        {stop.label}
      </button>
    )}
  </div>
)

/** A new item in the preview. */
interface StaticItem {
  readonly title: string
  readonly tags: readonly string[]
  readonly date?: number
  readonly url?: string
  readonly archived: boolean
  readonly todoStatus?: boolean
}

const maxStaticCharacters = 300
const maxTags = 6

const StaticTag = ({ name, settings }: { readonly name: string; readonly settings: AllTagSettings }) => (
  <bdi class="tag" style={tagStyle(name, settings)}>
    {name}
  </bdi>
)

/** An item as the list will show it, without actions. */
const StaticRow = ({ thing, settings }: { readonly thing: StaticItem; readonly settings: AllTagSettings }) => {
  const { model, formatDay } = useShared()
  const { words } = model
  const title = nameThing(thing, words).slice(0, maxStaticCharacters)
  const host = readSafeUrl(thing.url)?.hostname
  const struck = isStruck(thing.todoStatus === undefined ? { tags: thing.tags } : { ...thing }, settings)
  return (
    <li class="row">
      {thing.todoStatus !== undefined && (
        <input type="checkbox" class="todo" checked={thing.todoStatus} disabled aria-label={words.row.done(title)} />
      )}
      <div class="row-text">
        <bdi class={struck ? 'title struck' : 'title'}>{title}</bdi>
        <span class="about">
          {thing.tags.slice(0, maxTags).map((tag) => (
            <StaticTag key={tag} name={tag} settings={settings} />
          ))}
          {host !== undefined && <bdi class="host">{host}</bdi>}
          {thing.date !== undefined && <span>{formatDay(thing.date)}</span>}
          {thing.archived && <span>{words.row.archived}</span>}
        </span>
      </div>
    </li>
  )
}

/** Reads files in a new worker until it is stopped. */
const startImportWorker = (
  request: FilesToRead,
  onMessage: (message: ReadingMessage) => void,
  onError: (reason: string) => void,
): { readonly stop: () => void } => {
  const worker = new Worker(new URL('../workers/import-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<ReadingMessage>) => onMessage(data))
  worker.addEventListener('error', ({ message }) => onError(message))
  worker.postMessage(request)
  return { stop: () => worker.terminate() }
}

const maxListedProblems = 100

/** Lists all readable formats in one sentence part. */
const listFormats = (words: Words): string =>
  new Intl.ListFormat(words.code, { type: 'conjunction' }).format(
    readFormatNames.map((name) => nameFormat(name, words)),
  )

const nameFormat = (format: string, { transferScreen }: Words): string =>
  readFormatNames
    .map((name) => (name === format ? transferScreen.formatNames[name] : ''))
    .find((name) => name !== '') ?? format

interface ProblemsProps {
  readonly title: (count: number) => string
  readonly list: readonly ImportProblem[]
  readonly count: number
}

/** A reason of a reader, translated if the language has a translation. */
const Reason = ({ english }: { readonly english: string }) => {
  const translated = useShared().model.words.transferScreen.reason(english)
  return translated === undefined ? <bdi lang="en">{english}</bdi> : <bdi>{translated}</bdi>
}

const Problems = ({ title, list, count }: ProblemsProps) => {
  const texts = useShared().model.words.transferScreen
  if (count === 0) return null
  return (
    <details class="problems">
      <summary>{title(count)}</summary>
      <ul>
        {list.slice(0, maxListedProblems).map(({ file, line, reason }, index) => (
          <li key={index}>
            <strong>
              <bdi>{texts.line(file, line)}</bdi>
            </strong>{' '}
            <Reason english={reason} />
          </li>
        ))}
        {count > maxListedProblems && <li class="soft">{texts.more(count - maxListedProblems)}</li>}
      </ul>
    </details>
  )
}

/** The findings in the files: counts, existing items, and unreadable entries with their reasons. */
const ImportFindings = ({
  preview,
  children,
}: {
  readonly preview: ImportPreview
  readonly children: ComponentChildren
}) => {
  const { words } = useShared().model
  const texts = words.transferScreen
  const { files, existingCount, repeatedCount } = preview
  return (
    <>
      <ul class="findings">
        {children}
        {existingCount > 0 && <li>{texts.existing(existingCount)}</li>}
        {repeatedCount > 0 && <li>{texts.repeated(repeatedCount)}</li>}
      </ul>
      <ul class="findings soft">
        {files.map(({ name, format, failure }, index) => (
          <li key={index}>
            {failure !== undefined ? (
              <span class="wrong">{texts.broken(name, texts.reason(failure) ?? failure)}</span>
            ) : format === undefined ? (
              <span class="wrong">{texts.unknownKind(name, listFormats(words))}</span>
            ) : (
              <bdi>{texts.isFormat(name, nameFormat(format, words))}</bdi>
            )}
          </li>
        ))}
      </ul>
      <Problems title={texts.unreadable} list={preview.problems} count={preview.problemCount} />
      <Problems title={texts.lost} list={preview.remarks} count={preview.remarkCount} />
    </>
  )
}

const maxPreviewItems = 5

const FirstThings = ({ preview, added }: { readonly preview: ImportPreview; readonly added: readonly string[] }) => {
  const { model } = useShared()
  const own = useTagSettings()
  const settings = settingsAfterImport({ tags: preview.tags, settings: own })
  const isTodoTag = (tag: string) => (settings.get(tag)?.todo ?? false) !== false
  const toRow = ({ tags, ...thing }: TransferThing) => {
    const { todoStatus, ...rest } = thing
    const names = tagsAfterImport({ ...thing, tags }, { added, isTodoTag })
    // A tag of the account may make the item a to-do.
    const isTodo = todoStatus !== undefined || names.some(isTodoTag)
    return { ...rest, tags: names, ...(isTodo ? { todoStatus: todoStatus ?? false } : {}) }
  }
  if (preview.fresh.length === 0) return null
  return (
    <>
      <h4 id="import-first">{model.words.transferScreen.first}</h4>
      <ul class="still" aria-labelledby="import-first">
        {preview.fresh.slice(0, maxPreviewItems).map((thing, index) => (
          <StaticRow key={index} thing={toRow(thing)} settings={settings} />
        ))}
      </ul>
    </>
  )
}

/** The preview of an import, its options, and the button that begins it. */
const PreviewForm = ({ importer, preview }: { readonly importer: Importer; readonly preview: ImportPreview }) => {
  const { model } = useShared()
  const { progress } = useObservable(model.app.state)
  const [text, setText] = useState('')
  const texts = model.words.transferScreen
  const added = readTags(text)
  const count = preview.fresh.length
  const isListing = (progress?.thingCount ?? 0) > (progress?.listed ?? 0)
  const begin = (event: SubmitEvent) => {
    event.preventDefault()
    void importer.begin(added)
  }
  return (
    <form class="fields" onSubmit={begin}>
      <h3>{texts.preview}</h3>
      <ImportFindings preview={preview}>
        {count === 0 ? <li>{texts.nothingNew}</li> : <li>{texts.fresh(count)}</li>}
      </ImportFindings>
      {isListing && <p class="note heed">{texts.stillListing}</p>}
      <div class="field">
        <label for="import-format">{texts.readAs}</label>
        <select
          id="import-format"
          value={preview.chosen ?? ''}
          onChange={({ currentTarget: { value } }) => importer.readAs(value === '' ? undefined : value)}
        >
          <option value="">{texts.guessed}</option>
          {readFormatNames.map((name) => (
            <option key={name} value={name}>
              {texts.formatNames[name]}
            </option>
          ))}
        </select>
      </div>
      {count > 0 && (
        <div class="field">
          <label for="import-tags">{texts.tag}</label>
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
            {texts.begin(count)}
          </button>
        )}
        <button type="button" onClick={importer.stop}>
          {texts.cancel}
        </button>
      </div>
    </form>
  )
}

/** The report of an import, and the button that undoes it. */
const ImportReport = ({
  importer,
  report,
}: {
  readonly importer: Importer
  readonly report: Extract<ImportState, { kind: 'report' }>
}) => {
  const { model } = useShared()
  const actions = useObservable(model.undo.actions)
  const [isUndoing, setUndoing] = useState(false)
  const texts = model.words.transferScreen
  const { preview, added, isStopped } = report
  const action = actions.find(({ key }) => key === report.actionKey)
  const undo = async (key: number) => {
    setUndoing(true)
    await model.attempt(() => model.undo.undo(key))
    setUndoing(false)
  }
  return (
    <div class="fields">
      <h3>{texts.report}</h3>
      <ImportFindings preview={preview}>
        <li>{action?.isUndone ? texts.undone : texts.added(added)}</li>
        {isStopped && <li>{texts.stopped(preview.fresh.length - added)}</li>}
      </ImportFindings>
      {isUndoing && <p aria-busy="true">{texts.undoing}</p>}
      <div class="buttons">
        <button type="button" class="main" onClick={importer.stop}>
          {texts.another}
        </button>
        {action !== undefined && (
          <button type="button" disabled={isUndoing} onClick={() => undo(action.key)}>
            {action.isUndone ? texts.redo : texts.undo}
          </button>
        )}
      </div>
    </div>
  )
}

const useImporter = (): Importer => {
  const { model, importer } = useShared()
  const current = importer.read() ?? createImporter({ model, startReading: startImportWorker })
  useEffect(() => importer.set(current), [current, importer])
  return current
}

/** Receives files dropped anywhere on the page; otherwise the browser would leave the app and show them. */
const useDroppedFiles = (onFiles: (files: readonly File[]) => void): void => {
  const latest = useRef(onFiles)
  latest.current = onFiles
  useEffect(() => {
    const onOver = (event: DragEvent) => event.preventDefault()
    const onDrop = (event: DragEvent) => {
      event.preventDefault()
      latest.current([...(event.dataTransfer?.files ?? [])])
    }
    addEventListener('dragover', onOver)
    addEventListener('drop', onDrop)
    return () => {
      removeEventListener('dragover', onOver)
      removeEventListener('drop', onDrop)
    }
  }, [])
}

const ChooseFiles = ({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) => {
  const { words } = useShared().model
  const texts = words.transferScreen
  return (
    <div class="field drop">
      <label for="import-files">{texts.files}</label>
      <input
        id="import-files"
        type="file"
        multiple
        aria-describedby="import-hint"
        onChange={({ currentTarget }) => onFiles([...(currentTarget.files ?? [])])}
      />
      <p class="hint for-mouse">{texts.drop}</p>
      <details id="import-hint" class="hint formats">
        <summary>{texts.formats}</summary>
        <ul>
          {readFormatNames.map((name) => (
            <li key={name}>{texts.formatNames[name]}</li>
          ))}
        </ul>
      </details>
    </div>
  )
}

const Stage = ({ importer, state }: { readonly importer: Importer; readonly state: ImportState }) => {
  const texts = useShared().model.words.transferScreen
  if (state.kind === 'empty') return <ChooseFiles onFiles={(files) => files.length > 0 && importer.read(files)} />
  if (state.kind === 'reading') {
    const stop = { label: texts.cancel, act: importer.stop }
    return <ProgressLine label={texts.reading(state.found)} value={state.bytes} max={state.allBytes} stop={stop} />
  }
  if (state.kind === 'preview') return <PreviewForm importer={importer} preview={state.preview} />
  if (state.kind === 'report') return <ImportReport importer={importer} report={state} />
  const { done, preview } = state
  const all = preview.fresh.length
  const stop = { label: texts.stop, act: importer.stop }
  return (
    <>
      <ProgressLine label={texts.importing(done, all)} value={done} max={all} stop={stop} />
      <p class="soft">{texts.goOn}</p>
    </>
  )
}

/** The import, from the choice of files to the report. */
export const ImportPart = () => {
  const texts = useShared().model.words.transferScreen
  const importer = useImporter()
  const state = useObservable(importer.state)
  const stage = useRef<HTMLElement>(null)
  const shown = useRef(state.kind)
  useDroppedFiles((files) => {
    const isBusy = importer.state.read().kind === 'importing'
    if (files.length > 0 && !isBusy) importer.read(files)
  })
  useEffect(() => {
    // The previous stage took the focus with it. The focus makes screen readers announce the next stage.
    if (shown.current !== state.kind) stage.current?.focus({ preventScroll: true })
    shown.current = state.kind
  }, [state.kind])
  const announcement =
    state.kind === 'preview'
      ? [
          texts.fresh(state.preview.fresh.length),
          ...(state.preview.existingCount > 0 ? [texts.existing(state.preview.existingCount)] : []),
          ...(state.preview.repeatedCount > 0 ? [texts.repeated(state.preview.repeatedCount)] : []),
        ]
      : state.kind === 'report'
        ? [texts.added(state.added)]
        : []
  return (
    <section ref={stage} tabIndex={-1} class="fields" aria-labelledby="import-heading">
      <h2 id="import-heading">{texts.import}</h2>
      <p>{texts.importHint}</p>
      <p class="aside" role="status">
        {announcement.join('. ')}
      </p>
      <Stage importer={importer} state={state} />
    </section>
  )
}
