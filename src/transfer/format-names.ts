/** Names of the formats that can be read; known to the command line without loading them. */
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

/** Names of the formats that can be written. */
export const writeFormatNames = ['json', 'netscape', 'csv', 'markdown'] as const
