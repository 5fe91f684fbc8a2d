import { readFileSync } from 'node:fs'
import Koa from 'koa'
import { serveFloor } from './serve-floor.ts'

/** Koa and nothing else, answering the constant of a file. */
const body = readFileSync(process.argv[2] ?? '')
const app = new Koa()
app.use((ctx) => {
  ctx.type = 'application/json; charset=utf-8'
  ctx.body = body
})

serveFloor(app.callback())
