import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { writeFormatNames } from '../../src/transfer/format-names.ts'
import { isUntitled } from '../data/missing-titles.ts'
import { findPageUrl } from '../data/urls.ts'
import { useObservable, useShared } from '../parts/context.tsx'
import { ImportPart, ProgressLine } from '../parts/import-part.tsx'
import { type ExportedFile, exportThings, findMatching } from '../transfer/export-items.ts'
import '../style/transfer.css'

/** The progress of an export. */
interface ExportProgress {
  readonly count: number
  readonly all: number
  readonly stop: AbortController
}

/** A finished export, as a download that begins by itself. */
const ExportDownload = ({ file }: { readonly file: ExportedFile }) => {
  const texts = useShared().model.words.transferScreen
  const link = useRef<HTMLAnchorElement>(null)
  const [url] = useState(() => URL.createObjectURL(file.blob))
  useEffect(() => {
    link.current?.click()
    return () => URL.revokeObjectURL(url)
  }, [url])
  return (
    <p class="note good">
      <span role="status">{texts.created(file.name, file.count)}</span>{' '}
      <a ref={link} href={url} download={file.name}>
        {texts.save}
      </a>
    </p>
  )
}

const debounceMilliseconds = 300

/** Returns the number of items that match the query; undefined while counting. */
const useCount = (query: string, isWanted: boolean): number | undefined => {
  const { app, attempt } = useShared().model
  const [counted, setCounted] = useState<{ readonly query: string; readonly count: number }>()
  useEffect(() => {
    const stop = new AbortController()
    const count = () =>
      attempt(async () => {
        const found = await findMatching(app.replica, query, stop.signal)
        if (found !== undefined) setCounted({ query, count: found.ids.size })
      })
    const timer = isWanted ? setTimeout(count, debounceMilliseconds) : undefined
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [app, query, isWanted])
  return counted?.query === query ? counted.count : undefined
}

/** The export of all items, or of the results of a search. */
export const ExportPart = () => {
  const { model, navigation } = useShared()
  const { query } = useObservable(navigation.view)
  useObservable(model.library.state)
  const [format, setFormat] = useState<string>(writeFormatNames[0])
  const [isPart, setPart] = useState(query !== '')
  const [writing, setWriting] = useState<ExportProgress>()
  const [file, setFile] = useState<ExportedFile>()
  const texts = model.words.transferScreen
  const all = model.library.countThings()
  const found = useCount(query, isPart)
  const count = isPart ? found : all

  const startExport = async (event: SubmitEvent) => {
    event.preventDefault()
    const stop = new AbortController()
    const { signal } = stop
    const { replica } = model.app
    const onProgress = (done: number) => setWriting({ count: done, all: count ?? all, stop })
    onProgress(0)
    setFile(undefined)
    const today = new Intl.DateTimeFormat('sv').format()
    await model.attempt(async () => {
      const only = isPart ? await findMatching(replica, query, signal) : undefined
      const options = { replica, format, signal, onProgress, ...(only === undefined ? {} : { only }) }
      if (!signal.aborted) setFile(await exportThings(options, today))
    })
    setWriting(undefined)
  }
  return (
    <section class="fields" aria-labelledby="export-heading">
      <h2 id="export-heading">{texts.export}</h2>
      <p>{texts.exportHint}</p>
      <form class="fields" onSubmit={startExport}>
        <div class="field">
          <label for="export-format">{texts.format}</label>
          <select id="export-format" value={format} onChange={({ currentTarget }) => setFormat(currentTarget.value)}>
            {writeFormatNames.map((name) => (
              <option key={name} value={name}>
                {texts.formatNames[name]}
              </option>
            ))}
          </select>
        </div>
        <fieldset class="field">
          <legend>{texts.what}</legend>
          <div class="choice">
            <input type="radio" id="export-all" name="what" checked={!isPart} onChange={() => setPart(false)} />
            <label for="export-all">{texts.everything(all)}</label>
          </div>
          <div class="choice">
            <input type="radio" id="export-part" name="what" checked={isPart} onChange={() => setPart(true)} />
            <label for="export-part">{texts.search}</label>
          </div>
          {isPart && (
            <>
              <input
                type="search"
                aria-label={model.words.search.label}
                placeholder={model.words.search.hint}
                value={query}
                autocapitalize="none"
                autocomplete="off"
                spellcheck={false}
                onInput={({ currentTarget: { value } }) => navigation.replace({ screen: 'transfer', query: value })}
              />
              <span class="hint" role="status">
                {found === undefined ? '' : texts.found(found)}
              </span>
            </>
          )}
        </fieldset>
        {writing === undefined ? (
          <div class="buttons">
            <button type="submit" class="main" disabled={count === undefined || count === 0}>
              {count === undefined ? texts.counting : texts.exportItems(count)}
            </button>
          </div>
        ) : (
          <ProgressLine
            label={texts.exporting(writing.count, writing.all)}
            value={writing.count}
            max={writing.all}
            stop={{ label: texts.stop, act: () => writing.stop.abort() }}
          />
        )}
      </form>
      {file && <ExportDownload key={file.name} file={file} />}
    </section>
  )
}

/** Has the titles of links read, for example after an import. The server reads few pages in an hour. */
const TitlesPart = () => {
  const { model } = useShared()
  const { library, missingTitles } = model
  const { revision } = useObservable(library.state)
  const waiting = useObservable(missingTitles.all).length
  const untitled = useMemo(
    () => [...library.listRows()].filter((row) => isUntitled(row) && findPageUrl(row) !== undefined),
    [library, revision],
  )
  // The largest number of this visit, so that the bar shows what was done.
  const most = useRef(0)
  most.current = waiting === 0 ? 0 : Math.max(most.current, waiting)
  const texts = model.words.transferScreen
  if (untitled.length === 0 && waiting === 0) return null
  return (
    <section class="fields" aria-labelledby="titles-heading">
      <h2 id="titles-heading">{texts.titles}</h2>
      <p>{texts.titlesHint}</p>
      {waiting === 0 ? (
        <div class="buttons">
          <button type="button" onClick={() => missingTitles.add(untitled.map(({ id }) => id))}>
            {texts.fetchTitles(untitled.length)}
          </button>
        </div>
      ) : (
        <ProgressLine
          label={texts.titlesLeft(waiting)}
          value={most.current - waiting}
          max={most.current}
          stop={{ label: texts.stop, act: missingTitles.clear }}
        />
      )}
    </section>
  )
}

/** The screen of import and export; loaded on demand. */
export const TransferScreen = () => (
  <section class="sheet transfer">
    <h1>{useShared().model.words.transfer}</h1>
    <ImportPart />
    <TitlesPart />
    <ExportPart />
  </section>
)
