import type { Paint } from '../report/paint.ts'
import { visible } from '../report/visible.ts'

/** One thing that the doctor found, in one sentence; a problem and a hint say what to do. */
export interface Note {
  readonly kind: 'good' | 'problem' | 'hint'
  readonly text: string
}

/** The note as a line, its kind readable without colour. */
export function renderNote(note: Note, paint: Paint): string {
  const sign = { good: paint.good('ok     '), problem: paint.bad('PROBLEM'), hint: paint.doubt('hint   ') }[note.kind]
  return `${sign}  ${visible(note.text)}\n`
}
