import { fileURLToPath } from 'node:url'
import type { Bench } from '../bench.ts'
import { nextMessage } from '../machine/start-script.ts'

/** Starts bare Koa that runs one statement on a database for each request, and answers a constant. */
export const startOneStatement = async (
  { children }: Bench,
  url: string,
  statement: string,
  answer: object,
): Promise<{ readonly port: number; readonly pid: number }> => {
  const script = fileURLToPath(new URL('./one-statement.ts', import.meta.url))
  const child = children.start(process.execPath, ['--import', 'tsx', script, url, JSON.stringify(answer), statement], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  return { port: await nextMessage<number>(child), pid: child.pid ?? 0 }
}
