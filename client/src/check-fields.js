Object.defineProperty(exports, '__esModule', { value: true })
exports.checkTag = exports.checkNewFields = exports.checkFields = void 0
var thing_fields_ts_1 = require('./thing-fields.ts')
var tagKinds = {
  favorite: ['boolean'],
  color: ['text', 'boolean'],
  todo: ['boolean', 'text'],
}
var kindOf = (value) => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return typeof value === 'string' ? 'text' : typeof value
}
var checkKinds = (fields, table) => {
  for (var _i = 0, _a = Object.entries(table); _i < _a.length; _i++) {
    var _b = _a[_i],
      name_1 = _b[0],
      allowed = _b[1]
    var value = fields[name_1]
    if (value !== undefined && !allowed.includes(kindOf(value))) {
      throw new TypeError(
        ''.concat(name_1, ' must be ').concat(allowed.join(' or '), ', and is ').concat(kindOf(value)),
      )
    }
  }
}
/**
 * Lets no value into the store that reading could not show: it would stand in the way of all things there, also after a
 * restart.
 * @throws TypeError that names the field
 */
var checkFields = (fields) => checkKinds(fields, thing_fields_ts_1.fieldKinds)
exports.checkFields = checkFields
/** The same for a new thing. @throws TypeError that names the field */
var checkNewFields = (fields) => {
  ;(0, exports.checkFields)(fields)
  if (fields.title === undefined) throw new TypeError('a new thing needs a title')
}
exports.checkNewFields = checkNewFields
/**
 * The same for settings of a tag. Tags of a thing are separated by spaces (interface 2.1): settings under a name with one
 * would be of no tag. Those that another program made all the same (`isKnown`) may be changed.
 * @throws TypeError that names the field
 */
var checkTag = (name, change, isKnown) => {
  if (typeof name !== 'string') throw new TypeError('name must be text, and is '.concat(kindOf(name)))
  if (!isKnown && (name === '' || name.includes(' '))) {
    throw new TypeError('name must be one word, as things carry it in tags, and is '.concat(JSON.stringify(name)))
  }
  checkKinds(change, tagKinds)
}
exports.checkTag = checkTag
