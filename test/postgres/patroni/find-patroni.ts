import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const findProgram = (name: string): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))

/** Where Patroni and etcd are; undefined when one of them is missing. */
export const findPatroni = (): { readonly patroni: string; readonly etcd: string } | undefined => {
  const [patroni, etcd] = [findProgram('patroni'), findProgram('etcd')]
  return patroni === undefined || etcd === undefined ? undefined : { patroni, etcd }
}

/** What is said where they are missing. */
export const patroniMissing =
  'not tried, because not installed: a primary that is lost under Patroni (apt-get install patroni etcd-server)'
