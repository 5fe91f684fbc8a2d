Object.defineProperty(exports, '__esModule', { value: true })
exports.readMany = void 0
/** The values of many keys, in their order. */
var readMany = (_a, keys) => {
  var get = _a.get,
    getMany = _a.getMany
  return keys.length > 1 && getMany !== undefined ? getMany(keys) : Promise.all(keys.map((key) => get(key)))
}
exports.readMany = readMany
