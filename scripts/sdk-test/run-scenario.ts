import type { JsonObject } from '../json.ts'
import { judgeAnswer, judgePages, type SdkAnswer } from './judge-answer.ts'
import { fillIn, findAt, type Scenario, type Step } from './scenario.ts'

/** A call as it is sent to an SDK's runner, one line of JSON. */
export type Call = { call: string; with: JsonObject; token?: string; wire: { bodies: string; token: string } }

/** What became of one step: nothing wrong, or a sentence for each thing that is. */
export type StepResult = { name: string; wrong: string[] }

const findTotal = (answer: SdkAnswer): number =>
  'value' in answer ? Number(findAt(answer.value, '/thingCount') ?? 0) : 0

async function readPages(step: Step, call: Call, send: (call: Call) => Promise<SdkAnswer>): Promise<SdkAnswer[]> {
  const limit = step.pages?.limit ?? 0
  const pages: SdkAnswer[] = []
  let skip = 0
  do {
    pages.push(await send({ ...call, with: { ...call.with, skip, limit } }))
    skip += limit
  } while (pages[0] !== undefined && skip < findTotal(pages[0]))
  return pages
}

/** Plays the scenario through an SDK and judges every answer; `known` are the values that stand for `$name` from the start. */
export async function runScenario(
  scenario: Scenario,
  known: Readonly<Record<string, string>>,
  bodies: 'form' | 'json',
  send: (call: Call) => Promise<SdkAnswer>,
): Promise<StepResult[]> {
  const kept = new Map<string, unknown>(Object.entries({ ...scenario.user, ...known }))
  const results: StepResult[] = []
  for (const given of scenario.steps) {
    const { keep = {}, ...rest } = given
    const step = { ...(fillIn(rest, kept) as Step), keep }
    const call: Call = {
      call: step.call,
      with: step.with ?? {},
      ...(step.token === undefined ? {} : { token: step.token }),
      wire: { bodies, token: step.present ?? 'bearer' },
    }
    if (step.pages !== undefined) {
      results.push({ name: step.name, wrong: judgePages(step.pages.things, await readPages(step, call, send)) })
      continue
    }
    const answer = await send(call)
    const wrong = judgeAnswer(step, answer)
    results.push({ name: step.name, wrong })
    for (const [name, pointer] of Object.entries(keep))
      kept.set(name, 'value' in answer ? findAt(answer.value, pointer) : '')
  }
  return results
}
