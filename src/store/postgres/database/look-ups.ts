import { Client, type ClientConfig, type Connection } from '../driver.ts'

/**
 * One connection for what each request looks up by a key. What is asked goes out at once, behind what is on its way: that
 * takes half the processor time of connections that wait for one answer each.
 */
export interface LookUps {
  /** The connection; a new one where there is none, or it has broken. @throws what the driver throws */
  readonly connect: () => Promise<Connection>
  /** It is of no use any more: whoever asks next has another one. */
  readonly drop: (connection: Connection) => void
  /** Resolves when all that was asked is answered, and the connection ended. */
  readonly close: () => Promise<void>
}

/** Connects when it is first asked. */
export const openLookUps = (config: ClientConfig): LookUps => {
  let current: { readonly connection: Connection; readonly opened: Promise<Connection> } | undefined

  const drop = (connection: Connection): void => {
    if (current?.connection === connection) current = undefined
    connection.end().catch(() => undefined)
  }

  const open = (): NonNullable<typeof current> => {
    const connection = new Client({ ...config, pipeline: true })
    // Whoever waits for an answer hears of it; nobody else need.
    connection.on('error', () => drop(connection))
    connection.on('end', () => drop(connection))
    const opened = connection.connect().then(() => connection)
    opened.catch(() => drop(connection))
    return { connection, opened }
  }

  return {
    connect: () => {
      current ??= open()
      return current.opened
    },
    drop,
    close: async () => {
      const last = current
      current = undefined
      await last?.opened.then((connection) => connection.end()).catch(() => undefined)
    },
  }
}
