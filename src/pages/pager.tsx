import type { PageFields } from './page.ts'
import type { Site } from './site.ts'

/** Rows of one page of a long list. */
const rowsInPage = 50

const sortedCharacters = 32

/**
 * Users or apps by name, whatever its case; a letter with an accent stands behind the letter without. Not by
 * `localeCompare`, which normalizes both names at each comparison: 10,000 names of combining marks would take 2 s.
 */
export const sortByName = <T extends { readonly name: string }>(items: readonly T[]): readonly T[] =>
  items
    .map((item) => ({
      item,
      key: `${item.name.slice(0, sortedCharacters).normalize('NFD').toLowerCase()} ${item.name}`,
    }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ item }) => item)

/** The rows of the page that the query names, and where one can go from there. */
export const takePage = <T,>(rows: readonly T[], query: PageFields) => {
  const last = Math.max(1, Math.ceil(rows.length / rowsInPage))
  const asked = Number(query.get('page') ?? 1)
  const page = Number.isInteger(asked) ? Math.min(last, Math.max(1, asked)) : 1
  return { rows: rows.slice((page - 1) * rowsInPage, page * rowsInPage), page, last }
}

/** Links to the pages before and behind; nothing where one page is all. */
export const Pager = ({
  site,
  path,
  page,
  last,
}: {
  readonly site: Site
  readonly path: string
  readonly page: number
  readonly last: number
}) =>
  last === 1 ? null : (
    <nav class="buttons" aria-label="Pages of the list">
      {page > 1 && (
        <a class="button" href={site.href(`${path}?page=${page - 1}`)} rel="prev">
          Back
        </a>
      )}
      <span class="soft">
        Page {page} of {last}
      </span>
      {page < last && (
        <a class="button" href={site.href(`${path}?page=${page + 1}`)} rel="next">
          Further
        </a>
      )}
    </nav>
  )
