import { open } from 'node:fs/promises'
import { makeThings } from './make-things.ts'

const atOnce = 1000

/** Writes a file of bookmarks as browsers do: half of them with a note, no two with one address. */
export const writeBookmarks = async (path: string, count: number): Promise<void> => {
  const file = await open(path, 'w')
  await file.write('<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<DL><p>\n')
  for (let first = 0; first < count; first += atOnce) {
    const lines = makeThings(first, Math.min(atOnce, count - first)).map(
      ({ title, tags, date, html }, index) =>
        `<DT><A HREF="https://example.org/page/${first + index}" ADD_DATE="${date}" TAGS="${tags.replaceAll(' ', ',')}">${escapeText(title)}</A>\n${
          index % 2 === 0 ? `<DD>${escapeText(html ?? title)}\n` : ''
        }`,
    )
    await file.write(lines.join(''))
  }
  await file.write('</DL><p>\n')
  await file.close()
}

const escapeText = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
