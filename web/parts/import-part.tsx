import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { readFormatNames } from '../../src/transfer/format-names.ts'
import type { TransferThing } from '../../src/transfer/transfer.ts'
import { readTags } from '../data/edit-form.ts'
import { nameThing } from '../data/messages.ts'
import { readSafeUrl } from '../data/view-state.ts'
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
import { type AllTagSettings, findTextColor, useTagSettings } from './tag-chip.tsx'

/** How far something is that takes a while, with a button that ends it. */
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

/** What is shown of a thing that is not there yet. */
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

const StaticTag = ({ name, settings }: { readonly name: string; readonly settings: AllTagSettings }) => {
  const color = settings.get(name)?.color ?? false
  const style = color === false ? {} : { background: color, borderColor: color, color: findTextColor(color) }
  return (
    <bdi class="tag" style={style}>
      {name}
    </bdi>
  )
}

/** A thing as it will look in the list, with nothing to press. */
const StaticRow = ({ thing, settings }: { readonly thing: StaticItem; readonly settings: AllTagSettings }) => {
  const { model: desk, formatDay } = useShared()
  const { words } = desk
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

/** Reads files in a worker of its own until it is stopped. */
const startImportWorker = (
  wanted: FilesToRead,
  tell: (message: ReadingMessage) => void,
  fail: (reason: string) => void,
): { readonly stop: () => void } => {
  const worker = new Worker(new URL('../workers/import-worker.ts', import.meta.url), { type: 'module' })
  worker.addEventListener('message', ({ data }: MessageEvent<ReadingMessage>) => tell(data))
  worker.addEventListener('error', ({ message }) => fail(message))
  worker.postMessage(wanted)
  return { stop: () => worker.terminate() }
}

const listedProblems = 100

/** All formats that can be read, in one line. */
const listFormats = (words: Words): string =>
  new Intl.ListFormat(words.code, { type: 'conjunction' }).format(
    readFormatNames.map((name) => nameFormat(name, words)),
  )

const nameFormat = (format: string, { transferScreen }: Words): string =>
  readFormatNames
    .map((name) => (name === format ? transferScreen.formatNames[name] : ''))
    .find((name) => name !== '') ?? format

interface Listed {
  readonly title: (count: number) => string
  readonly list: readonly ImportProblem[]
  readonly count: number
}

/** In the language of the page where it has a sentence for it. */
const Reason = ({ english }: { readonly english: string }) => {
  const said = useShared().model.words.transferScreen.reason(english)
  return said === undefined ? <bdi lang="en">{english}</bdi> : <bdi>{said}</bdi>
}

const Problems = ({ title, list, count }: Listed) => {
  const say = useShared().model.words.transferScreen
  if (count === 0) return null
  return (
    <details class="problems">
      <summary>{title(count)}</summary>
      <ul>
        {list.slice(0, listedProblems).map(({ file, line, reason }, place) => (
          <li key={place}>
            <strong>
              <bdi>{say.line(file, line)}</bdi>
            </strong>{' '}
            <Reason english={reason} />
          </li>
        ))}
        {count > listedProblems && <li class="soft">{say.more(count - listedProblems)}</li>}
      </ul>
    </details>
  )
}

/** What was found in the files: counts, what is there already, and what cannot be read and why. */
const ImportFindings = ({
  preview,
  children,
}: {
  readonly preview: ImportPreview
  readonly children: ComponentChildren
}) => {
  const { words } = useShared().model
  const say = words.transferScreen
  const { files, there } = preview
  return (
    <>
      <ul class="findings">
        {children}
        {there > 0 && <li>{say.there(there)}</li>}
      </ul>
      <ul class="findings soft">
        {files.map(({ name, format, failure }, place) => (
          <li key={place}>
            {failure !== undefined ? (
              <span class="wrong">{say.broken(name, say.reason(failure) ?? failure)}</span>
            ) : format === undefined ? (
              <span class="wrong">{say.unknownKind(name, listFormats(words))}</span>
            ) : (
              <bdi>{say.isFormat(name, nameFormat(format, words))}</bdi>
            )}
          </li>
        ))}
      </ul>
      <Problems title={say.unreadable} list={preview.problems} count={preview.problemCount} />
      <Problems title={say.lost} list={preview.remarks} count={preview.remarkCount} />
    </>
  )
}

const maxShownItems = 5

const FirstThings = ({ preview, added }: { readonly preview: ImportPreview; readonly added: readonly string[] }) => {
  const { model: desk } = useShared()
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
        {preview.fresh.slice(0, maxShownItems).map((thing, place) => (
          <StaticRow key={place} thing={toRow(thing)} settings={settings} />
        ))}
      </ul>
    </>
  )
}

/** What an import will do, what can be chosen about it, and the button that begins it. */
const PreviewForm = ({ importer, preview }: { readonly importer: Importer; readonly preview: ImportPreview }) => {
  const { model: desk } = useShared()
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
          {readFormatNames.map((name) => (
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

/** What came in, and the button that takes it back. */
const ImportReport = ({
  importer,
  report,
}: {
  readonly importer: Importer
  readonly report: Extract<ImportState, { kind: 'report' }>
}) => {
  const { model: desk } = useShared()
  const deeds = useObservable(desk.undo.deeds)
  const [isUndoing, setUndoing] = useState(false)
  const say = desk.words.transferScreen
  const { preview, added, isStopped } = report
  const deed = deeds.find(({ key }) => key === report.deed)
  const undo = async (key: number) => {
    setUndoing(true)
    await desk.attempt(() => desk.undo.undo(key))
    setUndoing(false)
  }
  return (
    <div class="fields">
      <h3>{say.report}</h3>
      <ImportFindings preview={preview}>
        <li>{deed?.isUndone ? say.undone : say.added(added)}</li>
        {isStopped && <li>{say.stopped(preview.fresh.length - added)}</li>}
      </ImportFindings>
      {isUndoing && <p aria-busy="true">{say.undoing}</p>}
      <div class="buttons">
        <button type="button" class="main" onClick={importer.stop}>
          {say.another}
        </button>
        {deed !== undefined && (
          <button type="button" disabled={isUndoing} onClick={() => undo(deed.key)}>
            {deed.isUndone ? say.redo : say.undo}
          </button>
        )}
      </div>
    </div>
  )
}

const useImporter = (): Importer => {
  const { model: desk, importer } = useShared()
  const kept = importer.read() ?? createImporter({ desk, startReading: startImportWorker })
  useEffect(() => importer.set(kept), [kept, importer])
  return kept
}

/** Files that are dropped anywhere on the page; a browser would leave the app and show them. */
const useDroppedFiles = (take: (files: readonly File[]) => void): void => {
  const latest = useRef(take)
  latest.current = take
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

const ChooseFiles = ({ take }: { readonly take: (files: readonly File[]) => void }) => {
  const { words } = useShared().model
  const say = words.transferScreen
  return (
    <div class="field drop">
      <label for="import-files">{say.files}</label>
      <input
        id="import-files"
        type="file"
        multiple
        aria-describedby="import-hint"
        onChange={({ currentTarget }) => take([...(currentTarget.files ?? [])])}
      />
      <p id="import-hint" class="hint">
        {say.drop} {say.formats(listFormats(words))}
      </p>
    </div>
  )
}

const Stage = ({ importer, state }: { readonly importer: Importer; readonly state: ImportState }) => {
  const say = useShared().model.words.transferScreen
  if (state.kind === 'empty') return <ChooseFiles take={(files) => files.length > 0 && importer.read(files)} />
  if (state.kind === 'reading') {
    const stop = { label: say.cancel, act: importer.stop }
    return <ProgressLine label={say.reading(state.found)} value={state.bytes} max={state.allBytes} stop={stop} />
  }
  if (state.kind === 'preview') return <PreviewForm importer={importer} preview={state.preview} />
  if (state.kind === 'report') return <ImportReport importer={importer} report={state} />
  const { done, preview } = state
  const all = preview.fresh.length
  const stop = { label: say.stop, act: importer.stop }
  return (
    <>
      <ProgressLine label={say.importing(done, all)} value={done} max={all} stop={stop} />
      <p class="soft">{say.goOn}</p>
    </>
  )
}

/** Import, from the choice of files to the report. */
export const ImportPart = () => {
  const say = useShared().model.words.transferScreen
  const importer = useImporter()
  const state = useObservable(importer.state)
  const stage = useRef<HTMLElement>(null)
  const shown = useRef(state.kind)
  useDroppedFiles((files) => {
    const isBusy = importer.state.read().kind === 'importing'
    if (files.length > 0 && !isBusy) importer.read(files)
  })
  useEffect(() => {
    // What had the focus is gone with the stage before; here the next one is read out.
    if (shown.current !== state.kind) stage.current?.focus({ preventScroll: true })
    shown.current = state.kind
  }, [state.kind])
  const told =
    state.kind === 'preview'
      ? [say.fresh(state.preview.fresh.length), ...(state.preview.there > 0 ? [say.there(state.preview.there)] : [])]
      : state.kind === 'report'
        ? [say.added(state.added)]
        : []
  return (
    <section ref={stage} tabIndex={-1} class="fields" aria-labelledby="import-heading">
      <h2 id="import-heading">{say.import}</h2>
      <p>{say.importHint}</p>
      <p class="aside" role="status">
        {told.join('. ')}
      </p>
      <Stage importer={importer} state={state} />
    </section>
  )
}
