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
exports.listRuns = exports.createPackIndex = void 0
/** `thing/` of `thing/4711`; undefined for what has no such beginning. */
var kindOf = (key) => {
  var end = key.indexOf('/')
  return end === -1 ? undefined : key.slice(0, end + 1)
}
/** The index of a store with these entries of their own and these packs, in their order. */
var createPackIndex = (singleKeys, packs) => {
  var singles = new Set(singleKeys)
  var packOf = new Map()
  /** How many keys of each pack are not replaced. */
  var living = new Map()
  /** Which packs have had keys of each kind. */
  var packsOfKind = new Map()
  var last = 0
  var count = (key, step) => {
    var _a
    var pack = packOf.get(key)
    if (pack !== undefined) living.set(pack, ((_a = living.get(pack)) !== null && _a !== void 0 ? _a : 0) + step)
  }
  var notePack = (pack, keys) => {
    var _a
    last = Math.max(last, pack)
    var left = 0
    var kind
    for (var _i = 0, keys_1 = keys; _i < keys_1.length; _i++) {
      var key = keys_1[_i]
      // Mostly all keys of a pack are of one kind.
      if (kind === undefined || !key.startsWith(kind)) {
        kind = kindOf(key)
        packsOfKind.set(kind, ((_a = packsOfKind.get(kind)) !== null && _a !== void 0 ? _a : new Set()).add(pack))
      }
      if (!singles.has(key)) {
        count(key, -1)
        left++
      }
      packOf.set(key, pack)
    }
    living.set(pack, left)
  }
  for (var _i = 0, packs_1 = packs; _i < packs_1.length; _i++) {
    var _a = packs_1[_i],
      pack = _a[0],
      keys = _a[1]
    notePack(pack, keys)
  }
  return {
    singles: singles,
    findPack: (key) => (singles.has(key) ? undefined : packOf.get(key)),
    listPacks: (prefix) => {
      var _a
      var kind = kindOf(prefix)
      return __spreadArray(
        [],
        kind === undefined ? living.keys() : (_a = packsOfKind.get(kind)) !== null && _a !== void 0 ? _a : [],
        true,
      )
    },
    lastPack: () => last,
    isReadIn: (key, pack, lastThen) => {
      var now = packOf.get(key)
      return now === pack || (now !== undefined && now > lastThen)
    },
    isPacked: (key) => packOf.has(key),
    noteSingles: (put, removed) => {
      for (var _i = 0, put_1 = put; _i < put_1.length; _i++) {
        var key = put_1[_i]
        if (!singles.has(key)) count(key, -1)
        singles.add(key)
      }
      for (var _a = 0, removed_1 = removed; _a < removed_1.length; _a++) {
        var key = removed_1[_a]
        if (singles.delete(key)) count(key, 1)
      }
    },
    notePack: notePack,
    listDead: () =>
      __spreadArray([], living, true)
        .filter((_a) => {
          var number = _a[1]
          return number === 0
        })
        .map((_a) => {
          var pack = _a[0]
          return pack
        }),
    noteRemoved: (removed) => {
      for (var _i = 0, removed_2 = removed; _i < removed_2.length; _i++) {
        var pack = removed_2[_i]
        living.delete(pack)
        for (var _a = 0, _b = packsOfKind.values(); _a < _b.length; _a++) {
          var packs_2 = _b[_a]
          packs_2.delete(pack)
        }
      }
      for (var _c = 0, packOf_1 = packOf; _c < packOf_1.length; _c++) {
        var _d = packOf_1[_c],
          key = _d[0],
          pack = _d[1]
        if (!living.has(pack)) packOf.delete(key)
      }
    },
  }
}
exports.createPackIndex = createPackIndex
/** These packs up to the last one, where their numbers follow each other so many at most together. */
var listRuns = (packs, last, most) => {
  var runs = []
  for (var _i = 0, packs_3 = packs; _i < packs_3.length; _i++) {
    var pack = packs_3[_i]
    var run = runs.at(-1)
    if (pack > last) break
    if (run !== undefined && pack === run[1] + 1 && pack - run[0] < most) run[1] = pack
    else runs.push([pack, pack])
  }
  return runs
}
exports.listRuns = listRuns
