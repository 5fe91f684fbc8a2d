import { request as requestHttp } from 'node:http'
import type { RunningWorld } from './behaviour.ts'
import { writeToken } from './right-push.ts'
import type { Account, Device, Session } from './world.ts'

function push(world: RunningWorld, account: Account, device: Device, endpoint: string): void {
  const { behaviour } = world
  // Tests send nothing to other machines.
  if (!endpoint.startsWith('http://127.0.0.1:')) return
  const [p256dh, auth] = [device.fields.p256dh, device.fields.auth].map((key) => Buffer.from(`${key}`, 'base64url'))
  const text = behaviour.pushText(account.position)
  const body = behaviour.encryptPush(text, p256dh as Buffer, auth as Buffer)
  const token = writeToken(behaviour.vapidClaims(endpoint), behaviour.vapidSignature)
  const headers = { ...behaviour.pushHeaders(), ...behaviour.vapid(token), 'content-length': `${body.length}` }
  const outgoing = requestHttp(endpoint, { method: behaviour.pushMethod, headers })
  const stop = (): void => void outgoing.destroy()
  world.closing.add(stop)
  // A message that is lost is followed by the next one.
  outgoing.on('error', () => world.closing.delete(stop))
  outgoing.on('response', (response) => {
    response.resume()
    world.closing.delete(stop)
    if (!behaviour.endsDevice.includes(response.statusCode ?? 0)) return
    for (const [key, each] of account.devices) if (each === device) account.devices.delete(key)
  })
  outgoing.end(body)
}

/** Tells the webpush devices of an account. */
export function pushAll(world: RunningWorld, account: Account, writer: Session): void {
  for (const device of account.devices.values()) {
    if (device.type !== 'webpush' || !world.behaviour.pushes(device, writer)) continue
    for (const endpoint of world.behaviour.endpointsOf(device)) push(world, account, device, endpoint)
  }
}
