/**
 * How many UTF-16 code units a user name has at most, wherever one is read: two for each of the 200 characters that a name
 * may have when it is chosen. Unicode normalization sorts combining marks in quadratic time, so a longer text must never
 * come to it: 64 KB of marks would block the server for more than a second.
 */
export const maxNameLength = 400

/**
 * A user name as it is compared: without outer spaces, without case, without the unseen characters that spelling
 * and pictures may need (`accounts/unseen-characters.ts`), and in one of Unicode's spellings (NFKC), so that what people
 * take for the same name is the same name. A text longer than `maxNameLength` is no name, and is returned as it is.
 */
export const foldName = (name: string): string =>
  name.length > maxNameLength
    ? name
    : name
        .replace(/\u200c|\u200d|\ufe0f/g, '')
        .trim()
        .normalize('NFKC')
        .toLowerCase()
        .normalize('NFKC')
