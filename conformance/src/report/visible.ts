/**
 * The text with control characters and lone surrogates written out (`\u001b`), so that no answer of a server can move
 * a cursor or break a file. Line ends and tabs stay.
 */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu, (found) =>
      found === '\n' || found === '\t' ? found : `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
}
