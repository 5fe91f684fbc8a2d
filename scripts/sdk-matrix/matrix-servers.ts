import { openLiveServer } from '../sdk-test/live-server.ts'
import { raisePositions } from './raise-positions.ts'

/** A live server, what a first script needs to sign in, and the position above which all of its positions are. */
export type MatrixServer = { baseUrl: string; credentials: Readonly<Record<string, string>>; above: number }

/** One server whose positions begin at 0, and one where they begin above what a 32-bit float can hold. */
export type MatrixServers = { usual: MatrixServer; raised: MatrixServer; close: () => Promise<void> }

const user = { username: 'anna', password: 'correct horse battery' }
const highPosition = 300_000_000

/** Starts both servers, for all rows: a first script deletes what it made. */
export async function openMatrixServers(): Promise<MatrixServers> {
  const usual = await openLiveServer(user)
  const raised = await openLiveServer(user, (data) => raisePositions(data, highPosition))
  const describe = ({ baseUrl, clientId, clientSecret }: typeof usual, above: number): MatrixServer => ({
    baseUrl,
    above,
    credentials: {
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
      USERNAME: user.username,
      PASSWORD: user.password,
    },
  })
  return {
    usual: describe(usual, 0),
    raised: describe(raised, highPosition),
    async close() {
      await usual.close()
      await raised.close()
    },
  }
}
