const maxShownCharacters = 60

/**
 * The name as an error description may show it: at most 60 characters, without control characters, lone surrogates and
 * other invisible code points. For names that a client chose, such as tag names and unknown parameters.
 */
export const showName = (name: string): string => {
  // Two code units a character at most; a name may be megabytes long.
  const characters = [...name.slice(0, 2 * maxShownCharacters + 2)]
  const cut = characters.length > maxShownCharacters
  const shown = cut ? [...characters.slice(0, maxShownCharacters - 1), '…'] : characters
  return shown.join('').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd')
}
