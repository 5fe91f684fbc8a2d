import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { runCommand } from './run-command.ts'

/** Packs a folder into a `.tar.gz` whose bytes come from its files alone: order, owners and times are fixed. */
export const packArchive = (folder: string, archive: string, epoch: number): void => {
  const tar = `${archive}.tar`
  const fixed = ['--format=gnu', '--sort=name', `--mtime=@${epoch}`, '--owner=0', '--group=0', '--numeric-owner']
  runCommand('tar', ['-cf', tar, ...fixed, '-C', dirname(folder), basename(folder)], { cwd: dirname(folder) })
  // Without the time and the name that the command gzip writes into the head.
  writeFileSync(archive, gzipSync(readFileSync(tar), { level: 6 }))
  rmSync(tar)
}
