Object.defineProperty(exports, '__esModule', { value: true })
exports.readPack = exports.fillPacks = void 0
var entriesPerPack = 100
// Browsers keep records beyond 64 KB in files of their own, each with a write and a read that cost more than a pack.
var charactersPerPack = 30000
/** Divides entries into packs, in their order; the values of an entry have a JSON. */
var fillPacks = (entries) => {
  var encoder = new TextEncoder()
  var packs = []
  var keys = []
  var texts = []
  var characters = 0
  var close = () => {
    if (keys.length > 0) packs.push({ keys: keys, value: encoder.encode('['.concat(texts.join(','), ']')) })
    keys = []
    texts = []
    characters = 0
  }
  for (var _i = 0, entries_1 = entries; _i < entries_1.length; _i++) {
    var _a = entries_1[_i],
      key = _a[0],
      value = _a[1]
    var text = JSON.stringify(value)
    if (keys.length === entriesPerPack || characters + text.length > charactersPerPack) close()
    keys.push(key)
    texts.push(text)
    characters += text.length
  }
  close()
  return packs
}
exports.fillPacks = fillPacks
/** The values of a pack as it was stored. */
var readPack = (stored) => JSON.parse(new TextDecoder().decode(stored))
exports.readPack = readPack
