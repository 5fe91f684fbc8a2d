import { join } from 'node:path'
import { enrol, signIn } from '../candidate/accounts.ts'
import { makeThings } from '../candidate/make-things.ts'
import { formHeaders } from '../measure/requests.ts'
import { interleave, type Row } from '../row.ts'

const clientCount = 64

/** The body that each client uploads: one new thing, after what it got last. */
const oneThing = (): string => {
  const [thing] = makeThings(7, 1)
  const text = JSON.stringify({ ...thing, local_id: 'LOCAL' })
  return `from={pos}&new_thing=${encodeURIComponent(text).replace('LOCAL', '{n}')}`
}

/** What was answered is on the disk: how much of the disk's rate is left behind the interface. */
export const durableUploads: Row = {
  id: 'durable-uploads',
  work: 'durable uploads of one thing, 64 clients',
  against: 'raw node:http that appends the body and syncs once for all that wait',
  measured: 'uploads per second',
  figures: {
    users: { title: '64 users', unit: 'x', goal: { is: 'least', limit: 0.45 } },
    oneUser: { title: '64 devices of one user, who get each other’s things', unit: 'x' },
  },
  open: async (bench) => {
    const folder = join(await bench.makeFolder(), 'data')
    const enrolment = await enrol(folder, clientCount)
    const server = await bench.start({ folder })
    const floor = await bench.startFloor('group-commit', [await bench.makeFolder()])
    bench.say(`signing in ${clientCount} users`)
    const users: Record<string, string>[] = []
    const devices: Record<string, string>[] = []
    for (const user of enrolment.users) {
      users.push(formHeaders(await signIn(server.port, enrolment, user)))
      devices.push(formHeaders(await signIn(server.port, enrolment, 'user-0')))
    }
    const body = oneThing()
    const measure = async (port: number, headersByConnection: readonly Record<string, string>[]) => {
      const { count, seconds } = await bench.load({
        port,
        method: 'POST',
        path: '/v1/sync',
        headers: {},
        headersByConnection,
        body,
        connections: clientCount,
        seconds: bench.rateSeconds,
      })
      return count / seconds
    }
    const round = async (index: number) => {
      const [floorRate, rate] = await interleave(
        index,
        () => measure(floor.port, users),
        () => measure(server.port, users),
      )
      const oneUserRate = await measure(server.port, devices)
      return {
        users: { value: rate / floorRate, candidate: rate, floor: floorRate },
        oneUser: { value: oneUserRate / floorRate, candidate: oneUserRate, floor: floorRate },
      }
    }
    return { round, notes: ['both answer after fdatasync; accounts begin empty and grow with the rounds'] }
  },
}
