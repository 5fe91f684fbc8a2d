import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

const key = Buffer.from(process.env.WEBHOOK_SECRET.slice('whsec_'.length), 'base64')
const server = createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray())
  const { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signatures = '' } = request.headers
  const own = Buffer.from(`v1,${createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest('base64')}`)
  const isOurs = signatures
    .split(' ')
    .some((one) => one.length === own.length && timingSafeEqual(Buffer.from(one), own))
  const isFresh = Math.abs(Date.now() / 1000 - time) < 300
  if (isOurs && isFresh) console.log('sync up to', JSON.parse(body).data.pos)
  response.writeHead(isOurs && isFresh ? 204 : 401).end()
})
server.listen(process.env.PORT)
