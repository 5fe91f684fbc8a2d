// A first sync with the secrets of a first start, by fetch alone: `first-sync.mjs SECRETS-FILE ADDRESS TITLE`. It waits
// until the server is there, uploads a thing, and prints the titles of all things.
import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const [file, address, title] = process.argv.slice(2)
let text = ''
// The last line of the file, so that all of it is there.
while (!text.includes('THINGSYNC_SIGN_IN_LINK=')) {
  text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  await sleep(50)
}
const secret = (name) => new RegExp(`^${name}='(.*)'$`, 'm').exec(text)[1]
const send = async (path, options = {}) => {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(new URL(path, address), options)
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return await response.json()
    } catch (error) {
      if (error.cause?.code !== 'ECONNREFUSED' || attempt === 6_000) throw error
      await sleep(50)
    }
  }
}
const { access_token } = await send('/v1/token', {
  method: 'POST',
  body: new URLSearchParams({
    grant_type: 'password',
    client_id: secret('THINGSYNC_CLIENT_ID'),
    client_secret: secret('THINGSYNC_CLIENT_SECRET'),
    username: secret('THINGSYNC_OWNER'),
    password: secret('THINGSYNC_OWNER_PASSWORD'),
  }),
})
const headers = { authorization: `Bearer ${access_token}` }
const body = new URLSearchParams({ from: '0', new_thing: JSON.stringify({ local_id: '1', title }) })
await send('/v1/sync', { method: 'POST', headers, body })
const { things } = await send('/v1/sync', { headers })
console.log(things.changed.map((thing) => thing.title).join(', '))
