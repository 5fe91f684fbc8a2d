// Limits for the work of an importer on one item, so that its time grows only linearly with the size of a file. An item
// beyond a limit is reported with its line, or stays plain text. docs/reference/import-formats.md lists the limits that
// a user can meet.

/** Maximum length of front matter in characters, without long texts between double quotes. */
export const maxFrontMatterCharacters = 32 * 1024
/** Maximum of names, list entries, brackets and commas in front matter. */
export const maxFrontMatterEntries = 1_000
/** Maximum nesting of lists and names in front matter. */
export const maxFrontMatterDepth = 32
/** Maximum of anchors in front matter, and of aliases. */
export const maxFrontMatterAliases = 100

/** Maximum nesting of HTML elements. Of deeper elements only the text is kept. */
export const maxElementDepth = 500
/** Maximum nesting of elements in an Evernote export. */
export const maxExportDepth = 100
/** Maximum nesting of folders: each becomes a tag of each bookmark in it. */
export const maxFolders = 1_000
/** Maximum total length of the names of these folders, in characters. */
export const maxFolderCharacters = 16 * 1024
/** How often a CSV file may be read again after unclosed quotes. After that, a quote must be closed in its line. */
export const maxTableRepetitions = 16
/** Maximum length of a date in characters. */
export const maxDateCharacters = 100

/** Maximum nesting of lists and quotes in Markdown. */
export const maxMarkdownDepth = 50
/**
 * Maximum of table cells per character: each row has as many cells as the first, so kilobytes could become gigabytes.
 */
export const maxCellsPerCharacter = 4
/**
 * Maximum work of parsing Markdown into blocks at once, as characters times lines: each line is compared with the
 * following ones. Longer texts are split between blocks.
 */
export const maxBlockWork = 500_000
/** How often one character of Markdown may be parsed into blocks again, because of nested blocks. */
export const maxBlockRepetitions = 2 * maxMarkdownDepth
/** Maximum length of the text of a paragraph, heading or cell that is parsed for marks such as `*` at once. */
export const maxInlineCharacters = 16 * 1024
/** Maximum of marks such as `*` and `[` that are paired at once. */
export const maxInlineMarks = 200
