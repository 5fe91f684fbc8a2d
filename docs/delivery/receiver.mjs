import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'

const key = Buffer.from(process.env.WEBHOOK_SECRET.slice('whsec_'.length), 'base64')
const isSame = (one, other) => one.length === other.length && timingSafeEqual(one, other)
const server = createServer(async (request, response) => {
  const body = await buffer(request).catch(() => undefined)
  if (body === undefined) return // it broke off
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = request.headers
  const own = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64')}`)
  const isOurs = signatures.split(' ').some((one) => isSame(Buffer.from(one), own))
  const isFresh = Math.abs(Date.now() / 1000 - time) < 300
  if (isOurs && isFresh) console.log('sync up to', JSON.parse(body).data.pos)
  response.writeHead(isOurs && isFresh ? 204 : 401).end()
})
server.listen(process.env.PORT, '127.0.0.1')
