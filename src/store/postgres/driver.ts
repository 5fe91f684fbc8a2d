// The one file that imports pg (dependency-cruiser holds it): whoever does not ask for a database does not load it.
import pg from 'pg'

export type { ClientConfig, Pool as ConnectionPool, PoolClient, PoolConfig } from 'pg'

/** One connection; a pool of them; the error that the database answers with (`code` is the SQLSTATE). */
export const { Client, Pool, DatabaseError } = pg

/** One connection, open or not. */
export type Connection = pg.Client

const wholeNumber = 20

/** How the text of a value of a type is read: whole numbers, which stay below 2^53 here, as numbers. */
export const readType = (type: number): ((text: string) => unknown) =>
  type === wholeNumber ? Number : (pg.types.getTypeParser(type) as (text: string) => unknown)
