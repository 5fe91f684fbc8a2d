// Made from openapi.yaml by scripts/thing-fields (npm run generate); edit openapi.yaml instead.
/**
 * The fields of a thing beside its id (interface 2.1), in the order of the returned form: what kind of value each holds, and
 * when the returned form has it: `always`, when the text is `notEmpty`, when it is `set`, when the flag is `true`, or while
 * the thing is a `todo`. `minimum` and `maximum` are the bounds of a number that has some.
 */
export const thingFields = {
  title: { kind: 'text', presence: 'always' },
  tags: { kind: 'text', presence: 'always' },
  date: { kind: 'number', presence: 'always' },
  url: { kind: 'text', presence: 'notEmpty' },
  html: { kind: 'text', presence: 'notEmpty' },
  archived: { kind: 'flag', presence: 'true' },
  todoStatus: { kind: 'flag', presence: 'todo' },
} as const
