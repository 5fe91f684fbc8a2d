Object.defineProperty(exports, '__esModule', { value: true })
exports.mergeOptionalFields = exports.fieldKinds = exports.fieldNames = void 0
/**
 * Types over the table of a thing's fields (interface 2.1), which is made from `openapi.yaml`: what the replica keeps, shows
 * and takes is derived from it, so that a new field of the document is in all of them.
 */
var thing_fields_ts_1 = require('../../generated/thing-fields.ts')
var rows = Object.entries(thing_fields_ts_1.thingFields)
/** The names of all fields, in the order of the returned form. */
exports.fieldNames = rows.map((_a) => {
  var name = _a[0]
  return name
})
/** The kinds of value of each field, as words for people; `null` where it clears the field. */
exports.fieldKinds = Object.fromEntries(
  rows.map((_a) => {
    var name = _a[0],
      _b = _a[1],
      kind = _b.kind,
      presence = _b.presence
    var word = kind === 'flag' ? 'boolean' : kind === 'integer' ? 'number' : kind
    return [name, presence === 'notEmpty' || name === 'tags' ? [word, 'null'] : [word]]
  }),
)
var optionalFields = rows.flatMap((_a) => {
  var name = _a[0],
    presence = _a[1].presence
  return presence === 'notEmpty' || presence === 'set' ? [name] : []
})
/**
 * The optional fields after a change: what `fields` does not say is as in `thing`, and what null or `''` clears is left out.
 */
var mergeOptionalFields = (thing, fields) => {
  if (fields === void 0) {
    fields = {}
  }
  var merged = {}
  for (var _i = 0, optionalFields_1 = optionalFields; _i < optionalFields_1.length; _i++) {
    var name_1 = optionalFields_1[_i]
    var value = fields[name_1] === undefined ? thing[name_1] : fields[name_1]
    if (value !== undefined && value !== null && value !== '') merged[name_1] = value
  }
  return merged
}
exports.mergeOptionalFields = mergeOptionalFields
