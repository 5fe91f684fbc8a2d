import Koa from 'koa'
import pg from 'pg'
import { serveFloor } from '../floors/serve-floor.ts'

/** Bare Koa that runs one statement for each request, which the database knows already, and answers a constant. */
const [connectionString = '', text = '', statement = ''] = process.argv.slice(2)
const pool = new pg.Pool({ connectionString, max: 10 })
const body = Buffer.from(text)
const app = new Koa()
app.use(async (ctx) => {
  await pool.query({ name: 'one', text: statement })
  ctx.type = 'application/json; charset=utf-8'
  ctx.body = body
})

serveFloor(app.callback())
