import { fdatasync, openSync, write } from 'node:fs'
import { join } from 'node:path'
import { serveFloor } from './serve-floor.ts'

/**
 * Raw node:http that makes each body durable before it answers, with the least work that a journal takes: all lines
 * that wait go out in one append and one fdatasync. It decodes, checks and remembers nothing.
 */
const file = openSync(join(process.argv[2] ?? '', 'floor.ndjson'), 'a')
const answer = Buffer.from(JSON.stringify({ pos: 1, thingCount: 1, things: { new: { 1: 'x'.repeat(20) } } }))
let waiting: { line: Buffer; done: () => void }[] = []
let isWriting = false

const failLoudly = (error: Error | null): void => {
  if (error) throw error
}

const commit = (): void => {
  const batch = waiting
  waiting = []
  isWriting = batch.length > 0
  if (!isWriting) return
  write(file, Buffer.concat(batch.map(({ line }) => line)), (writeError) => {
    failLoudly(writeError)
    fdatasync(file, (syncError) => {
      failLoudly(syncError)
      for (const { done } of batch) done()
      commit()
    })
  })
}

serveFloor((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const done = () => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
      response.end(answer)
    }
    waiting.push({ line: Buffer.concat([...chunks, Buffer.from('\n')]), done })
    if (!isWriting) commit()
  })
})
