/**
 * A name of a user as it is compared: without outer spaces, without case, and in one of Unicode's spellings (NFKC), so
 * that what people take for the same name is the same name.
 */
export const foldName = (name: string): string => name.trim().normalize('NFKC').toLowerCase().normalize('NFKC')
