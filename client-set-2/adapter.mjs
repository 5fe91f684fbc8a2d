#!/usr/bin/env node
// The adapter: commands on standard input, results on standard output. It only passes values on.
import fs from 'node:fs';
import path from 'node:path';
import { select } from './lib/switch.mjs';
import { ClientError } from './lib/http.mjs';
import { Client } from './lib/api.mjs';
import { Replica } from './lib/replica.mjs';

const here = path.dirname(new URL(import.meta.url).pathname);
const table = (name) => JSON.parse(fs.readFileSync(path.join(here, name), 'utf8'));
const args = process.argv.slice(2);
const value = (flag) => { const i = args.indexOf(flag); return i < 0 ? null : args[i + 1]; };
if (args.includes('--list-faults')) { console.log(table('faults.json').map((f) => f.id).join('\n')); process.exit(0); }
if (args.includes('--list-habits')) { console.log(table('habits.json').map((h) => h.id).join('\n')); process.exit(0); }
const fault = value('--fault'), habit = value('--habit');
for (const [id, file] of [[fault, 'faults.json'], [habit, 'habits.json']]) {
  if (id !== null && !table(file).some((x) => x.id === id)) { console.error(`unknown: ${id}`); process.exit(2); }
}
select({ fault, habit });

const FEATURES = ['concurrent', 'list', 'operations', 'revoke', 'tokens', 'retries', 'paging', 'set-tag'].filter((f) => !(habit === 'no-retries' && f === 'retries') && !(habit === 'unpaged' && f === 'paging'));
const OPTIONS = ['base_url', 'client_id', 'client_secret', 'username', 'password', 'tokens', 'folder'];
const options = (c) => Object.fromEntries(OPTIONS.filter((k) => c[k] !== undefined && c[k] !== null).map((k) => [k, c[k]]));
const rest = (c) => { const { id, command, ...m } = c; return m; };
const list = (v) => (v === undefined || v === null ? undefined : Array.isArray(v) ? v : [v]);
let client = null, replica = null;
const api = () => { if (!client) throw new ClientError('unsupported', 'init comes first'); return client; };
const rep = () => { if (!replica) throw new ClientError('unsupported', 'open comes first'); return replica; };

const commands = {
  hello: () => ({ protocol: 1, name: 'client set 2', version: '1.0', profiles: ['api', 'replica'], features: FEATURES }),
  init: (c) => { client = new Client(options(c)); return {}; },
  token: (c) => api().token(c.username, c.password),
  refresh: () => api().refresh(),
  sync: (c) => {
    if (replica && !('from' in c) && !client) return rep().sync().then(() => ({}));
    const given = (k) => (c[k] === null ? undefined : c[k]);
    return api().sync({ from: given('from'), skip: given('skip'), limit: given('limit'), new_thing: list(c.new_thing), changed_thing: list(c.changed_thing), deleted_thing: list(c.deleted_thing), skip_id: list(c.skip_id), tag: given('tag') });
  },
  list: (c) => api().list({ from: c.from ?? undefined, limit: c.limit ?? undefined }),
  'thing-add': (c) => api().thingAdd(rest(c)),
  'thing-change': (c) => api().thingChange(rest(c)),
  'thing-delete': (c) => api().thingDelete(c._id),
  'things-get': async () => ({ items: await api().thingsGet() }),
  'tags-get': () => api().tagsGet(),
  'user-get': () => api().userGet(),
  revoke: async () => { await api().revoke(); return {}; },
  open: async (c) => { if (replica) await replica.close(); client = null; replica = new Replica(options(c)).open(); return {}; },
  create: (c) => ({ ref: rep().create(rest(c)) }),
  change: (c) => { const { ref, ...m } = rest(c); rep().change(ref, m); return {}; },
  delete: (c) => { rep().delete(c.ref); return {}; },
  'set-tag': (c) => { rep().setTag(c.name, c.settings ?? {}); return {}; },
  read: () => rep().read(),
  state: () => rep().state(),
  close: async () => { const r = rep(); await r.close(); replica = null; return {}; },
};

const running = new Set();
const write = (o) => new Promise((r) => process.stdout.write(JSON.stringify(o) + '\n', r));
async function handle(line) {
  let c;
  try { c = JSON.parse(line); } catch { return; }
  let out;
  try {
    const f = Object.hasOwn(commands, c.command) ? commands[c.command] : null;
    if (!f) throw new ClientError('unsupported', `no command ${c.command}`);
    out = { id: c.id, result: await f(c) };
  } catch (e) {
    const error = { kind: e instanceof ClientError ? e.kind : 'internal', message: String(e?.message ?? e) };
    if (e.status !== undefined) error.status = e.status;
    if (e.code !== undefined && e instanceof ClientError) error.code = e.code;
    if (error.kind === 'internal') console.error(e.stack);
    out = { id: c.id, error };
  }
  await write(out);
}
// Lines end at a line feed and nowhere else: a text may contain U+2028.
let rest0 = Buffer.alloc(0);
process.stdin.on('data', (chunk) => {
  rest0 = rest0.length ? Buffer.concat([rest0, chunk]) : chunk;
  for (let end; (end = rest0.indexOf(10)) >= 0;) {
    const line = rest0.subarray(0, end).toString('utf8');
    rest0 = rest0.subarray(end + 1);
    if (!line.trim()) continue;
    const p = handle(line).finally(() => running.delete(p));
    running.add(p);
  }
});
process.stdin.on('end', async () => {
  await Promise.race([Promise.allSettled([...running]), new Promise((r) => setTimeout(r, 2000))]);
  process.exit(0);
});
