import { useState } from 'preact/hooks'
import type { Importer, ImportState } from '../data/transfer/importer.ts'
import { useShared } from './desk-context.ts'
import { ImportFindings } from './import-findings.tsx'
import { useObservable } from './use-observable.ts'

/** What came in, and the button that takes it back. */
export const ImportReport = ({
  importer,
  report,
}: {
  readonly importer: Importer
  readonly report: Extract<ImportState, { kind: 'report' }>
}) => {
  const { desk } = useShared()
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
