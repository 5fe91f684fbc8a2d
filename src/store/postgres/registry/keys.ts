/**
 * A name or id as a key of a table: its JSON. Names are text that somebody chose or sent, which may hold NUL, and that
 * the database takes in no text.
 */
export const asKey = (text: string): string => JSON.stringify(text)
