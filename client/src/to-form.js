Object.defineProperty(exports, '__esModule', { value: true })
exports.toForm = void 0
/**
 * Writes a request as the form that the interface publishes (interface 4.3): lists and objects become JSON text,
 * `name[]` is repeated, a map of tag settings becomes one `tag[<name>]` each. What is undefined or null is left out, also
 * inside of things and settings: null means that nothing was said (contract, sync 8), which not every server knows; ""
 * is what empties a field.
 */
var toForm = (body) => {
  var form = new URLSearchParams()
  for (var _i = 0, _a = Object.entries(body); _i < _a.length; _i++) {
    var _b = _a[_i],
      name_1 = _b[0],
      value = _b[1]
    if (value === undefined || value === null) continue
    if (Array.isArray(value) && name_1.endsWith('[]'))
      for (var _c = 0, value_1 = value; _c < value_1.length; _c++) {
        var one = value_1[_c]
        form.append(name_1, toText(one))
      }
    else if (isMap(value))
      for (var _d = 0, _e = Object.entries(value); _d < _e.length; _d++) {
        var _f = _e[_d],
          key = _f[0],
          one = _f[1]
        form.append(''.concat(name_1, '[').concat(key, ']'), toText(one !== null && one !== void 0 ? one : {}))
      }
    else form.append(name_1, toText(value))
  }
  return form.toString()
}
exports.toForm = toForm
var isMap = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
var toText = (value) => (typeof value === 'string' ? value : JSON.stringify(value, leaveOutNull))
var leaveOutNull = (_name, value) => (value !== null && value !== void 0 ? value : undefined)
