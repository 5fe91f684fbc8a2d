import '../style/transfer.css'
import { useShared } from '../parts/desk-context.ts'
import { ExportPart } from '../parts/export-part.tsx'
import { ImportPart } from '../parts/import-part.tsx'

/** Brings things in from files, and writes them into files; loaded when it is first needed. */
export const TransferScreen = () => (
  <section class="sheet transfer">
    <h1>{useShared().desk.words.transfer}</h1>
    <ImportPart />
    <ExportPart />
  </section>
)
