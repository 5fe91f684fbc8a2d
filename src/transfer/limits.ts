// How much work an importer does for one item. What is beyond a limit is named with its line, or kept as plain text, so that
// no file keeps an importer busy for longer than its size says. docs/transfer.md lists the limits that a user can meet.

/** Front matter in characters, without long texts between double quotes. */
export const maxFrontMatterCharacters = 32 * 1024
/** Names, list entries, brackets and commas of front matter. */
export const maxFrontMatterEntries = 1_000
/** Lists and names inside one another in front matter. */
export const maxFrontMatterDepth = 32
/** Anchors of front matter, and as many aliases. */
export const maxFrontMatterAliases = 100

/** HTML elements inside one another; of deeper ones the text is kept. */
export const maxElementDepth = 500
/** Elements inside one another in an Evernote export. */
export const maxExportDepth = 100
/** Folders inside one another: each becomes a tag of each bookmark in it. */
export const maxFolders = 1_000
/** The names of these folders together, in characters. */
export const maxFolderCharacters = 16 * 1024
/** How often a table is read again behind quotes that are never closed; then a quote must be closed in its line. */
export const maxTableRepetitions = 16
/** A date as text. */
export const maxDateCharacters = 100

/** Lists and quotes of Markdown inside one another. */
export const maxMarkdownDepth = 50
/** Cells of a Markdown table for each of its characters: rows get as many as the first, so kilobytes could say gigabytes. */
export const maxCellsPerCharacter = 4
/**
 * Markdown that is cut into blocks at once, as characters times lines: each line is compared with what follows it. Longer
 * texts are cut between blocks.
 */
export const maxBlockWork = 500_000
/** How often one character of a piece of Markdown may be cut into blocks again, for blocks inside one another. */
export const maxBlockRepetitions = 2 * maxMarkdownDepth
/** Text of one paragraph, title or cell in which marks such as `*` are looked for at once. */
export const maxInlineCharacters = 16 * 1024
/** Marks such as `*` and `[` that are paired at once. */
export const maxInlineMarks = 200
