Object.defineProperty(exports, '__esModule', { value: true })
exports.createRandomId = void 0
/** A new id that no other device makes, too: 128 random bits behind a prefix that no id of a server can have. */
var createRandomId = () => {
  // Not randomUUID, which browsers offer to pages behind TLS only.
  var bytes = crypto.getRandomValues(new Uint8Array(16))
  return 'local-'.concat(Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''))
}
exports.createRandomId = createRandomId
