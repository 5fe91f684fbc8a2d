/** The names of the formats that can be read. The command line needs them without loading the readers. */
export const readFormatNames = [
  'json',
  'netscape',
  'enex',
  'pocket',
  'linkding',
  'wallabag',
  'pinboard',
  'karakeep',
  'markdown',
  'csv',
  'list',
] as const

/** The names of the formats that can be written. */
export const writeFormatNames = ['json', 'netscape', 'csv', 'markdown'] as const
