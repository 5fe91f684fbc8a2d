import type { Calls } from './use-server.ts'

/** Everything that a data folder can hold of one person's things: all fields, settings, changes, deletions, hooks. */
export const fillAccount = async ({ post }: Calls): Promise<void> => {
  const things = [
    {
      local_id: '1',
      title: 'A note',
      html: '<p>with <b>text</b> and a line\u2028 that JSON keeps</p>',
      tags: 'home, ☕ later',
    },
    {
      local_id: '2',
      title: 'A bookmark',
      url: 'https://example.org/?a=1&b=2',
      tags: 'home, read',
      date: 1_700_000_000.5,
    },
    { local_id: '3', title: 'Bought milk', tags: 'todo', archived: true },
    { local_id: '4', title: 'Soon deleted' },
    { local_id: 'ü 😀', title: '', date: -1 },
  ]
  const answer = await post('sync', { from: '0', new_thing: JSON.stringify(things) })
  const ids = (answer.things as { new: Record<string, string> }).new
  await post('sync', {
    from: String(answer.pos),
    changed_thing: JSON.stringify({ _id: ids['2'], title: 'A bookmark, renamed', archived: false }),
    deleted_thing: ids['4'] ?? '',
    'tag[todo]': JSON.stringify({ todo: 'strike', color: '#f80' }),
    'tag[home]': JSON.stringify({ favorite: true }),
  })
}
