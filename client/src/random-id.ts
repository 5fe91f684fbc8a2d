/** A new id that no other device makes, too: 128 random bits behind a prefix that no id of a server can have. */
export const createRandomId = (): string => {
  // Not randomUUID, which browsers offer to pages behind TLS only.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return `local-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
