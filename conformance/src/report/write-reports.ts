/*
 * Reports: render a finished run as text, HTML, JSON, JUnit or TAP, and decide its verdict (`verdict.ts`). `causes.ts`
 * groups failures with a common cause, so that a report shows first what to fix first. The folder must not send
 * requests or run rules. Start reading at `reported-result.ts`, the input of every format.
 */
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

/** One kind of report. */
type ReportKind = (typeof reportKinds)[number]

/** The kind of one report and the file that it is written to. */
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

/** Renders one report as text. */
export function renderReport(kind: ReportKind, run: FinishedRun, requirements: readonly Requirement[]): string {
  return renderers[kind](run, requirements)
}

/**
 * Empties every report file before the run, so that an unwritable path is known early and no old verdict stays.
 * @throws the error of the file system.
 */
export async function clearReports(targets: readonly ReportTarget[]): Promise<void> {
  for (const { file } of targets) {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, '')
  }
}

/** Writes every report. @throws the error of the file system. */
export async function writeReports(
  targets: readonly ReportTarget[],
  run: FinishedRun,
  requirements: readonly Requirement[],
): Promise<void> {
  for (const { kind, file } of targets) await writeFile(file, renderReport(kind, run, requirements))
}
