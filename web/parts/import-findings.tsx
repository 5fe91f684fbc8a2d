import type { ComponentChildren } from 'preact'
import { readFormats } from '../../src/transfer/formats.ts'
import type { ImportPreview } from '../data/transfer/importer.ts'
import { useShared } from './desk-context.ts'

const listedProblems = 100

/** All formats that can be read, in one line. */
export const listFormats = (code: string): string =>
  new Intl.ListFormat(code, { type: 'conjunction' }).format(readFormats.map(({ label }) => label))

const labelOf = (format: string): string => readFormats.find(({ name }) => name === format)?.label ?? format

const Problems = ({ preview }: { readonly preview: ImportPreview }) => {
  const say = useShared().desk.words.transferScreen
  const { problems, problemCount } = preview
  if (problemCount === 0) return null
  return (
    <details class="problems">
      <summary>{say.unreadable(problemCount)}</summary>
      <ul>
        {problems.slice(0, listedProblems).map(({ file, line, reason }, place) => (
          <li key={place}>
            <strong>
              <bdi>{say.line(file, line)}</bdi>
            </strong>{' '}
            <bdi lang="en">{reason}</bdi>
          </li>
        ))}
        {problemCount > listedProblems && <li class="soft">{say.more(problemCount - listedProblems)}</li>}
      </ul>
    </details>
  )
}

/** What was found in the files: counts, what is there already, and what cannot be read and why. */
export const ImportFindings = ({
  preview,
  children,
}: {
  readonly preview: ImportPreview
  readonly children: ComponentChildren
}) => {
  const { words } = useShared().desk
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
              <span class="wrong">{say.broken(name, failure)}</span>
            ) : format === undefined ? (
              <span class="wrong">{say.unknownKind(name, listFormats(words.code))}</span>
            ) : (
              <bdi>{say.isFormat(name, labelOf(format))}</bdi>
            )}
          </li>
        ))}
      </ul>
      <Problems preview={preview} />
    </>
  )
}
