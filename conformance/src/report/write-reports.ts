import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Requirement } from '../rule.ts'
import { renderJunit, renderTap } from './ci-formats.ts'
import { renderHtml } from './html.ts'
import { createPaint } from './paint.ts'
import type { FinishedRun } from './reported-result.ts'
import { renderText } from './text.ts'

/** The kinds of report that `--report KIND=FILE` writes. */
export const reportKinds = ['json', 'junit', 'tap', 'html', 'text'] as const

/** One of them. */
type ReportKind = (typeof reportKinds)[number]

/** Where one report goes. */
export interface ReportTarget {
  readonly kind: ReportKind
  readonly file: string
}

const renderers: Readonly<Record<ReportKind, (run: FinishedRun, requirements: readonly Requirement[]) => string>> = {
  json: (run) => `${JSON.stringify(run, null, 2)}\n`,
  junit: renderJunit,
  tap: renderTap,
  html: renderHtml,
  text: (run, requirements) => renderText(run, requirements, createPaint(false)),
}

/** One report as text. */
export function renderReport(kind: ReportKind, run: FinishedRun, requirements: readonly Requirement[]): string {
  return renderers[kind](run, requirements)
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
  requirements: readonly Requirement[],
): Promise<void> {
  for (const { kind, file } of targets) await writeFile(file, renderReport(kind, run, requirements))
}
