import http from 'node:http'
const [,, target, port] = process.argv
let n = {}, lim=0
http.createServer((q, s) => {
  const o = http.request(target + q.url, { method: q.method, headers: q.headers }, (r) => {
    const chunks = []
    r.on('data', c => chunks.push(c)); 
    if (/\/(token|revoke)/.test(q.url) && r.statusCode >= 400) r.on('end', () => { let e; try { const j = JSON.parse(Buffer.concat(chunks)); e = r.statusCode + ' ' + j.error + ' ' + j.error_description } catch { e = 'x' }; n[e] = (n[e] ?? 0) + 1 })
    s.writeHead(r.statusCode, r.rawHeaders.length ? r.headers : {}); r.pipe(s)
  })
  o.on('error', () => s.destroy()); q.pipe(o)
}).listen(+port, '127.0.0.1')
process.on('SIGUSR2', () => { console.log(JSON.stringify(n, null, 1)); n = {} })
