import { join } from 'node:path'
import { enrolTokens } from '../candidate/accounts.ts'
import { readCpuSeconds } from '../machine/usage.ts'
import { interleave, type Row } from '../row.ts'
import { openBoth } from './open-both.ts'
import { describeSettings } from './open-database.ts'
import { clientCount, uploadJob } from './upload-job.ts'

/** What was answered is on the disk, in both. */
export const postgresUploads: Row = {
  id: 'postgres-uploads',
  work: 'durable uploads of one thing, 64 clients, on PostgreSQL',
  against: 'the same on a data folder',
  measured: 'uploads per second; for CPU: µs of all processes of the server, or of the database, for each upload',
  figures: {
    users: { title: '64 accounts: rate', unit: 'x', goal: { is: 'least', limit: 0.35 } },
    oneUser: { title: '64 devices of one account: rate', unit: 'x', goal: { is: 'least', limit: 0.35 } },
    usersCpu: { title: '64 accounts: CPU of the server', unit: 'x' },
    usersDatabase: { title: '64 accounts: CPU of the database', unit: 'µs' },
    usersWal: { title: '64 accounts: WAL of an upload', unit: 'bytes' },
    oneUserCpu: { title: 'one account: CPU of the server', unit: 'x' },
    oneUserDatabase: { title: 'one account: CPU of the database', unit: 'µs' },
    oneUserWal: { title: 'one account: WAL of an upload', unit: 'bytes' },
  },
  open: async (bench) => {
    const data = join(await bench.makeFolder(), 'data')
    const tokens = await enrolTokens(data, clientCount, 1, clientCount)
    const [devices, users] = [tokens.slice(0, clientCount), tokens.slice(clientCount - 1)]
    const { folder, database, postgres } = await openBoth(bench, { folder: data })

    const readWal = () => Number(postgres.runSql('things', `select pg_current_wal_insert_lsn() - '0/0'::pg_lsn`))

    const measure = async ({ port, pid }: { port: number; pid: number }, bearers: readonly string[]) => {
      const [before, databaseBefore] = [await readCpuSeconds(pid), await postgres.readCpuSeconds()]
      const { count, seconds } = await bench.load(uploadJob(port, bearers, bench.rateSeconds))
      return {
        count,
        rate: count / seconds,
        cpu: ((await readCpuSeconds(pid)) - before) * (1e6 / count),
        databaseCpu: ((await postgres.readCpuSeconds()) - databaseBefore) * (1e6 / count),
      }
    }
    const compare = async (index: number, bearers: readonly string[]) => {
      const [floor, ours] = await interleave(
        index,
        () => measure(folder, bearers),
        async () => {
          // After it pages are written whole once more, which is most of the WAL: each measurement begins there.
          postgres.runSql('things', 'checkpoint')
          const before = readWal()
          const measured = await measure(database, bearers)
          return { ...measured, wal: (readWal() - before) / measured.count }
        },
      )
      return {
        rate: { value: ours.rate / floor.rate, candidate: ours.rate, floor: floor.rate },
        cpu: { value: floor.cpu / ours.cpu, candidate: ours.cpu, floor: floor.cpu },
        database: { value: ours.databaseCpu },
        wal: { value: ours.wal },
      }
    }
    const round = async (index: number) => {
      const ofUsers = await compare(index, users)
      const ofOne = await compare(index, devices)
      return {
        ...{ users: ofUsers.rate, usersCpu: ofUsers.cpu, usersDatabase: ofUsers.database, usersWal: ofUsers.wal },
        ...{ oneUser: ofOne.rate, oneUserCpu: ofOne.cpu, oneUserDatabase: ofOne.database, oneUserWal: ofOne.wal },
      }
    }
    const checkpoints = 'the WAL is that of a load that begins with a checkpoint, as it comes each five minutes'
    return {
      round,
      notes: ['the load generator, the server and the database share the cores', checkpoints, describeSettings],
    }
  },
}
