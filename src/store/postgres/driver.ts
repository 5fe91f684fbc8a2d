// The only file that imports pg (dependency-cruiser enforces it): a server without a database does not load it.
import pg from 'pg'

export type { ClientConfig, Pool as ConnectionPool, PoolClient, PoolConfig } from 'pg'

/** A connection, a pool of connections, and an error that the database reports (`code` is the SQLSTATE). */
export const { Client, Pool, DatabaseError } = pg

/** A connection, open or not. */
export type Connection = pg.Client

const bigintType = 20

/** Returns the parser of a type's text form. A `bigint` becomes a number: here it stays below 2^53. */
export const readType = (type: number): ((text: string) => unknown) =>
  type === bigintType ? Number : (pg.types.getTypeParser(type) as (text: string) => unknown)
