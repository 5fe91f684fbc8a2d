import { useEffect, useRef } from 'preact/hooks'
import { createImporter, type Importer, type ImportState } from '../data/transfer/importer.ts'
import { useShared } from './desk-context.ts'
import { listFormats } from './import-findings.tsx'
import { PreviewForm } from './import-preview.tsx'
import { ImportReport } from './import-report.tsx'
import { ProgressLine } from './progress-line.tsx'
import { startImportWorker } from './start-import-worker.ts'
import { useObservable } from './use-observable.ts'

const useImporter = (): Importer => {
  const { desk, importer } = useShared()
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
  const { words } = useShared().desk
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
  const say = useShared().desk.words.transferScreen
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
  const say = useShared().desk.words.transferScreen
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
