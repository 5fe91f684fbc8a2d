import type { Pair } from '../form.ts'
import { showValue } from '../json.ts'
import type { Exchange } from '../result.ts'
import { type Answer, readAnswer } from './answer.ts'
import type { Connection } from './connection.ts'
import { type PagesStep, type Plan, type PlannedStep, replicasOf } from './plan.ts'
import { createReplicaMemory } from './replica-memory.ts'
import type { SyncEvent, Trace, TraceEvent } from './trace.ts'
import { encodeUploadStep } from './upload-form.ts'

/** Most pages of one listing; what would need more, in an account with old data, is asked for in larger pages. */
const mostPages = 12

/**
 * Plays a plan and records what went. The mark starts every name that the playing makes. A replica changes and deletes only
 * what it has seen, as a client would; steps that have lost their object (in a shrunk plan) are left out.
 */
export const playPlan = async (plan: Plan, connection: Connection, mark: string): Promise<Trace> => {
  let tick = 0
  let count = 0
  const events: TraceEvent[] = []
  const memory = createReplicaMemory(mark)

  const playSync = async (
    { round, who, step }: PlannedStep & { readonly step: SyncEvent['step'] },
    during?: number,
  ) => {
    count += 1
    const number = count
    const started = ++tick
    const base = memory.findBase(who, step.from)
    const from: Pair[] = base?.position === undefined ? [] : [['from', String(base.position)]]
    const answers: Answer[] = []
    let size = step.kind === 'pages' ? step.size : 0
    let refusal: string | undefined
    let exchange: Exchange | undefined

    const ask = async (pairs: readonly Pair[]): Promise<Answer | undefined> => {
      const kind = step.kind === 'upload' ? 'upload' : 'list'
      const reply = await connection.sync(who, [...from, ...pairs], kind)
      exchange = reply.exchange
      const answer = readAnswer(reply)
      if (answer === undefined) {
        refusal = `${reply.status} ${showValue(reply.json ?? reply.text)}`
        return undefined
      }
      answers.push(answer)
      memory.learn(who, answer, step)
      return answer
    }
    const askPages = async ({ meanwhile }: PagesStep) => {
      const waiting = [...meanwhile]
      const askPage = (skip: number) =>
        ask([
          ['skip', String(skip)],
          ['limit', String(size)],
        ])
      let answer = await askPage(0)
      if (answer !== undefined && answer.thingCount > size * mostPages) {
        size = Math.ceil(answer.thingCount / mostPages)
        answers.pop()
        answer = await askPage(0)
      }
      // A list that grows while it is read ends too: at twice the pages that are the most.
      for (let page = 1; page < 2 * mostPages && answer !== undefined && page * size < answer.thingCount; page += 1) {
        const next = waiting.shift()
        if (next !== undefined) await play({ round, ...next }, number)
        answer = await askPage(page * size)
      }
      for (const next of waiting) await play({ round, ...next }, number)
    }

    if (step.kind === 'pages') await askPages(step)
    else
      await ask(
        step.kind === 'upload' ? encodeUploadStep(step, { mark, idOf: (thing) => memory.idOf.get(thing) ?? '' }) : [],
      )

    const keptAnswer = step.kind === 'pages' && step.keep === 'first' ? answers[0] : answers.at(-1)
    const position = refusal === undefined ? keptAnswer?.position : undefined
    const event: SyncEvent = {
      ...{ number, round, who, started, ended: ++tick, base: base?.number ?? 0 },
      step: step.kind === 'pages' ? { ...step, size } : step,
      ...{ answers: refusal === undefined ? answers : [], position, refusal, exchange, during },
    }
    events[number - 1] = event
    const forgets = step.kind === 'list' && step.from === 'fresh'
    if (position !== undefined && !forgets) memory.keep(event)
  }

  const play = async (planned: PlannedStep, during?: number): Promise<void> => {
    const { round, who, step } = planned
    if (step.kind === 'refresh') {
      count += 1
      const [number, started] = [count, ++tick]
      await connection.refresh(who)
      events[number - 1] = { number, round, who, step, started, ended: ++tick }
    } else if (step.kind === 'upload') {
      const possible = memory.onlySeen(who, step)
      const { creates, changes, deletes, tags } = possible
      const size = creates.length + changes.length + deletes.length + tags.length
      if (size > 0) await playSync({ round, who, step: possible }, during)
    } else {
      await playSync({ round, who, step }, during)
    }
  }

  for (const round of new Set(plan.map((planned) => planned.round))) {
    const steps = plan.filter((planned) => planned.round === round)
    const lanes = replicasOf(steps).map((who) => steps.filter((planned) => planned.who === who))
    const playLane = async (lane: Plan) => {
      for (const planned of lane) await play(planned)
    }
    // Every lane is waited for, also when one fails: nothing may still be in flight when the history is left.
    const outcomes = await Promise.allSettled(lanes.map(playLane))
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }
  return { mark, events, idOf: memory.idOf }
}
