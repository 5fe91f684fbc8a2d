// What may be repeated, and when.
import { F, H, timing, sleep } from './switch.mjs';
import { ClientError } from './http.mjs';

export function limit() { return H('no-retries') ? 0 : H('many-retries') ? 7 : F('retry-unbounded') ? 60 : 3; }

function retryAfter(headers) {
  const v = headers?.['retry-after'];
  if (v === undefined || F('retry-after-ignored')) return null;
  if (/^\d+$/.test(v.trim())) return Number(v) * (F('retry-after-ms') ? 1 : 1000);
  if (F('retry-after-date-ignored')) return 0;
  if (F('retry-after-date-crash')) { const n = BigInt(v); return Number(n) * 1000; }
  const at = Date.parse(v);
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now());
}

// Waits before the next attempt; false when the wait would be too long.
export async function pause(attempt, headers) {
  let ms = timing.base * 2 ** attempt * (H('steady-back-off') ? 1 : 0.75 + Math.random() / 2);
  if (F('retry-no-back-off')) ms = 0;
  if (H('slow-back-off')) ms *= 2;
  const asked = retryAfter(headers);
  if (asked !== null) {
    if (asked > timing.longestWait) return false;
    ms = F('retry-after-date-ignored') && asked === 0 ? 0 : Math.max(asked, F('retry-after-ms') ? 0 : ms);
    if (H('retry-after-plus')) ms += timing.base;
  }
  await sleep(ms);
  return true;
}

export function parseError(res, secrets = '') {
  let o = null;
  if (F('error-not-json-crash')) o = JSON.parse(res.text);
  else try { o = JSON.parse(res.text); } catch {}
  if (o && typeof o === 'object' && typeof o.error === 'string') {
    const text = typeof o.error_description === 'string' ? o.error_description : o.error;
    return new ClientError('rejected', text + secrets, { status: res.status, code: F('error-code-lost') ? undefined : o.error, headers: res.headers });
  }
  return new ClientError('unexpected_response', `the response has status ${res.status} and is no error of the protocol` + secrets, { status: res.status, headers: res.headers });
}
