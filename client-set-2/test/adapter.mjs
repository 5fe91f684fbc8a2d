// The adapter as a process: commands through pipes, and kill -9.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { Server } from './server.mjs';

const here = path.dirname(new URL(import.meta.url).pathname);
function start() {
  const p = spawn('node', [path.join(here, '..', 'adapter.mjs'), ...process.argv.slice(2)], { stdio: ['pipe', 'pipe', 'inherit'] });
  let buffer = '', n = 0; const waiting = new Map();
  p.stdout.setEncoding('utf8').on('data', (d) => { buffer += d; for (let i; (i = buffer.indexOf('\n')) >= 0;) { const o = JSON.parse(buffer.slice(0, i)); buffer = buffer.slice(i + 1); waiting.get(o.id)(o); waiting.delete(o.id); } });
  return { p, ask: (command, more = {}) => new Promise((r) => { waiting.set(++n, r); p.stdin.write(JSON.stringify({ id: n, command, ...more }) + '\n'); }), ended: new Promise((r) => p.on('exit', (code, signal) => r(code ?? signal))) };
}
const srv = await new Server().start(), folder = fs.mkdtempSync(path.join(os.tmpdir(), 'set2a-'));
const login = { base_url: srv.base, client_id: 'dev', client_secret: 's3c+r%et', username: 'alice', password: 'w&nd=r +é' };
let a = start();
assert.deepEqual((await a.ask('hello', { protocol: 1, later: 1 })).result.profiles, ['api', 'replica']);
assert.deepEqual(await a.ask('nonsense'), { id: 2, error: { kind: 'unsupported', message: 'no command nonsense' } });
await a.ask('init', login);
const r = (await a.ask('sync', { from: 0, new_thing: [{ local_id: '__proto__', title: 'a\u2028b' }], tag: JSON.parse('{"__proto__":{"favorite":true}}') })).result;
assert.equal(Object.keys(r.things.new)[0], '__proto__'); assert.equal(Object.keys(r.tags)[0], '__proto__');
assert.equal((await a.ask('list', {})).result.count, 1);
await a.ask('open', { ...login, folder });
const { ref } = (await a.ask('create', { title: 'typed' })).result;
a.p.kill('SIGKILL'); assert.equal(await a.ended, 'SIGKILL');
a = start(); await a.ask('open', { ...login, folder });
assert.equal((await a.ask('state')).result.pending, 1);
assert.deepEqual((await a.ask('sync')).result, {});
assert.deepEqual(srv.titles(), ['a\u2028b', 'typed']);
assert.equal((await a.ask('read')).result.things.length, 2);
assert.equal((await a.ask('close')).error, undefined);
// kills at any moment
for (let i = 0; i < 6; i++) {
  const b = start(); await b.ask('open', { ...login, folder }); await b.ask('create', { title: 'k' + i }); b.ask('sync'); await new Promise((x) => setTimeout(x, i * 12)); b.p.kill('SIGKILL'); await b.ended;
}
await a.ask('open', { ...login, folder }); await a.ask('sync');
assert.deepEqual((await a.ask('read')).result.things.map((t) => t.title).sort(), srv.titles()); assert.equal(srv.things.size, 8);
a.p.stdin.end(); assert.equal(await a.ended, 0);
fs.rmSync(folder, { recursive: true }); srv.stop(); console.log('adapter ok');
