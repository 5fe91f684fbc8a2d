/**
 * Lets Schemathesis, which knows nothing of this project, judge a running server by `openapi.yaml`: signed in, over all
 * operations. `npm run judge:schemathesis [-- --seed N]`. Exits 1 on a 5xx, an undeclared status, an answer of another
 * shape, too few cases, or an operation that never succeeded.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { installSchemathesis } from '../outside-tools/install-schemathesis.ts'
import { ToolMissing } from '../outside-tools/tool-folder.ts'
import { openJudgedServer } from './judged-server.ts'
import { judgeReport, type Report } from './report.ts'

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'allow_header_conformance',
]

const inProject = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

const runSchemathesis = async (folder: string, seed: string): Promise<Report> => {
  const program = installSchemathesis()
  const reportPath = join(folder, 'report.json')
  const { baseUrl, credentials, close } = await openJudgedServer(folder)
  const options = {
    '--url': baseUrl.replace(/\/$/, ''),
    '--checks': checks.join(','),
    '--max-examples': '80',
    '--seed': seed,
    '--warnings': 'off',
    '--report': 'json',
    '--report-json-path': reportPath,
  }
  const args = ['run', inProject('openapi.yaml'), '--continue-on-failure', ...Object.entries(options).flat()]
  const env = {
    ...process.env,
    ...credentials,
    SCHEMATHESIS_HOOKS: inProject('scripts/schemathesis/hooks.py'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  try {
    // It keeps examples of its own where it runs.
    const child = spawn(program, args, { stdio: 'inherit', env, cwd: folder })
    await once(child, 'close')
  } finally {
    await close()
  }
  return JSON.parse(readFileSync(reportPath, 'utf8'))
}

const { values } = parseArgs({ options: { seed: { type: 'string', default: '1' } } })
const folder = mkdtempSync(join(tmpdir(), 'thingsync-schemathesis-'))
try {
  const { summary, problems } = judgeReport(await runSchemathesis(folder, values.seed))
  console.log(summary)
  for (const problem of problems) console.error(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
} catch (error) {
  if (!(error instanceof ToolMissing)) throw error
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true })
}
