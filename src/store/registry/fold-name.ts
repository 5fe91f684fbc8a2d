/**
 * A name of a user as it is compared: without outer spaces, without case, without the unseen characters that spelling
 * and pictures may need (`accounts/unseen-characters.ts`), and in one of Unicode's spellings (NFKC), so that what people
 * take for the same name is the same name.
 */
export const foldName = (name: string): string =>
  name
    .replace(/\u200c|\u200d|\ufe0f/g, '')
    .trim()
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
