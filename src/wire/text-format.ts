/**
 * True when the value is text that can be stored and returned byte for byte in UTF-8: it has no NUL and no lone
 * surrogate (contract, sync 11). Meant as the string format `text` of the request validators.
 */
export const isText = (value: string): boolean => !value.includes('\0') && value.isWellFormed()
