import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Clause } from '../clauses/clause.ts'
import type { FinishedRun } from './finished-run.ts'
import { renderHtml } from './html.ts'
import { renderJunit } from './junit.ts'
import { createPaint } from './paint.ts'
import type { ReportKind } from './report-kinds.ts'
import { renderTap } from './tap.ts'
import { renderText } from './text.ts'

/** Where one report goes. */
export interface ReportTarget {
  readonly kind: ReportKind
  readonly file: string
}

const renderers: Readonly<Record<ReportKind, (run: FinishedRun, clauses: readonly Clause[]) => string>> = {
  json: (run) => `${JSON.stringify(run, null, 2)}\n`,
  junit: renderJunit,
  tap: renderTap,
  html: renderHtml,
  text: (run, clauses) => renderText(run, clauses, createPaint(false)),
}

/** One report as text. */
export function renderReport(kind: ReportKind, run: FinishedRun, clauses: readonly Clause[]): string {
  return renderers[kind](run, clauses)
}

/**
 * Empties every report file, so that a path that can't be written is known before the run and no old verdict stays;
 * throws what the file system says.
 */
export async function clearReports(targets: readonly ReportTarget[]): Promise<void> {
  for (const { file } of targets) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, '')
  }
}

/** Writes every report; throws what the file system says. */
export async function writeReports(
  targets: readonly ReportTarget[],
  run: FinishedRun,
  clauses: readonly Clause[],
): Promise<void> {
  for (const { kind, file } of targets) await writeFile(file, renderReport(kind, run, clauses))
}
