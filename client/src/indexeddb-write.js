var __spreadArray =
  (this && this.__spreadArray) ||
  function (to, from, pack) {
    if (pack || arguments.length === 2)
      for (var i = 0, l = from.length, ar; i < l; i++) {
        if (ar || !(i in from)) {
          if (!ar) ar = Array.prototype.slice.call(from, 0, i)
          ar[i] = from[i]
        }
      }
    return to.concat(ar || Array.prototype.slice.call(from))
  }
Object.defineProperty(exports, '__esModule', { value: true })
exports.planWrite = void 0
var indexeddb_database_ts_1 = require('./indexeddb-database.ts')
var indexeddb_pack_ts_1 = require('./indexeddb-pack.ts')
/** From so many entries on they become packs. */
var fewestPacked = 64
// Removing packs looks at all keys once.
var fewestRemoved = 32
/** How these changes are written; `mayRemove` when nothing is reading packs that nobody needs any more. */
var planWrite = (changes, index, mayRemove) => {
  var steps = []
  var set = __spreadArray([], changes, true).filter((_a) => {
    var value = _a[1]
    return value !== undefined
  })
  var isPacked = set.length >= fewestPacked
  var putKeys = []
  var removedKeys = []
  var packs = []
  for (var _i = 0, changes_1 = changes; _i < changes_1.length; _i++) {
    var _a = changes_1[_i],
      key = _a[0],
      value = _a[1]
    if (value !== undefined && isPacked) {
      if (index.singles.has(key)) steps.push({ table: indexeddb_database_ts_1.entriesTable, key: key, isRemoved: true })
      removedKeys.push(key)
    } else if (value !== undefined || index.isPacked(key)) {
      // Nothing in the place of a value hides what the pack has.
      steps.push({ table: indexeddb_database_ts_1.entriesTable, key: key, value: value })
      putKeys.push(key)
    } else {
      steps.push({ table: indexeddb_database_ts_1.entriesTable, key: key, isRemoved: true })
      removedKeys.push(key)
    }
  }
  for (var _b = 0, _c = isPacked ? (0, indexeddb_pack_ts_1.fillPacks)(set) : []; _b < _c.length; _b++) {
    var _d = _c[_b],
      keys = _d.keys,
      value = _d.value
    var key = index.lastPack() + packs.length + 1
    steps.push(
      { table: indexeddb_database_ts_1.packsTable, key: key, value: value },
      { table: indexeddb_database_ts_1.packKeysTable, key: key, value: JSON.stringify(keys) },
    )
    packs.push([key, keys])
  }
  var dead = mayRemove ? index.listDead() : []
  var gone = dead.length < fewestRemoved ? [] : dead
  for (var _e = 0, gone_1 = gone; _e < gone_1.length; _e++) {
    var key = gone_1[_e]
    steps.push(
      { table: indexeddb_database_ts_1.packsTable, key: key, isRemoved: true },
      { table: indexeddb_database_ts_1.packKeysTable, key: key, isRemoved: true },
    )
  }
  return {
    tables:
      isPacked || gone.length > 0
        ? [
            indexeddb_database_ts_1.entriesTable,
            indexeddb_database_ts_1.packsTable,
            indexeddb_database_ts_1.packKeysTable,
          ]
        : indexeddb_database_ts_1.entriesTable,
    steps: steps,
    confirm: () => {
      // First these: that a pack goes says nothing of what this write has put in its place.
      if (gone.length > 0) index.noteRemoved(gone)
      index.noteSingles(putKeys, removedKeys)
      for (var _i = 0, packs_1 = packs; _i < packs_1.length; _i++) {
        var _a = packs_1[_i],
          pack = _a[0],
          keys = _a[1]
        index.notePack(pack, keys)
      }
    },
  }
}
exports.planWrite = planWrite
