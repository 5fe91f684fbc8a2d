// A folder with one journal. Each line is a transaction: a check sum, a space, a JSON array of records.
// A line that is torn at the end of the file never happened. Compaction writes a new file and renames it.
import fs from 'node:fs';
import path from 'node:path';
import { createHash } from 'node:crypto';
import { F, timing } from './switch.mjs';

const sum = (s) => createHash('sha1').update(s).digest('hex').slice(0, 8);
const COMPACT = 8 << 20;

export class Store {
  constructor(folder) { this.folder = folder; this.fd = null; this.size = 0; this.late = []; }

  open(apply) {
    fs.mkdirSync(this.folder, { recursive: true });
    const gens = fs.readdirSync(this.folder).map((f) => /^journal-(\d+)\.log$/.exec(f)).filter(Boolean).map((m) => Number(m[1])).sort((a, b) => b - a);
    this.gen = gens[0] ?? 1;
    const file = this.file(this.gen);
    let good = 0;
    if (gens.length && !F('r-open-resets')) {
      const data = fs.readFileSync(file);
      while (good < data.length) {
        const end = data.indexOf(10, good);
        if (end < 0) { if (F('r-torn-fatal')) throw new Error('the journal is damaged'); break; }
        const line = data.subarray(good, end).toString(F('r-journal-latin1') ? 'latin1' : 'utf8');
        if (sum(line.slice(9)) !== line.slice(0, 8) && !F('r-journal-latin1')) { if (F('r-torn-fatal')) throw new Error('the journal is damaged'); break; }
        let records;
        try { records = JSON.parse(line.slice(9)); } catch { break; }
        for (const r of records) apply(r);
        good = end + 1;
      }
      if (good < data.length && !F('r-torn-appended')) fs.truncateSync(file, good);
    } else if (F('r-open-resets')) fs.writeFileSync(file, '');
    for (const g of gens.slice(1)) fs.rmSync(this.file(g), { force: true });
    this.fd = fs.openSync(file, 'a', 0o600);
    this.size = fs.fstatSync(this.fd).size;
  }
  file(gen) { return path.join(this.folder, `journal-${gen}.log`); }
  append(records) {
    if (!records.length) return;
    if (this.fd === null) throw new Error('the replica is closed');
    if (F('r-journal-late')) { this.late.push(...records); this.timer ??= setTimeout(() => { this.timer = null; this.flush(); }, 1500); return; }
    if (F('r-journal-at-close')) { this.late.push(...records); return; }
    this.write(records);
  }
  write(records) {
    const text = JSON.stringify(records);
    const line = Buffer.from(`${sum(text)} ${text}\n`);
    fs.writeSync(this.fd, line);
    if (timing.durable) fs.fsyncSync(this.fd);
    this.size += line.length;
  }
  flush() { if (this.late.length && this.fd !== null) { const l = this.late; this.late = []; this.write(l); } }
  compact(records) {
    if (this.size < (F('r-compact-forgets') ? 4096 : COMPACT)) return;
    const next = this.file(this.gen + 1), tmp = next + '.tmp';
    const text = JSON.stringify(F('r-compact-forgets') ? records.filter((r) => r.op !== 'lost' && r.op !== 'tag') : records);
    const fd = fs.openSync(tmp, 'w', 0o600);
    fs.writeSync(fd, `${sum(text)} ${text}\n`);
    fs.fsyncSync(fd); fs.closeSync(fd);
    fs.renameSync(tmp, next);
    const dir = fs.openSync(this.folder, 'r'); fs.fsyncSync(dir); fs.closeSync(dir);
    fs.closeSync(this.fd);
    fs.rmSync(this.file(this.gen), { force: true });
    this.gen++;
    this.fd = fs.openSync(next, 'a', 0o600);
    this.size = fs.fstatSync(this.fd).size;
  }
  close() { this.flush(); if (this.fd !== null) fs.closeSync(this.fd); this.fd = null; clearTimeout(this.timer); }
  crash() { if (this.fd !== null) fs.closeSync(this.fd); this.fd = null; this.late = []; clearTimeout(this.timer); }
}
