import { join } from 'node:path'
import { enrol, passwordForm, signIn } from '../candidate/accounts.ts'
import { formHeaders } from '../measure/requests.ts'
import type { Row } from '../row.ts'

const loginCount = 8

/** Passwords are slow on purpose; what is written meanwhile must not wait for them. */
export const commitBesideLogins: Row = {
  id: 'commit-beside-logins',
  work: 'commit latency (median) with 8 logins in flight',
  against: 'the same without logins',
  measured: 'ms per upload of one thing, one client',
  figures: { latency: { title: 'median latency', unit: 'x', goal: { is: 'most', limit: 5 } } },
  open: async (bench) => {
    const folder = join(await bench.makeFolder(), 'data')
    const enrolment = await enrol(folder, 2 + loginCount)
    const [uploader = '', ...others] = enrolment.users
    const { port } = await bench.start({ folder })
    const upload = {
      port,
      method: 'POST',
      path: '/v1/sync',
      headers: formHeaders(await signIn(port, enrolment, uploader)),
      body: `from={pos}&new_thing=${encodeURIComponent('{"local_id":"LOCAL","title":"one thing"}').replace('LOCAL', '{n}')}`,
      connections: 1,
      seconds: bench.rateSeconds,
    }
    const logins = others.slice(0, loginCount).map((user) => ({
      port,
      method: 'POST',
      path: '/v1/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: passwordForm(enrolment, user),
      connections: 1,
      seconds: bench.rateSeconds,
    }))
    const round = async () => {
      const idle = await bench.load(upload)
      const [busy] = await Promise.all([bench.load(upload), ...logins.map((login) => bench.loadBeside(login))])
      return {
        latency: { value: busy.medianMs / idle.medianMs, candidate: busy.medianMs, floor: idle.medianMs },
      }
    }
    return {
      round,
      notes: ['8 users, each signing in again and again; from one address the server checks one at a time'],
    }
  },
}
