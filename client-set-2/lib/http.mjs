// One HTTP exchange by node:http. The body of a success goes to a sink as it arrives.
import http from 'node:http';
import https from 'node:https';
import zlib from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { F, H, timing } from './switch.mjs';

export class ClientError extends Error {
  constructor(kind, message, more = {}) { super(message); this.kind = kind; Object.assign(this, more); }
}

export class BytesSink {
  parts = []; size = 0;
  constructor(max = Infinity) { this.max = max; }
  write(chunk) { if (this.size < this.max) { this.parts.push(chunk); this.size += chunk.length; } }
  end() {}
  text() { return F('decode-latin1') ? Buffer.concat(this.parts).toString('latin1') : Buffer.concat(this.parts).toString('utf8').replace(/^\ufeff/, ''); }
}

const agents = { 'http:': new http.Agent({ keepAlive: true, maxSockets: 8 }), 'https:': new https.Agent({ keepAlive: true, maxSockets: 8 }) };

export function exchange({ method, url, headers = {}, body = null, sink, hops = 0 }) {
  return new Promise((resolve, reject) => {
    const h = { accept: H('accept-any') ? '*/*' : 'application/json', ...headers };
    if (!H('no-gzip')) h['accept-encoding'] = H('accept-br') ? 'br, gzip;q=0.5' : 'gzip';
    if (H('user-agent')) h['user-agent'] = 'things/2.0 (set 2; Node)';
    if (H('accept-language')) h['accept-language'] = 'de, en;q=0.5';
    const bytes = body === null ? null : Buffer.from(body, 'utf8');
    if (bytes) {
      if (!H('chunked-body')) h['content-length'] = F('length-in-chars') ? [...decodeURIComponent(body.replace(/%(?![0-9A-Fa-f]{2})/g, '%25')).replaceAll('%', '')].length : bytes.length;
    }
    if (H('connection-close')) h.connection = 'close';
    const lib = url.protocol === 'https:' ? https : http;
    const req = lib.request(url, { method, headers: h, agent: H('connection-close') ? false : agents[url.protocol] });
    const broken = (e) => reject(e instanceof ClientError || e instanceof TypeError || e instanceof SyntaxError ? e : new ClientError('network', `the connection failed (${e.code ?? 'broken'})`));
    req.setTimeout(F('timeout-short') ? 1000 : timing.idle, () => req.destroy(Object.assign(new Error('time-out'), { code: 'ETIMEDOUT' })));
    req.on('error', broken);
    req.on('response', (res) => {
      const status = res.statusCode;
      if (status >= 300 && status < 400 && res.headers.location) {
        let next = null;
        try { next = new URL(res.headers.location, url); } catch {}
        const leak = F('redirect-leak'), asGet = F('redirect-get'), endless = F('redirect-endless');
        const same = next && next.origin === url.origin;
        if (next && (leak || (asGet && same) || (endless && same) || (H('redirect-same-origin') && same && (status === 307 || status === 308) && hops < 5)) && hops < 60) {
          res.resume();
          const again = asGet ? { method: 'GET', url: next, headers: { authorization: headers.authorization }, sink } : { method, url: next, headers, body, sink };
          if (again.headers.authorization === undefined) delete again.headers.authorization;
          exchange({ ...again, hops: hops + 1 }).then(resolve, reject);
          return;
        }
      }
      const good = status >= 200 && status < 300 && sink;
      const target = good ? sink : new BytesSink(65536);
      const steps = [res];
      const coding = F('gzip-ignored') ? '' : (res.headers['content-encoding'] ?? '').toLowerCase();
      if (coding === 'gzip' || coding === 'x-gzip') steps.push(zlib.createGunzip());
      else if (coding === 'br') steps.push(zlib.createBrotliDecompress());
      else if (coding === 'deflate') steps.push(zlib.createInflate());
      const done = () => resolve({ status, headers: res.headers, good, text: good ? null : target.text() });
      pipeline(...steps, async (source) => {
        for await (const chunk of source) target.write(chunk);
        target.end();
      }).then(done, (e) => {
        if ((F('truncated-accepted') || (F('gzip-truncated') && steps.length > 1)) && good && !(e instanceof ClientError && e.kind === 'unexpected_response')) { target.finishAnyway?.(); done(); return; }
        broken(e);
      });
    });
    if (bytes && H('body-in-pieces')) {
      for (let i = 0; i < bytes.length; i += 7) req.write(bytes.subarray(i, i + 7));
      req.end();
    } else req.end(bytes ?? undefined);
  });
}
