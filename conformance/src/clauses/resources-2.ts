import { clausesOf } from './clause.ts'

/** Section 2: resources and their fields. */
export const resourceClauses = [
  ...clausesOf('2', [
    {
      id: 'K-request-10',
      basis: 'ours',
      text: 'Names chosen by clients (`local_id`, tag names) may be any text, also empty and `__proto__`; over-long ones are refused.',
    },
  ]),
  ...clausesOf('2.1', [
    { id: 'C-2.1-1', text: 'A new thing may name itself with a `local_id` that is a string.' },
    { id: 'C-2.1-2', text: 'A new thing may name itself with a `local_id` that is a number.' },
    { id: 'C-2.1-3', text: 'The title of a thing is kept and always returned as a string.' },
    { id: 'C-2.1-4', text: 'Tags are one string, separated by spaces; it is always returned.' },
    {
      id: 'C-2.1-5',
      text: 'The creation date is a number, Unix time; a given one is kept, and it is always returned.',
    },
    { id: 'C-2.1-6', text: 'A thing is returned with `url` only when a url was set.' },
    { id: 'C-2.1-7', text: 'A thing is returned with `html` only when html was set.' },
    {
      id: 'C-2.1-8',
      text: '`archived` is returned only on archived things, and is then true; a submission without it means not archived.',
    },
    {
      id: 'C-2.1-9',
      text: '`todoStatus` is a boolean that is returned on todos and only there; a todo is a thing with a special tag.',
    },
    { id: 'C-2.1-10', text: 'The server gives every thing an alphanumeric `_id` and always returns it.' },
    { id: 'C-2.1-11', text: 'A changed thing is named by its `_id` and takes the same fields as a new one.' },
    { id: 'C-2.1-12', text: 'A thing is deleted by its plain `_id`.' },
    {
      id: 'C-2.1-13',
      text: 'A created thing keeps every field that was submitted, in any script, character for character.',
    },
    {
      id: 'K-sync-15',
      basis: 'ours',
      text: "A date that is left out is the server's time in whole seconds; a given one may be any finite number, also 0 and below. A title may be empty but not absent.",
    },
    {
      id: 'K-sync-16',
      basis: 'ours',
      text: '`title`, `tags`, `url` and `html` come back as sent, byte for byte in UTF-8; NUL and lone surrogates are refused.',
    },
    {
      id: 'K-sync-17',
      basis: 'ours',
      text: '`todoStatus` is on exactly the things that carry a tag whose `todo` setting is not false.',
    },
  ]),
  ...clausesOf('2.2', [
    { id: 'C-2.2-1', text: 'Tag settings are a map from tag name to an object with `favorite` (boolean).' },
    { id: 'C-2.2-2', text: '`color` is a hex colour that was set, or false for none.' },
    { id: 'C-2.2-3', text: '`todo` is submitted as a boolean and returned as false, "strike" or "dont-strike".' },
    { id: 'C-2.2-4', text: 'Settings of one tag say nothing about another.' },
    {
      id: 'K-sync-18',
      basis: 'observed',
      text: 'Settings left out of a tag stay; `todo` true is kept as "strike", and the two texts are taken as they are; `color` is false, `#rgb` or `#rrggbb`, returned in lower case.',
    },
  ]),
  ...clausesOf('2.3', [
    { id: 'C-2.3-1', text: '`pos` is a number that can be sent later as `from`.' },
    { id: 'K-sync-20', basis: 'ours', text: 'A position is a whole number below 2^53.' },
    {
      id: 'K-sync-21',
      basis: 'ours',
      text: 'A position that was given is never given again for something else, also after a restart or the restore of a backup.',
      untested: 'The suite cannot restart a server.',
    },
  ]),
]
