import { useEffect, useRef, useState } from 'preact/hooks'
import { writeFormatNames } from '../../src/transfer/format-names.ts'
import { useObservable, useShared } from '../parts/context.tsx'
import { ImportPart, ProgressLine } from '../parts/import-part.tsx'
import { type ExportedFile, exportThings, findMatching } from '../transfer/export-items.ts'
import '../style/transfer.css'

interface Writing {
  readonly count: number
  readonly all: number
  readonly stop: AbortController
}

/** A file that was made, as a download that begins by itself. */
const MadeFile = ({ file }: { readonly file: ExportedFile }) => {
  const say = useShared().model.words.transferScreen
  const link = useRef<HTMLAnchorElement>(null)
  const [address] = useState(() => URL.createObjectURL(file.blob))
  useEffect(() => {
    link.current?.click()
    return () => URL.revokeObjectURL(address)
  }, [address])
  return (
    <p class="note good">
      <span role="status">{say.made(file.name, file.count)}</span>{' '}
      <a ref={link} href={address} download={file.name}>
        {say.save}
      </a>
    </p>
  )
}

const quietMilliseconds = 300

/** How many things meet the query; undefined while they are counted. */
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
    const timer = isWanted ? setTimeout(count, quietMilliseconds) : undefined
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [app, query, isWanted])
  return counted?.query === query ? counted.count : undefined
}

/** Export of everything, or of what a search finds. */
export const ExportPart = () => {
  const { model: desk, navigation } = useShared()
  const { query } = useObservable(navigation.view)
  useObservable(desk.library.state)
  const [format, setFormat] = useState<string>(writeFormatNames[0])
  const [isPart, setPart] = useState(query !== '')
  const [writing, setWriting] = useState<Writing>()
  const [file, setFile] = useState<ExportedFile>()
  const say = desk.words.transferScreen
  const all = desk.library.countThings()
  const found = useCount(query, isPart)
  const count = isPart ? found : all

  const make = async (event: SubmitEvent) => {
    event.preventDefault()
    const stop = new AbortController()
    const { signal } = stop
    const { replica } = desk.app
    const onProgress = (done: number) => setWriting({ count: done, all: count ?? all, stop })
    onProgress(0)
    setFile(undefined)
    const today = new Intl.DateTimeFormat('sv').format()
    await desk.attempt(async () => {
      const only = isPart ? await findMatching(replica, query, signal) : undefined
      const wanted = { replica, format, signal, onProgress, ...(only === undefined ? {} : { only }) }
      if (!signal.aborted) setFile(await exportThings(wanted, today))
    })
    setWriting(undefined)
  }
  return (
    <section class="fields" aria-labelledby="export-heading">
      <h2 id="export-heading">{say.export}</h2>
      <p>{say.exportHint}</p>
      <form class="fields" onSubmit={make}>
        <div class="field">
          <label for="export-format">{say.format}</label>
          <select id="export-format" value={format} onChange={({ currentTarget }) => setFormat(currentTarget.value)}>
            {writeFormatNames.map((name) => (
              <option key={name} value={name}>
                {say.formatNames[name]}
              </option>
            ))}
          </select>
        </div>
        <fieldset class="field">
          <legend>{say.what}</legend>
          <div class="choice">
            <input type="radio" id="export-all" name="what" checked={!isPart} onChange={() => setPart(false)} />
            <label for="export-all">{say.everything(all)}</label>
          </div>
          <div class="choice">
            <input type="radio" id="export-part" name="what" checked={isPart} onChange={() => setPart(true)} />
            <label for="export-part">{say.search}</label>
          </div>
          {isPart && (
            <>
              <input
                type="search"
                aria-label={desk.words.search.label}
                placeholder={desk.words.search.hint}
                value={query}
                autocapitalize="none"
                autocomplete="off"
                spellcheck={false}
                onInput={({ currentTarget: { value } }) => navigation.replace({ screen: 'transfer', query: value })}
              />
              <span class="hint" role="status">
                {found === undefined ? '' : say.found(found)}
              </span>
            </>
          )}
        </fieldset>
        {writing === undefined ? (
          <div class="buttons">
            <button type="submit" class="main" disabled={count === undefined || count === 0}>
              {count === undefined ? say.counting : say.make(count)}
            </button>
          </div>
        ) : (
          <ProgressLine
            label={say.exporting(writing.count, writing.all)}
            value={writing.count}
            max={writing.all}
            stop={{ label: say.stop, act: () => writing.stop.abort() }}
          />
        )}
      </form>
      {file && <MadeFile key={file.name} file={file} />}
    </section>
  )
}

/** Brings things in from files, and writes them into files; loaded when it is first needed. */
export const TransferScreen = () => (
  <section class="sheet transfer">
    <h1>{useShared().model.words.transfer}</h1>
    <ImportPart />
    <ExportPart />
  </section>
)
