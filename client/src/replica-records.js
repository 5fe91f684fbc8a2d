var __assign =
  (this && this.__assign) ||
  function () {
    __assign =
      Object.assign ||
      function (t) {
        for (var s, i = 1, n = arguments.length; i < n; i++) {
          s = arguments[i]
          for (var p in s) if (Object.hasOwn(s, p)) t[p] = s[p]
        }
        return t
      }
    return __assign.apply(this, arguments)
  }
Object.defineProperty(exports, '__esModule', { value: true })
exports.joinEdits =
  exports.applyTagChange =
  exports.blankThing =
  exports.typedIn =
  exports.applyFields =
  exports.editKey =
  exports.keys =
  exports.initialState =
  exports.typedFields =
    void 0
var thing_fields_ts_1 = require('./thing-fields.ts')
/** The fields that people type; the others are switches, whose last state nobody misses. */
exports.typedFields = ['title', 'tags', 'url', 'html']
/** Where a replica stands that has never synchronised. */
exports.initialState = { version: 1, position: 0, mustListAll: true }
/** Keys of a local store: what is kept under each is typed above; tags are kept as TagSettings. */
exports.keys = {
  state: 'state',
  thing: (id) => 'thing/'.concat(id),
  tag: (name) => 'tag/'.concat(name),
  /** From a local id to the `_id` that the server gave. */
  givenId: (localId) => 'id/'.concat(localId),
  /** An edit of a thing that is gone, as a LostEdit. */
  lost: (id) => 'lost/'.concat(id),
  /** The newest things, as NewestThings. */
  newest: 'newest',
  /** What was replaced of a thing, as a list of ThingVersion. */
  versions: (id) => 'versions/'.concat(id),
}
/** The key of an edit of a thing or a tag. */
var editKey = (stage, of, name) => ''.concat(stage, '/').concat(of, '/').concat(name)
exports.editKey = editKey
/** The thing after these fields (contract, sync 8): what they do not say stays. */
var applyFields = (thing, fields) => {
  var _a, _b, _c, _d, _e
  return __assign(__assign({}, (0, thing_fields_ts_1.mergeOptionalFields)(thing, fields)), {
    title: (_a = fields.title) !== null && _a !== void 0 ? _a : thing.title,
    tags: fields.tags === undefined ? thing.tags : (_b = fields.tags) !== null && _b !== void 0 ? _b : '',
    date: (_c = fields.date) !== null && _c !== void 0 ? _c : thing.date,
    archived: (_d = fields.archived) !== null && _d !== void 0 ? _d : thing.archived,
    todoStatus: (_e = fields.todoStatus) !== null && _e !== void 0 ? _e : thing.todoStatus,
  })
}
exports.applyFields = applyFields
/** The fields of an edit that were typed here. */
var typedIn = (edit) =>
  edit.kind === 'delete'
    ? []
    : exports.typedFields.filter((name) => {
        var _a, _b
        return edit.kind === 'new'
          ? Boolean(edit.fields[name])
          : (_b = (_a = edit.typed) === null || _a === void 0 ? void 0 : _a.includes(name)) !== null && _b !== void 0
            ? _b
            : edit.fields[name] !== undefined
      })
exports.typedIn = typedIn
/** A thing about which nothing was said yet. */
exports.blankThing = {
  title: '',
  tags: '',
  date: 0,
  archived: false,
  todoStatus: false,
}
var blankTag = { favorite: false, color: false, todo: false }
/** The settings after a change; what it does not say stays, `todo: true` is kept as `strike` (contract, sync 12). */
var applyTagChange = (settings, change) => {
  if (settings === void 0) {
    settings = blankTag
  }
  if (change === void 0) {
    change = {}
  }
  var _a = change.favorite,
    favorite = _a === void 0 ? settings.favorite : _a,
    _b = change.color,
    color = _b === void 0 ? settings.color : _b,
    _c = change.todo,
    todo = _c === void 0 ? settings.todo : _c
  return { favorite: favorite, color: color, todo: todo === true ? 'strike' : todo }
}
exports.applyTagChange = applyTagChange
/** One edit for two that were made after each other; undefined when nothing is left to tell. */
var joinEdits = (first, second) => {
  var _a
  if (first === undefined || first.kind === 'delete') return first !== null && first !== void 0 ? first : second
  if (second.kind === 'delete') return first.kind === 'new' ? undefined : second
  var fields = __assign(__assign({}, first.fields), second.fields)
  return first.kind === 'new'
    ? {
        kind: 'new',
        fields: __assign(__assign({}, fields), {
          title: (_a = fields.title) !== null && _a !== void 0 ? _a : first.fields.title,
        }),
      }
    : { kind: 'change', fields: fields }
}
exports.joinEdits = joinEdits
