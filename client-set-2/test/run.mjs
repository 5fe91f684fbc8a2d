// Scenarios against the tiny server, in one process. `node test/run.mjs [--faults | --habits | --fault ID | --habit ID] [--only TEXT]`
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { select, timing, sleep } from '../lib/switch.mjs';
import { Client } from '../lib/api.mjs';
import { Replica } from '../lib/replica.mjs';
import { Server } from './server.mjs';

timing.base = 4; timing.idle = 1500; timing.durable = false;
const eq = assert.deepEqual, ok = assert.ok;
const scenarios = [];
const S = (profile, name, o, f) => scenarios.push({ profile, name, o, f });
const A = (name, o, f) => S('api', name, o, f), R = (name, o, f) => S('replica', name, o, f);
const LOGIN = { client_id: 'dev', client_secret: 's3c+r%et', username: 'alice', password: 'w&nd=r +é' };
const kind = async (p, k, more = {}) => { const e = await p.then((v) => { throw new Error(`no error but ${JSON.stringify(v)}`); }, (x) => x); if (e.kind !== k) throw e; for (const [n, v] of Object.entries(more)) eq(e[n], v); return e; };
const decode = (b) => { try { return decodeURIComponent(b); } catch { return b; } };
const up = (q) => q.path === 'sync' && q.method === 'POST' && /new_thing|changed_thing|deleted_thing|tag\[|"tag"/.test(decode(q.body));
const plain = (x) => JSON.parse(JSON.stringify(x));
const digest = (list) => { const h = createHash('sha256'); for (const t of list) h.update(`${t._id}\n${t.title}\n`); return h.digest('hex'); };
const TEXT = ' a  b+c%20&d=e;"\\ \\n\u0001\t\r\nx\ny <b>&amp;</b> é e\u0301 ŝ \u00a0\u2028\u200b 😀 日本 \ufeff ' + 'L'.repeat(300) + ' ';

// ---------- api ----------
A('text', {}, async ({ srv, c }) => {
  const t = { local_id: '__proto__', title: TEXT, tags: 'b a b 日+&', date: -5.5, url: 'http://Ex.com?a=b&c=+%', html: TEXT, archived: true };
  const u = { local_id: '007', title: 'x', date: 0 }, v = { local_id: ' 1 ', title: 'y', date: 5000000000, todoStatus: false, tags: 'job', html: '', url: '' };
  srv.tag('job', { todo: 'dont-strike' });
  const r = await c.sync({ from: 0, new_thing: [t, u, v] });
  eq(Object.keys(r.things.new).sort(), [' 1 ', '007', '__proto__']);
  const id = r.things.new.__proto__, { local_id, ...rest } = t;
  eq(srv.things.get(id).t, { ...rest, _id: id });
  eq(srv.things.get(r.things.new['007']).t.date, 0);
  const back = await c.sync({});
  eq(back.things.changed.find((x) => x._id === id), { ...rest, _id: id });
  eq(back.things.changed.find((x) => x.title === 'y').date, 5000000000);
  eq(back.things.changed.find((x) => x.title === 'y').todoStatus, false);
});
A('one of each', {}, async ({ srv, c }) => {
  const a = srv.add({ title: 'a', tags: 'job', url: 'http://u/' }), b = srv.add({ title: 'b' });
  srv.tag('job', { todo: 'strike' });
  const pos = srv.counter;
  const r = await c.sync({ from: pos, new_thing: [{ local_id: 7, title: 'n' }], changed_thing: [{ _id: a, title: 'A', url: '', todoStatus: false, archived: true }], deleted_thing: [b], tag: JSON.parse('{"__proto__":{"favorite":true},"a]b & c":{"color":false,"todo":true}}') });
  eq(Object.keys(r.things.new), ['7']); ok(r.pos > pos);
  const t = srv.things.get(a).t; eq([t.title, t.url, t.todoStatus, t.archived], ['A', undefined, false, true]);
  ok(!srv.things.has(b)); ok(srv.tags.get('__proto__').s.favorite); ok(srv.tags.get('a]b & c').s.todo);
  eq(Object.keys(r.tags).sort(), ['__proto__', 'a]b & c']);
  eq(r.tags['a]b & c'].todo, 'strike');
  eq(srv.log.at(-1).news[0].local_id == 7, true); eq(srv.log.at(-1).ways, 1); ok(!srv.log.at(-1).url.includes('?'));
});
A('several', { reverse: true }, async ({ srv, c }) => {
  const ids = [1, 2, 3].map((i) => srv.add({ title: 't' + i })), gone = [4, 5, 6].map((i) => srv.add({ title: 'g' + i }));
  const r = await c.sync({ from: srv.counter, new_thing: [{ local_id: 'x', title: 'X' }, { local_id: 'y', title: 'Y' }], changed_thing: ids.map((_id, i) => ({ _id, title: 'c' + i })), deleted_thing: gone });
  eq(srv.things.get(r.things.new.x).t.title, 'X'); eq(srv.things.get(r.things.new.y).t.title, 'Y');
  eq(srv.titles(), ['X', 'Y', 'c0', 'c1', 'c2']);
});
A('incremental', { start: 2 ** 52 - 1 }, async ({ srv, c }) => {
  srv.add({ title: 'a' });
  const r = await c.sync({}); eq(r.pos, 2 ** 52); eq(r.thingCount, 1);
  eq(await c.sync({ from: r.pos }), { pos: r.pos });
  eq(srv.log.at(-1).from, 2 ** 52);
  const b = srv.add({ title: 'b' }); srv.del(b); const d = srv.add({ title: 'd' });
  const n = plain(await c.sync({ from: r.pos })); eq(n.things.deleted, [b]); eq(n.things.changed.length, 1);
});
A('skip and limit', {}, async ({ srv, c }) => {
  const ids = [...Array(7)].map((_, i) => srv.add({ title: 't' + i }));
  const r = await c.sync({ from: 0, skip: 2, limit: 3 });
  eq(r.things.changed.map((t) => t._id), ids.slice(2, 5)); eq(r.thingCount, 7);
  eq(await c.sync({ limit: 0 }), { pos: 7, thingCount: 7 });
  const s = await c.sync({ from: 3, skip_id: [ids[4], ids[5]] });
  eq(s.things.changed.map((t) => t._id), [ids[3], ids[6]]);
  const one = await c.sync({ from: 3, skip_id: [ids[4]] }); eq(one.things.changed.length, 3);
});
A('parameters of POST', {}, async ({ srv, c }) => {
  [...Array(5)].map((_, i) => srv.add({ title: 't' + i }));
  const r = await c.sync({ from: 3, limit: 1, new_thing: [{ local_id: 'a', title: 'n' }] });
  eq(r.things.changed.length, 1); eq(srv.log.at(-1).from, 3); eq(srv.log.at(-1).limit, 1);
});
for (const chunk of [1, 7, 64]) A(`chunks of ${chunk}`, { chunk, decorate: (o) => ({ ...o, extra: { changed: [1, '}]"\\'] }, note: null }), nulls: chunk === 7, posLast: chunk === 7, goneFirst: true }, async ({ srv, c }) => {
  const a = srv.add({ title: 'é😀"\\/}] & "q"', html: '\\"😀' }), b = srv.add({ title: '日本語 ' + 'x'.repeat(200), date: 1700000123.25 }); srv.tag('__proto__', { todo: 'dont-strike', color: '#ffcc00' });
  srv.del(srv.add({ title: 'gone' }));
  srv.script = () => ({ text: (o) => JSON.stringify(o).replace(/[\ud800-\udfff]/g, (x) => '\\u' + x.charCodeAt(0).toString(16)) });
  const r = plain(await c.sync({ from: 0 }));
  eq(r.things.changed, [{ _id: a, title: 'é😀"\\/}] & "q"', html: '\\"😀', tags: '', date: 1700000000 }, { _id: b, title: '日本語 ' + 'x'.repeat(200), tags: '', date: 1700000123.25 }]);
  eq(r.tags.__proto__, undefined === 1 ? 0 : { favorite: false, color: '#ffcc00', todo: 'dont-strike' });
  const later = plain(await c.sync({ from: 1 })); eq(later.things.deleted.length, 1);
  srv.script = null; eq(plain(await c.sync({ from: 1 })).things.changed.length, 1);
});
A('raw text in chunks', { chunk: 3 }, async ({ srv, c }) => {
  srv.add({ title: '日本語😀 "quoted" \\"' }); srv.counter = 1234567890;
  const r = await c.sync({}); eq(r.things.changed[0].title, '日本語😀 "quoted" \\"'); eq(r.pos, 1234567890);
});
A('nulls and ids', { nulls: true, ids: ['0012', '7', 'Ab', 'aB', 'x'.repeat(200), '1e5'] }, async ({ srv, c }) => {
  for (let i = 0; i < 6; i++) srv.add({ title: ' t ' + i, tags: i === 2 ? 'job' : '' });
  srv.tag('job', { todo: 'strike' });
  srv.script = () => ({ map: (o) => { for (const t of o.things?.changed ?? []) { t.url = null; t.archived ??= null; } return o; } });
  const r = plain(await c.sync({}));
  eq(r.things.changed.map((t) => t._id), ['0012', '7', 'Ab', 'aB', 'x'.repeat(200), '1e5']);
  eq(r.things.changed[0].title, ' t 0'); ok(!('url' in r.things.changed[0])); eq(r.things.changed[2].todoStatus, false);
  srv.del('0012'); srv.del('aB'); srv.del('x'.repeat(200));
  eq(plain(await c.sync({ from: 7 })).things.deleted, ['0012', 'aB', 'x'.repeat(200)]);
  const e = plain(await c.sync({ from: srv.counter })); eq(e.pos, srv.counter); ok(!e.things);
});
A('content types', { type: 'application/json; charset=utf-8' }, async ({ srv, c }) => { eq((await c.sync({})).pos, 0); srv.o.type = 'text/plain'; eq((await c.sync({})).pos, 0); });
A('gzip', { gzip: true, chunk: 5 }, async ({ srv, c }) => { srv.add({ title: 'é' }); eq((await c.sync({})).things.changed[0].title, 'é'); });
A('broken bodies', {}, async ({ srv, c }) => {
  for (let i = 0; i < 5; i++) srv.add({ title: 't' + i });
  await c.sync({});
  srv.script = () => ({ cut: 0.6 }); await kind(c.sync({}), 'network');
  srv.script = () => ({ text: (o) => JSON.stringify(o).slice(0, -20) }); const e = await c.sync({}).then(() => 0, (x) => x); ok(['network', 'unexpected_response'].includes(e.kind), e);
  srv.script = () => ({ gzip: true, cutGzip: true }); const g = await c.sync({}).then(() => 0, (x) => x); ok(['network', 'unexpected_response'].includes(g.kind), g);
  srv.script = () => ({ text: () => '<html>' }); await kind(c.sync({}), 'unexpected_response');
  srv.script = () => ({ status: 502, raw: '<html>bad gateway', type: 'text/html' }); await kind(c.sync({}), 'unexpected_response');
  srv.script = () => ({ status: 400, json: { error: 'parameter_invalid', error_description: 'no' } }); await kind(c.sync({}), 'rejected', { status: 400, code: 'parameter_invalid' });
  ok(srv.log.filter((r) => !r.status).length < 40);
  const n = srv.log.length; await c.sync({}).catch(() => 0); eq(srv.log.length, n + 1);
  srv.script = () => ({ status: 200, json: { error: 'server_error', error_description: 'no' } }); await kind(c.sync({}), 'rejected', { code: 'server_error' });
});
A('lost responses', {}, async ({ srv, c }) => {
  let n = 0; srv.script = (r) => (r.path === 'sync' && !n++ ? { after: true, reset: true } : {});
  const r = await c.sync({ from: 0, new_thing: [{ local_id: 'a', title: 'once' }] }).catch((e) => { if (habit() === 'no-retries') return null; throw e; });
  if (r) eq(srv.titles(), ['once']);
  n = 0; await c.sync({ new_thing: [{ local_id: 'b', title: 'no position' }] }).catch((e) => ok(e.kind === 'network', e.message));
  eq(srv.titles().filter((t) => t === 'no position').length, 1);
  srv.script = (x) => (x.path === 'thing/add' ? { after: true, reset: true } : {});
  await kind(c.thingAdd({ title: 'added' }), 'network'); eq(srv.titles().filter((t) => t === 'added').length, 1);
});
A('sign in', { refreshOnce: true, extra: true }, async ({ srv, c }) => {
  const t = await c.token('alice', 'w&nd=r +é'); eq(t.token_type, 'bearer'); ok(t.access_token && t.request_token && !('scope' in t));
  eq((await c.sync({})).pos, 0);
  const u = await c.refresh(); ok(u.access_token !== t.access_token);
  const v = await c.refresh(); ok(v.request_token !== u.request_token); await c.sync({});
  for (const r of srv.log) { ok(!r.url.includes('secret') && !r.url.includes('alice'), r.url); ok((r.ways ?? 1) === 1, 'two ways'); }
  ok(srv.log.every((r) => r.path !== 'token' || r.form.has('client_id')));
});
A('expired', { refreshOnce: true }, async ({ srv, c }) => {
  await c.sync({}); srv.expire();
  const r = await c.sync({ from: 0, new_thing: [{ local_id: 'a', title: 'kept' }] }); ok(r.things?.new?.a); eq(srv.titles(), ['kept']);
  srv.expire(); srv.o.expiredStatus = 400; await c.sync({}); srv.expire(); await c.sync({});
  srv.o.expiredStatus = 401; srv.expire(); const g = srv.grants; srv.script = (q) => (q.path === 'token' ? { wait: 10 } : {});
  await Promise.all([c.sync({}), c.sync({}), c.userGet()]); eq(srv.grants, g + 1);
  srv.script = null; srv.expire(); let first = true; srv.script = (q) => (q.path === 'user/get' && first ? ((first = false), { wait: 40 }) : {});
  await Promise.all([c.sync({}), c.userGet()]); eq(srv.grants, g + 2);
});
A('never valid', {}, async ({ srv, c }) => { await c.sync({}); srv.script = (q) => (q.path === 'sync' ? { status: 401, json: { error: 'invalid_grant', error_description: 'The access token provided is invalid' } } : {}); await c.sync({}).then(() => { throw new Error('no error'); }, () => 0); ok(srv.grants < 4); });
A('refresh fails', {}, async ({ srv, c }) => {
  await c.sync({}); srv.expire();
  srv.script = (q) => (q.path === 'token' ? { status: 503, json: { error: 'temporarily_unavailable', error_description: 'x' } } : {});
  await c.sync({}).then(() => ok(0), (e) => ok(e.kind !== 'signed_out', 'signed out by 503'));
  srv.script = (q) => (q.path === 'token' ? { status: 429, json: { error: 'slow_down', error_description: 'x' }, headers: { 'retry-after': '100' } } : {});
  await c.sync({}).then(() => ok(0), (e) => ok(e.kind !== 'signed_out'));
  srv.script = (q) => (q.path === 'token' ? { reset: true } : {}); await kind(c.sync({}), 'network');
  srv.script = null; await c.sync({});
  srv.expire(); srv.refreshes.clear(); const g = srv.grants; await kind(c.sync({}), 'signed_out'); eq(srv.grants, g + 1);
});
A('token lifetime', { expires: 100 }, async ({ srv, c }) => { await c.sync({}); await c.sync({}); await sleep(120); await c.sync({}); eq(srv.grants, 1); });
A('secrets', {}, async ({ srv, c }) => {
  const said = []; const was = console.error; console.error = (...x) => said.push(x.join(' '));
  try {
    await c.sync({}); const bad = (e) => said.push(e.message, e.stack ?? '');
    srv.script = () => ({ status: 400, json: { error: 'parameter_invalid', error_description: 'no' } }); await c.sync({ from: 1 }).catch(bad); await c.token('alice', 'w&nd=r +é').catch(bad);
    srv.script = () => ({ reset: true }); await c.sync({}).catch(bad); await c.token('alice', 'w&nd=r +é').catch(bad);
  } finally { console.error = was; }
  ok(!/acc-|req-|s3c|w%26nd|w&nd/.test(said.join('\n')), said.join('\n'));
});
A('redirects', {}, async ({ srv, c }) => {
  await c.sync({}); const other = await new Server().start();
  try {
    srv.script = (q) => (q.path === 'sync' ? { status: 307, raw: '', headers: { location: other.base + 'sync' } } : {});
    await c.sync({}).catch(() => 0); eq(other.log.length, 0);
    srv.script = (q) => (q.path === 'sync' && !q.url.includes('again') ? { status: 302, raw: '', headers: { location: srv.base + 'sync?again=1' } } : {});
    await c.sync({ from: 0, new_thing: [{ local_id: 1, title: 'moved' }] }).then((r) => ok(r.things?.new), () => 0); ok(!srv.log.some((r) => r.url.includes('again') && r.method === 'GET'));
    const n = srv.log.length; srv.script = (q) => (q.path === 'sync' ? { status: 308, raw: '', headers: { location: srv.base + 'sync' } } : {}); await c.sync({}).catch(() => 0); ok(srv.log.length - n < 15);
  } finally { other.stop(); }
});
A('back-off', {}, async ({ srv, c }) => {
  await c.sync({}); const noRetries = habit() === 'no-retries', times = [];
  const run = async (headers, n = 1, status = 503) => { let i = 0; times.length = 0; srv.script = () => { times.push(Date.now()); return i++ < n ? { status, json: { error: 'slow_down', error_description: 'x' }, headers } : {}; }; return c.sync({ from: 0, new_thing: [{ local_id: 'a' + Math.random(), title: 'r' }] }).catch((e) => { if (!noRetries || e.kind !== 'rejected') throw e; return null; }); };
  await run({ 'retry-after': '1' }); if (!noRetries) { eq(times.length, 2); ok(times[1] - times[0] >= 950, `waited ${times[1] - times[0]}`); }
  const date = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1000); await run({ 'retry-after': date.toUTCString() }, 1, 429); if (!noRetries) ok(times[1] >= date - 30, 'before the date');
  timing.base = 30; await run({}, 2); timing.base = 4; if (!noRetries) ok(times[1] - times[0] >= 15 && times[2] - times[1] >= 15);
  await c.sync({}).catch(() => 0); srv.script = () => { times.push(1); return { status: 503, json: { error: 'x', error_description: 'y' } }; }; times.length = 0; await kind(c.sync({}), 'rejected', { status: 503 }); ok(times.length <= 10);
});
A('slow first byte', {}, async ({ srv, c }) => { timing.idle = 5000; await c.sync({}); srv.script = () => ({ wait: 1200 }); await c.sync({}); ok(srv.log.length <= 4); timing.idle = 1500; eq(srv.log.filter((r) => r.path === 'sync').length, 2); });
for (const o of [{}, { snapshots: false }, { pageCap: 2 }, { chunk: 11, tombstones: true }]) A('list ' + JSON.stringify(o), o, async ({ srv, c }) => {
  const before = [...Array(3)].map((_, i) => srv.add({ title: 'old' + i })), from = srv.counter;
  const all = [...Array(8)].map((_, i) => ({ _id: srv.add({ title: 'é' + i }), title: 'é' + i })); srv.del(before[0]); srv.del(before[1]);
  eq(await c.list({ from }), { count: 8, deleted: 2, digest: digest(all), pos: srv.counter });
  for (const limit of [1, 3, 4, 5, 10, 50]) eq(await c.list({ from, limit }), { count: 8, deleted: 2, digest: digest(all), pos: srv.counter });
  let n = 0, end = srv.counter; srv.script = (q) => (n++ === 2 ? { hook: () => {}, status: 401, json: { error: 'invalid_grant', error_description: 'The access token provided is invalid' } } : {});
  eq(await c.list({ from, limit: 3 }), { count: 8, deleted: 2, digest: digest(all), pos: end });
  if (habit() !== 'no-retries') { n = 0; srv.script = (q) => (n++ === 1 ? { cut: 0.8 } : {}); eq(await c.list({ from, limit: 4 }), { count: 8, deleted: 2, digest: digest(all), pos: end }); }
  n = 0; srv.script = () => (n++ >= 1 ? { status: 400, json: { error: 'x', error_description: 'y' } } : {}); await kind(c.list({ from, limit: 4 }), 'rejected');
  n = 0; srv.script = null; if (o.snapshots === false) { n = 0; srv.script = () => (n++ === 1 ? { hook: () => srv.add({ title: 'late' }) } : {}); eq((await c.list({ from, limit: 4 })).pos, end); }
});
A('list keeps nothing', {}, async ({ srv, c }) => {
  if (!global.gc) return;
  const n = 15000, one = 'x'.repeat(1000); srv.script = (q) => q.path !== 'sync' ? {} : ({ text: () => big, chunk: 65536 });
  const big = `{"pos":1,"thingCount":${n},"things":{"changed":[` + [...Array(n)].map((_, i) => `{"_id":"i${i}","title":"${one}","tags":"","date":1}`).join(',') + ']}}';
  gc(); const before = process.memoryUsage(); let peak = 0; const timer = setInterval(() => { gc(); const m = process.memoryUsage(); peak = Math.max(peak, m.heapUsed + m.arrayBuffers - before.heapUsed - before.arrayBuffers); }, 250);
  let r; try { r = await c.list({}); } finally { clearInterval(timer); } eq(r.count, n); await sleep(20); gc(); ok(process.memoryUsage().heapUsed - before.heapUsed < 8e6, 'kept'); ok(peak < big.length * 1.5 + 4e6, `peak ${Math.round(peak / 1e6)} MB of ${Math.round(big.length / 1e6)}`);
});
A('prefix', { prefix: '/a/b' }, async ({ srv, c }) => { srv.add({ title: 'p' }); eq((await c.sync({})).thingCount, 1); });
A('operations', { json: true }, async ({ srv, c }) => {
  const a = await c.thingAdd({ title: TEXT, tags: 'x y', date: 5 }); eq(srv.things.get(a._id).t.title, TEXT); ok(!('note' in a));
  await c.thingChange({ _id: a._id, title: 'b', archived: true }); await c.thingChange({ _id: a._id, title: 'c' }); eq(srv.things.get(a._id).t.archived, true);
  srv.add({ title: 'd' }); eq((await c.thingsGet()).map((t) => t.title), ['d']); const t = await c.tagsGet(); eq(Object.entries(t.other), [['__proto__', 2]]);
  eq((await c.userGet()).username, 'alice'); const r = await c.thingDelete(a._id); eq(r.deleted_thing, a._id); await kind(c.thingDelete(a._id), 'rejected', { status: 404, code: 'not_found' }); await kind(c.thingChange({ _id: 'nix', title: 'x' }), 'rejected', { status: 404 });
  await c.revoke(); const sent = srv.log.length; await kind(c.sync({}), 'signed_out'); eq(srv.log.length, sent);
});

// ---------- replica ----------
const canon = (srv) => [...srv.things.values()].map((x) => { const o = srv.out(x.t); for (const k of ['url', 'html']) if (!o[k]) delete o[k]; return o; }).sort((a, b) => (a._id < b._id ? -1 : 1));
const held = (r) => plain(r.read().things).map(({ ref, ...t }) => t).sort((a, b) => (a._id < b._id ? -1 : 1));
const same = (r, srv) => { eq(held(r), canon(srv)); eq(r.state().pending, 0); };
const ref = (r, title) => { const t = r.read().things.find((x) => x.title === title); ok(t, `no ${title} here`); return t.ref; };
const titles = (r) => r.read().things.map((t) => t.title).sort();
const full = { url: 'http://EX.com', html: '<p>a<script>x</script>\r\n</p>', date: 12.5, archived: true };

R('first sync', { reverse: true }, async ({ srv, open }) => {
  srv.add({ title: 'a', ...full, tags: 'Shop b' }); srv.add({ title: 'b', tags: 'job x' }); srv.tag('job', { todo: 'dont-strike' }); srv.tag('__proto__', { favorite: true });
  const r = open(); await r.sync(); same(r, srv); eq(Object.keys(r.read().tags).sort(), ['__proto__', 'job']);
  r.crash(); const s = open(); same(s, srv); eq(Object.keys(s.read().tags).sort(), ['__proto__', 'job']); const n = srv.log.length; await s.sync(); same(s, srv); ok(srv.log.length - n >= 1);
});
for (const echo of [false, true]) for (const keep of [true, false]) R(`edits echo=${echo} keep=${keep}`, { echo, keep, reverse: echo, unknown: keep ? 'deleted' : 'error' }, async ({ srv, open }) => {
  const x = srv.add({ title: 'x', ...full, tags: 'job a b a' }), y = srv.add({ title: 'y', date: 3, html: 'h', url: 'http://y/' }), z = srv.add({ title: 'z' }); srv.tag('job', { todo: 'strike' });
  const r = open(); await r.sync();
  const made = [r.create({ title: TEXT, tags: 'B B a', html: TEXT, url: 'HTTP://x.de' }), r.create({ title: '', date: 0, archived: true }), r.create({ title: 'todo', tags: 'job', todoStatus: true, url: 'http://t/', html: 'note<script>x</script>' }), r.create({ title: 'same' }), r.create({ title: 'same' }), r.create({ title: '  two  words ', date: 1.5 })];
  eq(r.state().pending, 6);
  r.change(ref(r, 'x'), { tags: 'job b a' }); r.change(ref(r, 'x'), { title: 'x1' }); r.change(ref(r, 'x1'), { title: 'x2' }); r.change(ref(r, 'y'), { url: '' }); r.change(ref(r, 'y'), { html: 'h2<b>' }); r.delete(ref(r, 'z'));
  eq(r.state().pending, 9); ok(!titles(r).includes('z')); ok(titles(r).includes('x2'));
  const w = r.create({ title: 'never' }); r.change(made[3], { title: 'same' }); r.delete(w); r.setTag('job', { favorite: true });
  eq(r.state().pending, 10);
  r.crash(); const s = open(); eq(s.state().pending, 10); ok(titles(s).includes('x2')); await s.sync();
  same(s, srv); eq(srv.things.size, 8); eq(srv.things.get(x).t.archived, true); eq(srv.things.get(x).t.date, 12.5); eq(srv.things.get(y).t.url, undefined); ok(!srv.things.has(z)); eq(srv.tags.get('job').s, { favorite: true, color: false, todo: 'strike' });
  eq(srv.byTitle(TEXT).url, 'HTTP://x.de'); eq(srv.byTitle('todo').html, 'note<script>x</script>'); ok(srv.byTitle(TEXT).html === TEXT && srv.byTitle(TEXT).tags === 'B B a'); eq(srv.byTitle('').date, 0); eq(srv.byTitle('  two  words ').date, 1.5); ok(srv.byTitle('').archived);
  ok(Math.abs(srv.byTitle('same').date - Date.now() / 1000) < 100); for (const q of srv.log) ok(!JSON.stringify(q.deletions ?? '').includes('ever'));
  eq((srv.log.flatMap((q) => q.deletions ?? [])).length, 1);
  s.change(ref(s, 'todo'), { todoStatus: false }); s.change(ref(s, ''), { archived: false }); s.change(ref(s, 'x2'), { tags: '' }); s.change(ref(s, TEXT), { title: '' , html: '' }); await s.sync(); same(s, srv); eq(srv.byTitle('todo').todoStatus, false);
  s.change(ref(s, 'x2'), { title: 'x3' }); s.change(ref(s, 'todo'), { title: 'todo2', date: 77 }); await s.sync(); same(s, srv); s.change(ref(s, 'todo2'), { todoStatus: true }); await s.sync(); s.change(ref(s, 'todo2'), { title: 'todo3' }); await s.sync(); same(s, srv); eq(srv.byTitle('todo3').todoStatus, true); eq(s.state().lost, []); eq(srv.things.size, 8);
  s.crash(); const u = open(); same(u, srv); await u.sync(); same(u, srv); const v = open(1); await v.sync(); same(v, srv);
  for (const q of srv.log) if (q.news) eq(new Set(q.news.map((t) => String(t.local_id))).size, q.news.length);
});
R('remote edits', { echo: true }, async ({ srv, open }) => {
  const ids = ['a', 'b', 'c', 'd', 'e'].map((title) => srv.add({ title, ...full, tags: 'job q', todoStatus: true })); srv.tag('job', { todo: 'strike' });
  const r = open(); await r.sync();
  srv.edit(ids[0], { url: null, html: null }); srv.edit(ids[1], { archived: false, tags: '' }); srv.edit(ids[2], { title: '', date: 99, html: 'new' }); srv.del(ids[3]); srv.del(ids[4]); srv.add({ title: 'f' }); srv.del(srv.add({ title: 'short' }));
  await r.sync(); same(r, srv); eq(r.state().lost, []);
  srv.edit(ids[2], { title: 'c2' }); srv.del(ids[2]); srv.add({ title: 'g' }); await r.sync(); same(r, srv); await r.sync(); same(r, srv);
});
R('conflicts', {}, async ({ srv, open }) => {
  const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map((title) => srv.add({ title, url: 'http://u/', html: 'h' }));
  const r = open(); await r.sync();
  r.change(ref(r, 'a'), { title: 'mine', tags: 'm' }); srv.edit(a, { url: 'http://new/', tags: 'theirs' });
  r.change(ref(r, 'b'), { title: 'typed b' }); srv.del(b); r.delete(ref(r, 'c')); srv.edit(c, { title: 'c2' }); r.delete(ref(r, 'd')); srv.del(d); r.change(ref(r, 'e'), { title: 'typed e' }); srv.del(e);
  await r.sync(); same(r, srv); eq(srv.titles(), ['mine']); eq(srv.things.get(a).t.url, 'http://new/'); eq(srv.things.get(a).t.tags, 'm');
  eq(r.state().lost.map((l) => l.title).sort(), ['typed b', 'typed e']); r.crash(); const s = open(); eq(s.state().lost.map((l) => l.title).sort(), ['typed b', 'typed e']); same(s, srv);
});
R('deletion wins', { unknown: 'revive' }, async ({ srv, open }) => { const a = srv.add({ title: 'a' }); const r = open(); await r.sync(); r.change(ref(r, 'a'), { title: 'typed' }); srv.del(a); await r.sync(); same(r, srv); eq(srv.things.size, 0); eq(r.state().lost[0].title, 'typed'); });
R('conflict between download and upload', {}, async ({ srv, open }) => {
  const a = srv.add({ title: 'a' }), b = srv.add({ title: 'b' }); const r = open(); await r.sync(); r.change(ref(r, 'a'), { title: 'A' }); r.change(ref(r, 'b'), { title: 'B' }); r.create({ title: 'n' });
  let done; srv.script = (q) => { if (!done && up(q) && decode(q.body).includes('changed_thing')) { done = 1; srv.edit(a, { url: 'http://x/' }); srv.del(b); srv.tag('fav', { favorite: true }); srv.add({ title: 'z' }); srv.del(srv.add({ title: 'zz' })); } return {}; };
  await r.sync(); same(r, srv); eq(r.state().lost.map((l) => l.title), ['B']); eq(r.read().tags.fav?.favorite, true); await r.sync(); same(r, srv);
});
R('late writers', {}, async ({ srv, open }) => {
  const gone = srv.add({ title: 'gone' }); const r = open(); await r.sync(); r.create({ title: 'n' }); let done;
  srv.script = (q) => { if (!done && up(q)) { done = 1; for (let i = 0; i < 3; i++) srv.add({ title: 'z' + i }); srv.del(gone); } return {}; };
  await r.sync(); same(r, srv); srv.script = null; await r.sync(); same(r, srv);
});
for (const after of [true, false]) R(`lost response after=${after}`, {}, async ({ srv, open }) => {
  const a = srv.add({ title: 'a' }), b = srv.add({ title: 'b' }); const r = open(); await r.sync(); r.create({ title: 'once' }); r.change(ref(r, 'a'), { title: 'A' }); r.delete(ref(r, 'b')); r.setTag('t', { favorite: true });
  srv.script = (q) => (up(q) ? { after, reset: true } : {});
  await kind(r.sync(), 'network'); ok(r.state().error); eq(r.state().pending, 4); r.create({ title: 'second' }); r.change(ref(r, 'once'), { tags: 'later' }); r.change(ref(r, 'A'), { title: 'AA' });
  r.crash(); const s = open(); eq(titles(s), ['AA', 'once', 'second']); ok(s.state().pending >= 4);
  await kind(s.sync(), 'network'); srv.script = null; srv.add({ title: 'other' }); await s.sync(); same(s, srv); eq(srv.titles(), ['AA', 'once', 'other', 'second']); eq(srv.byTitle('once').tags, 'later'); ok(srv.tags.get('t')); eq(s.state().error, null);
  const uploads = srv.log.filter((q) => q.news?.some((t) => t.title === 'once')); ok(new Set(uploads.map((q) => q.body.replace(/access_token=[^&]*&?/, ''))).size <= 2 - Number(habit() !== null || true) + 0 || after === false);
});
R('lost response, deleted elsewhere', { goneFirst: true }, async ({ srv, open }) => {
  const r = open(); srv.add({ title: 'x' }); await r.sync(); r.create({ title: 'once' }); srv.script = (q) => (up(q) ? { after: true, reset: true } : {}); await kind(r.sync(), 'network');
  srv.del(srv.byTitle('once')._id); srv.script = null; await r.sync(); same(r, srv); eq(srv.titles(), ['x']);
});
for (const status of [503, 429, 500, 401]) R(`upload gets ${status}`, {}, async ({ srv, open }) => {
  srv.add({ title: 'a' }); const r = open(); await r.sync(); r.create({ title: 'n' }); r.change(ref(r, 'a'), { title: 'A' });
  srv.script = (q) => (up(q) ? { status, json: { error: status === 401 ? 'invalid_grant' : 'x', error_description: 'The access token provided is invalid' }, headers: { 'retry-after': '90' } } : {});
  await r.sync().then(() => ok(0, 'success'), () => 0); ok(r.state().error); eq(r.state().pending, 2); r.crash(); const s = open(); eq(s.state().pending, 2); srv.script = null; await s.sync(); same(s, srv); eq(srv.titles(), ['A', 'n']);
});
R('html', {}, async ({ srv, open }) => { srv.add({ title: 'a' }); const r = open(); await r.sync(); r.create({ title: 'n' }); srv.script = (q) => (q.path === 'sync' ? { text: () => '<html>' } : {}); await kind(r.sync(), 'unexpected_response'); ok(r.state().error); eq(r.state().pending, 1); srv.script = null; await r.sync(); same(r, srv); });
for (const refuseStatus of [400, 422]) R(`refused things ${refuseStatus}`, { refuseStatus, refuse: (t) => t.title.includes('bad') }, async ({ srv, open }) => {
  srv.add({ title: 'a' }); const r = open(); await r.sync(); r.create({ title: 'bad one' }); for (let i = 0; i < 6; i++) r.create({ title: 'good' + i }); r.change(ref(r, 'a'), { title: 'bad two' });
  await r.sync(); eq(r.state().lost.map((l) => l.title).sort(), ['bad one', 'bad two']); same(r, srv); eq(srv.things.size, 7); r.crash(); eq(open().state().lost.length, 2);
});
R('refused, edited since', { refuse: (t) => t.title === 'bad' }, async ({ srv, open }) => { srv.add({ title: 'a' }); const r = open(); await r.sync(); r.create({ title: 'bad' }); const k = ref(r, 'bad'); let d; srv.script = (q) => { if (!d && up(q)) { d = 1; r.change(k, { title: 'good' }); } return {}; }; await r.sync(); same(r, srv); eq(srv.titles(), ['a', 'good']); eq(r.state().lost, []); });
R('deletion refused', { unknown: 'error' }, async ({ srv, open }) => {
  srv.add({ title: 'a' }); srv.add({ title: 'b' }); const r = open(); await r.sync(); r.delete(ref(r, 'a')); let done; srv.script = (q) => { if (!done && up(q)) { done = 1; srv.del(srv.byTitle('a')._id); } return {}; };
  await r.sync(); same(r, srv); r.change(ref(r, 'b'), { title: 'B' }); await r.sync(); same(r, srv);
});
R('small limits', { maxItems: 4, dupLocal: 'last' }, async ({ srv, open }) => { const r = open(); for (let i = 0; i < 30; i++) r.create({ title: 't' + i }); await r.sync(); same(r, srv); eq(srv.things.size, 30); eq(r.state().lost, []); for (let i = 0; i < 30; i++) r.change(ref(r, 't' + i), { title: 'u' + i }); await r.sync(); same(r, srv); });
R('many edits', { dupLocal: 'last', reverseNew: true }, async ({ srv, open }) => { const r = open(); for (let i = 0; i < 120; i++) r.create({ title: 't' + i % 110 }); await r.sync(); eq(srv.things.size, 120); same(r, srv); for (let i = 0; i < 3; i++) r.delete(r.read().things[0].ref); await r.sync(); same(r, srv); eq(srv.things.size, 117); });
for (const o of [{}, { snapshots: false }, { pageCap: 30 }, { tagsEvery: false }]) R('pages ' + JSON.stringify(o), o, async ({ srv, open }) => {
  srv.tag('fav', { favorite: true }); const ids = [...Array(101)].map((_, i) => srv.add({ title: 'p' + i }));
  const r = open(); await r.sync(); same(r, srv); ok(r.read().tags.fav);
  const p = srv.counter; for (let i = 0; i < 99; i++) srv.edit(ids[i], { title: 'q' + i }); for (let i = 0; i < 130; i++) srv.add({ title: 'r' + i }); srv.del(ids[99]); srv.del(ids[100]);
  let n = 0; srv.script = (q) => (q.path === 'sync' && n++ === 1 ? { reset: true } : {}); if (habit() === 'no-retries') await r.sync().catch(() => 0);
  await r.sync(); same(r, srv); ok(r.read().tags.fav);
});
R('many deletions', {}, async ({ srv, open }) => { const ids = [...Array(160)].map((_, i) => srv.add({ title: 'p' + i })); const r = open(); await r.sync(); for (let i = 0; i < 155; i++) srv.del(ids[i]); await r.sync(); same(r, srv); });
R('page fails', { reverse: true }, async ({ srv, open }) => {
  const ids = [...Array(230)].map((_, i) => srv.add({ title: 'p' + i })); srv.del(ids[5]); const r = open(); srv.script = (q) => (q.path === 'sync' && (q.query.get('skip') || !q.query.get('limit')) ? { status: 400, json: { error: 'x', error_description: 'y' } } : {});
  await r.sync().then(() => ok(habit(), 'success'), () => 0); r.crash(); srv.add({ title: 'later' }); srv.script = null; const s = open(); await s.sync(); same(s, srv);
  const p = [...Array(150)].map((_, i) => srv.add({ title: 'z' + i })); srv.script = (q) => (q.path === 'sync' && q.query.get('skip') ? { reset: true } : {}); await s.sync().catch(() => 0); s.crash(); srv.script = null; srv.del(p[3]); const u = open(); await u.sync(); same(u, srv);
  srv.add({ title: 'end' }); srv.script = (q) => (q.path === 'sync' ? { cut: 0.7 } : {}); await u.sync().catch(() => 0); u.crash(); srv.script = null; const v = open(); await v.sync(); same(v, srv);
});
R('page broken once', {}, async ({ srv, open }) => { for (let i = 0; i < 230; i++) srv.add({ title: 'p' + i }); let n = 0; srv.script = (q) => (q.path === 'sync' && n++ === 1 ? { cut: 0.6 } : {}); const r = open(); await r.sync().catch((e) => { if (habit() !== 'no-retries') throw e; return r.sync(); }); same(r, srv); });
R('killed between pages and position', {}, async ({ srv, open }) => {
  for (let i = 0; i < 3; i++) srv.add({ title: 'a' + i }); timing.base = 60; const r = open(); let seen = false; srv.script = (q) => (q.path === 'sync' ? { hook: () => { seen = true; } } : {}); const p = r.sync().catch(() => 0); while (!seen) await sleep(2); await sleep(30); r.crash(); await p; timing.base = 4; srv.script = null; const s = open(); await s.sync(); same(s, srv);
});
for (const snapshots of [true, false]) R(`written while paging snapshots=${snapshots}`, { snapshots }, async ({ srv, open }) => {
  const ids = [...Array(250)].map((_, i) => srv.add({ title: 'p' + i })); let n = 0;
  srv.script = (q) => (q.path === 'sync' && n++ < 2 ? { hook: () => { srv.edit(ids[n], { title: 'moved' + n }); srv.add({ title: 'new' + n }); srv.del(ids[200 + n]); } } : {});
  const r = open(); await r.sync(); await r.sync(); await r.sync(); same(r, srv);
});
R('restored backup', { echo: true }, async ({ srv, open }) => {
  const a = srv.add({ title: 'a' }); srv.tag('old', { favorite: true }); const r = open(); await r.sync(); const save = [srv.counter, new Map([...srv.things].map(([k, v]) => [k, { ...v, t: { ...v.t } }]))];
  for (let i = 0; i < 5; i++) srv.add({ title: 'after' + i }); await r.sync(); r.create({ title: 'mine' }); const keep = ref(r, 'after0'); r.change(keep, { title: 'typed' });
  srv.counter = save[0]; srv.things = save[1]; srv.tags.delete('old'); srv.add({ title: 'b' });
  await r.sync(); same(r, srv); ok(titles(r).includes('mine')); eq(r.state().lost.map((l) => l.title), ['typed']); ok(!r.read().tags.old); srv.add({ title: 'c' }); await r.sync(); same(r, srv);
});
R('restored, unpushed things in pages', {}, async ({ srv, open }) => { for (let i = 0; i < 150; i++) srv.add({ title: 'a' + i }); const r = open(); await r.sync(); r.change(ref(r, 'a3'), { tags: 'mine' }); srv.counter = 120; for (const x of srv.things.values()) x.pos = Math.min(x.pos, 120); srv.add({ title: 'x' }); await r.sync(); same(r, srv); eq(srv.byTitle('a3').tags, 'mine'); eq(r.state().lost, []); });
R('future answered with nothing', { future: 'none' }, async ({ srv, open }) => { for (let i = 0; i < 9; i++) srv.add({ title: 'a' + i }); const r = open(); await r.sync(); srv.counter = 4; for (const x of srv.things.values()) x.pos = Math.min(4, x.pos); await r.sync(); srv.add({ title: 'new' }); await r.sync(); same(r, srv); });
for (const start of [2 ** 31 + 5, 2 ** 52 + 1, 0]) R(`positions from ${start}`, { start, gap: start ? 1 : 1000 }, async ({ srv, open }) => { srv.add({ title: 'a' }); const r = open(); await r.sync(); for (let i = 0; i < 3; i++) { srv.add({ title: 'b' + i }); await r.sync(); same(r, srv); eq(srv.log.at(-1).out.pos, srv.counter); } r.crash(); const s = open(); srv.add({ title: 'c' }); await s.sync(); same(s, srv); if (habit() !== 'full-each-time') ok(srv.log.at(habit() === 'pages-until-empty' ? -2 : -1).out.things.changed.length === 1); });
R('ids', { ids: ['x', 'X', 'y'.repeat(199) + '1', 'y'.repeat(199) + '2', '0012', '12', 'zz'], echo: true }, async ({ srv, open }) => { for (let i = 0; i < 5; i++) srv.add({ title: 't' + i }); const r = open(); await r.sync(); same(r, srv); r.create({ title: 'n' }); await r.sync(); same(r, srv); srv.del('X'); srv.edit('y'.repeat(199) + '2', { title: 'u' }); await r.sync(); same(r, srv); });
R('todo', {}, async ({ srv, open }) => {
  for (const [title, tags] of [['a', 'job'], ['b', 'x job'], ['c', 'jobs'], ['d', 'red'], ['e', 'Job'], ['f', 'note']]) srv.add({ title, tags, ...(title === 'f' ? {} : {}) });
  srv.tag('red', { color: '#ff0000' }); const r = open(); await r.sync(); same(r, srv); srv.tag('job', { todo: 'dont-strike' }); await r.sync(); same(r, srv); r.change(ref(r, 'a'), { todoStatus: true }); await r.sync(); same(r, srv); eq(srv.byTitle('a').todoStatus, true);
  srv.tag('job', { todo: false }); await r.sync(); same(r, srv); srv.edit(srv.byTitle('a')._id, { title: 'a2' }); await r.sync(); same(r, srv); srv.tag('job', { todo: 'strike' }); await r.sync(); same(r, srv); r.crash(); const s = open(); same(s, srv);
  s.change(ref(s, 'a2'), { todoStatus: false }); await s.sync(); same(s, srv); eq(srv.byTitle('a2').todoStatus, false);
});
R('tag settings', { todoAs: 'strike' }, async ({ srv, open }) => {
  srv.tag('t', { favorite: true, color: '#aabbcc', todo: 'dont-strike' }); srv.tag('u', { favorite: true }); const r = open(); await r.sync(); eq(plain(r.read().tags.t), { favorite: true, color: '#aabbcc', todo: 'dont-strike' });
  r.setTag('t', { favorite: false }); r.setTag('u', { color: '#112233' }); r.setTag('u', { favorite: true }); r.setTag('new & [x] é', { todo: true }); r.setTag('__proto__', { favorite: true }); eq(r.state().pending, 4); eq(plain(r.read().tags.u), { favorite: true, color: '#112233', todo: false });
  r.crash(); const s = open(); eq(s.state().pending, 4); await s.sync(); eq(s.state().pending, 0); eq(srv.tags.get('t').s, { favorite: false, color: '#aabbcc', todo: 'dont-strike' }); eq(srv.tags.get('u').s.color, '#112233'); eq(srv.tags.get('new & [x] é').s.todo, 'strike'); ok(srv.tags.get('__proto__').s.favorite);
  const tags = (x) => Object.fromEntries(Object.entries(plain(x.read().tags)).filter(([, v]) => v.favorite || v.color || v.todo).sort()); const real = () => Object.fromEntries([...srv.tags].map(([n, x]) => [n, x.s]).filter(([, v]) => v.favorite || v.color || v.todo).sort());
  eq(tags(s), real()); srv.tag('u', { favorite: false, color: false }); srv.tag('w', { color: '#fff' }); await s.sync(); eq(tags(s), real()); srv.add({ title: 'x' }); await s.sync(); eq(tags(s), real()); s.setTag('w', { color: false }); srv.tag('w', { favorite: true }); await s.sync(); eq(srv.tags.get('w').s, { favorite: true, color: false, todo: false }); eq(tags(s), real());
  s.setTag('t', { favorite: true }); let d; srv.script = (q) => { if (!d && up(q)) { d = 1; s.setTag('t', { color: '#000000' }); } return {}; }; await s.sync(); await s.sync(); eq(srv.tags.get('t').s.color, '#000000'); eq(tags(s), real());
});
R('edits during a sync', { echo: true }, async ({ srv, open }) => {
  srv.add({ title: 'a' }); srv.add({ title: 'b' }); const r = open(); await r.sync(); r.create({ title: 'n' }); r.change(ref(r, 'a'), { title: 'A' }); const n = ref(r, 'n'); const m = r.create({ title: 'm' });
  srv.script = (q) => (q.path === 'sync' ? { wait: 40 } : {}); const p = r.sync(); await sleep(15); r.change(ref(r, 'b'), { title: 'early' }); let t = Date.now(); while (!srv.log.some((q) => q.news?.length || decode(q.body ?? '').includes('new_thing')) && Date.now() - t < 900) await sleep(3);
  r.change(n, { tags: 'during' }); r.change(ref(r, 'A'), { html: 'during' }); r.create({ title: 'o' }); r.delete(m); eq(titles(r).includes('m'), false); ok(r.read().things.find((x) => x.ref === n).tags === 'during'); const q2 = r.sync(); await p; await q2; srv.script = null; await r.sync();
  same(r, srv); eq(srv.titles(), ['A', 'early', 'n', 'o']); eq(srv.byTitle('n').tags, 'during'); eq(srv.byTitle('A').html, 'during'); r.change(n, { title: 'N' }); await r.sync(); eq(srv.byTitle('N').tags, 'during');
  r.create({ title: 'late' }); srv.script = (q) => (q.path === 'sync' ? { wait: 20 } : {}); const g = srv.log.length; const x = r.sync(), y = r.sync(); await x; await y; eq(srv.titles().filter((v) => v === 'late').length, 1); eq(srv.log.slice(g).filter((v) => v.news?.length).length, 1);
});
R('edit joins', {}, async ({ srv, open }) => { const r = open(); await r.sync(); srv.script = (q) => (q.path === 'sync' ? { hook: () => sleep(30) } : {}); r.create({ title: 'a' }); const p = r.sync(); const t = Date.now(); while (!srv.log.some((v) => v.news?.length) && Date.now() - t < 900) await sleep(2); r.create({ title: 'b' }); const q = r.sync(); await q; ok(srv.byTitle('b')); eq(r.state().pending, 0); await p; });
R('tokens', { refreshOnce: true }, async ({ srv, open }) => {
  srv.add({ title: 'a' }); const r = open(); await r.sync(); srv.expire(); r.create({ title: 'n' }); await r.sync(); same(r, srv); const g = srv.grants; r.crash(); const s = open(0, { username: undefined, password: undefined }); await s.sync(); same(s, srv); srv.expire(); await s.sync(); s.crash(); const s2 = open(0, { username: undefined, password: undefined }); srv.expire(); await s2.sync();
  s2.create({ title: 'kept' }); s2.change(ref(s2, 'a'), { title: 'A' }); srv.expire(); srv.refreshes.clear(); await kind(s2.sync(), 'signed_out'); eq(s2.state().pending, 2); eq(titles(s2), ['A', 'kept', 'n']); s2.crash(); const u = open(); eq(u.state().pending, 2); await u.sync(); same(u, srv); eq(srv.titles(), ['A', 'kept', 'n']);
});
R('torn journal', {}, async ({ srv, open, folder }) => {
  const r = open(); r.create({ title: 'a' }); r.crash(); const f = () => path.join(folder, fs.readdirSync(folder).find((x) => x.endsWith('.log'))); fs.appendFileSync(f(), 'deadbeef [{"op":"thi'); const s = open(); eq(titles(s), ['a']); s.create({ title: 'é😀' }); s.crash(); const u = open(); eq(titles(u), ['a', 'é😀']); await u.sync(); same(u, srv);
});
R('kills', { echo: false }, async ({ srv, open }) => {
  const x = srv.add({ title: 'x' }), y = srv.add({ title: 'y' }), z = srv.add({ title: 'z' }); let r = open(); await r.sync(); r.create({ title: 'one' }); r.crash(); r = open(); ok(titles(r).includes('one')); r.change(ref(r, 'x'), { title: 'X' }); r.crash(); r = open(); ok(titles(r).includes('X')); r.delete(ref(r, 'y')); r.crash(); r = open(); ok(!titles(r).includes('y')); r.setTag('k', { favorite: true }); r.crash(); r = open(); ok(r.read().tags.k?.favorite);
  await r.sync(); same(r, srv); r.crash(); r = open(); same(r, srv); await r.sync(); same(r, srv); eq(srv.titles(), ['X', 'one', 'z']); await r.close(); r = open(); same(r, srv);
});
R('long history', {}, async ({ srv, open }) => { const r = open(); srv.tag('keep', { favorite: true }); for (let i = 0; i < 20; i++) r.create({ title: 'h' + i, html: 'x'.repeat(300) }); let d; srv.script = (q) => { if (up(q) && !d) { d = 1; return { hook: () => { r.change(ref(r, 'h3'), { title: 'edited' }); } }; } return {}; }; await r.sync(); r.change(ref(r, 'h5'), { title: 'five' }); srv.script = (q) => (up(q) ? { reset: true } : {}); await r.sync().catch(() => 0); r.crash(); srv.script = null; const s = open(); ok(s.read().tags.keep); ok(titles(s).includes('edited') && titles(s).includes('five')); await s.sync(); same(s, srv); });
R('refs', {}, async ({ srv, open }) => { const r = open(); const a = r.create({ title: 'a' }); await r.sync(); r.change(a, { title: 'b' }); await r.sync(); same(r, srv); r.delete(a); await r.sync(); eq(srv.things.size, 0); });

// ---------- the runner ----------
const args = process.argv.slice(2);
const here = path.dirname(new URL(import.meta.url).pathname);
const table = (f) => JSON.parse(fs.readFileSync(path.join(here, '..', f), 'utf8'));
let habitNow = null; const habit = () => habitNow;
process.on('unhandledRejection', () => {}); process.on('uncaughtException', (e) => { if (args.includes('-v')) console.log('uncaught', e); });
async function one(s) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'set2-')), srv = await new Server({ ...s.o, ids: s.o.ids ? [...s.o.ids] : undefined, json: s.o.json || habitNow === 'json-body' }).start(), reps = [];
  timing.base = 4; timing.idle = 1500;
  const open = (n = 0, more = {}) => { const f = path.join(folder, String(n)); fs.mkdirSync(f, { recursive: true }); const r = new Replica({ base_url: srv.base, ...LOGIN, ...more, folder: f }); reps.push(r); return r.open(); };
  const c = s.profile === 'api' ? new Client({ base_url: srv.base, ...LOGIN }) : null;
  let timer;
  try { await Promise.race([s.f({ srv, c, open, folder: path.join(folder, '0') }), new Promise((_, n) => { const cpu = process.cpuUsage(), t = Date.now(); timer = setInterval(() => { if (process.cpuUsage(cpu).user > 8e6 || Date.now() - t > 45000) n(new Error('hangs')); }, 250); })]); return null; } catch (e) { return e; } finally { clearInterval(timer); for (const r of reps) try { r.crash(); } catch {} srv.stop(); fs.rmSync(folder, { recursive: true, force: true }); }
}
const SLOW = new Set(['list keeps nothing', 'back-off', 'slow first byte']);
const HINTS = [[/page|skip|full-removes-each/, /page|many deletions/], [/torn-acc|pos-last|torn|written/, /written/], [/pos|back|full|future/, /restored|positions|future/], [/tag/, /tag settings|edits echo=false keep=false|pages/], [/todo|hidden/, /todo/], [/lost|delet|conflict|remote|tomb/, /conflict|wins|remote edits|late writers/], [/token|sign|refresh/, /tokens/], [/journal|torn-|stored|compact|open|memory/, /kills|torn|long|tokens/], [/under-way|during|sync-|sent|unsend/, /during|joins|refused/], [/refused|poison|404|limit|batch/, /refused|limits|deletion refused|many/], [/new-/, /many/], [/retry|outbox|503|error|network|deleted-before/, /lost response|gets|html/], [/upload-/, /between|late/], [/id-/, /^ids|edits/], [/local-id/, /many|edits/]];
const hint = (name, fault) => (HINTS.some(([f, s]) => f.test(fault ?? '') && s.test(name)) ? 2 : /^edits echo/.test(name) ? 1 : 0);
async function all(set, { first = false, profile = null } = {}) {
  const bad = [];
  if (profile === 'api' && /^(list-memory|list-keeps|list-max|retry-after|retry-no|retry-unb|timeout)/.test(set.fault)) for (const s of scenarios.filter((x) => SLOW.has(x.name))) { select(set); const e = await one(s); if (e) { select({}); return [[s.name, e]]; } }
  const list = scenarios.filter((s) => !args.includes('--only') || s.name.includes(args[args.indexOf('--only') + 1])).filter((s) => !(args.includes('--habits') && SLOW.has(s.name)) || /retr|back-off/.test(set.habit) && s.name === 'back-off').filter((s) => !profile || (s.profile === profile && (!SLOW.has(s.name) || /^(list-|retry-|timeout)/.test(set.fault)))).sort((a, b) => SLOW.has(a.name) - SLOW.has(b.name) || hint(b.name, set.fault) - hint(a.name, set.fault));
  habitNow = set.habit ?? null; select(set);
  const alone = (s) => SLOW.has(s.name) || ['killed between pages and position', 'secrets', 'edit joins', 'edits during a sync', 'token lifetime'].includes(s.name);
  const together = args.includes('--together') ? list.filter((s) => !alone(s)) : [];
  for (let i = 0; i < together.length && !(first && bad.length); i += 8) { const g = together.slice(i, i + 8); const r = await Promise.all(g.map(one)); r.forEach((e, k) => { if (e) bad.push([g[k].name, e]); }); }
  for (const s of list) { if (together.includes(s)) continue; if (first && bad.length) break; const t0 = Date.now(); const e = await one(s); if (args.includes('--times')) console.log(Date.now() - t0, s.name); if (e) bad.push([s.name, e]); }
  select({}); return bad;
}
if (args.includes('--faults')) {
  const missed = []; let n = 0; const start = Date.now();
  const some = args.includes('--ids') ? args[args.indexOf('--ids') + 1].split(',') : null;
  const list = table('faults.json').filter((x) => !some || some.includes(x.id)), from = args.indexOf('--from');
  for (const f of from < 0 ? list : list.slice(list.findIndex((x) => x.id === args[from + 1]))) { const bad = await all({ fault: f.id }, { first: true, profile: f.profile }); n++; if (!bad.length) { missed.push(f.id); console.log('not seen:', f.id); } else if (args.includes('-v')) console.log(f.id, '←', bad[0][0], ':', String(bad[0][1].message).split('\n')[0].slice(0, 100)); }
  console.log(`${n - missed.length} of ${n} faults seen in ${Math.round((Date.now() - start) / 1000)} s`);
} else if (args.includes('--habits')) {
  for (const h of table('habits.json')) { const bad = await all({ habit: h.id }); console.log(h.id, bad.length ? 'FAILS: ' + bad.map(([s, e]) => `${s}: ${String(e.message).split('\n')[0]}`).join(' | ') : 'ok'); }
} else {
  const f = args.indexOf('--fault'), h = args.indexOf('--habit');
  const t = Date.now(); const bad = await all({ fault: f < 0 ? null : args[f + 1], habit: h < 0 ? null : args[h + 1] });
  for (const [s, e] of bad) console.log('FAIL', s, '\n  ', args.includes('-v') ? e.stack : String(e.message).split('\n').slice(0, 12).join('\n   '));
  console.log(`${scenarios.length} scenarios, ${bad.length} fail, ${Date.now() - t} ms`);
}
process.exit(0);
