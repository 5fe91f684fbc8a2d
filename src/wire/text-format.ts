/**
 * True when the value is text that can be stored and returned byte for byte in UTF-8: it has no NUL and no lone
 * surrogate (contract, sync 11). Meant as the string format `text` of the request validators.
 */
export const isText = (value: string): boolean => !value.includes('\0') && !loneSurrogate.test(value)

// With the u flag a well-formed pair is one code point, so this class matches only halves that stand alone.
const loneSurrogate = /\p{Cs}/u
