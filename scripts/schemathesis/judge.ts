/**
 * Lets Schemathesis, which knows nothing of this project, judge a running server by `openapi.yaml` and by `openapi.sdk.yaml` as
 * they are released: signed in, over all operations. `npm run judge:schemathesis [-- --seed N] [DOCUMENT]`. Exits 1 on a 5xx, an
 * undeclared status, an answer of another shape, a request that is refused though it is as the document says, too few
 * cases, or an operation that never succeeded.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installSchemathesis } from '../outside-tools/install-schemathesis.ts'
import { ToolMissing } from '../outside-tools/tool-folder.ts'
import { writeConfig } from './config.ts'
import { openJudgedServer } from './judged-server.ts'
import { judgeReport, type Report } from './report.ts'

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'positive_data_acceptance',
]

const inProject = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const documents = ['openapi.yaml', 'openapi.sdk.yaml']

/** The document for generators leaves methods out on purpose, which the server does not. */
const checksOf = (document: string): string =>
  [...checks, ...(document.endsWith('.sdk.yaml') ? [] : ['allow_header_conformance'])].join(',')

const runSchemathesis = async (document: string, folder: string, seed: string): Promise<Report> => {
  const program = installSchemathesis()
  const reportPath = join(folder, 'report.json')
  const configPath = join(folder, 'schemathesis.toml')
  const server = await openJudgedServer(folder)
  writeFileSync(configPath, writeConfig(server))
  const options = {
    '--url': server.baseUrl.replace(/\/$/, ''),
    '--checks': checksOf(document),
    '--max-examples': '80',
    '--seed': seed,
    '--warnings': 'off',
    '--report': 'json',
    '--report-json-path': reportPath,
  }
  const run = ['run', inProject(document), '--continue-on-failure', ...Object.entries(options).flat()]
  const env = {
    ...process.env,
    JUDGE_ACCESS_TOKEN: server.accessToken,
    JUDGE_CREDENTIALS: JSON.stringify(server.credentials),
    SCHEMATHESIS_HOOKS: inProject('scripts/schemathesis/hooks.py'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  try {
    // It keeps examples of its own where it runs.
    const child = spawn(program, ['--config-file', configPath, ...run], { stdio: 'inherit', env, cwd: folder })
    await once(child, 'close')
  } finally {
    await server.close()
  }
  return JSON.parse(readFileSync(reportPath, 'utf8'))
}

const countStreams = (document: string): number =>
  readFileSync(inProject(document), 'utf8').split('text/event-stream:').length - 1

const judgeDocument = async (document: string, seed: string): Promise<boolean> => {
  const folder = mkdtempSync(join(tmpdir(), 'thingsync-schemathesis-'))
  try {
    const { summary, problems } = judgeReport(await runSchemathesis(document, folder, seed), countStreams(document))
    console.log(`${document}: ${summary}`)
    for (const problem of problems) console.error(`${document}: ${problem}`)
    return problems.length === 0
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' } },
})
try {
  for (const document of positionals.length > 0 ? positionals : documents) {
    if (!(await judgeDocument(document, values.seed))) process.exitCode = 1
  }
} catch (error) {
  if (!(error instanceof ToolMissing)) throw error
  console.error(error.message)
  process.exitCode = 1
}
