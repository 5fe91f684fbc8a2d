import { isRacing, type Plan, type PlannedStep, type ReplicaName, replicasOf, type UploadStep } from './plan.ts'
import { type Connection, type Failure, playOnce, withDelays } from './play-plan.ts'
import { precedesInPlan } from './trace.ts'

/** Plays the plan again; resolves to whether it still fails. */
type Fails = (plan: Plan) => Promise<boolean>

const without = <T>(list: readonly T[], start: number, count = 1): T[] => list.toSpliced(start, count)

/** Returns uploads that are simpler in one respect each, the largest step first. */
const simplifyUpload = (step: UploadStep): UploadStep[] => {
  const { creates, changes, deletes, tags } = step
  const size = creates.length + changes.length + deletes.length + tags.length
  if (size < 2) return step.from === 'start' ? [{ ...step, from: 'last' }] : []
  return [
    ...creates.map((_, index) => ({ ...step, creates: without(creates, index) })),
    ...changes.map((_, index) => ({ ...step, changes: without(changes, index) })),
    ...deletes.map((_, index) => ({ ...step, deletes: without(deletes, index) })),
    ...tags.map((_, index) => ({ ...step, tags: without(tags, index) })),
    ...(step.form === 'repeated' ? [{ ...step, form: 'array' as const }] : []),
  ]
}

const simplifyStep = (planned: PlannedStep): PlannedStep[] => {
  const { step } = planned
  if (step.kind === 'upload') return simplifyUpload(step).map((simpler) => ({ ...planned, step: simpler }))
  if (step.kind !== 'pages') return []
  const { meanwhile } = step
  const fewer = meanwhile.map((_, index) => ({ ...step, meanwhile: without(meanwhile, index) }))
  const simpler = meanwhile.flatMap((each, index) =>
    simplifyUpload(each.step).map((upload) => ({
      ...step,
      meanwhile: meanwhile.with(index, { ...each, step: upload }),
    })),
  )
  return [...fewer, ...simpler].map((pages) => ({ ...planned, step: pages }))
}

const mapUploads = (plan: Plan, change: (step: UploadStep) => UploadStep): Plan =>
  plan.map((planned) => {
    const { step } = planned
    if (step.kind === 'upload') return { ...planned, step: change(step) }
    if (step.kind !== 'pages') return planned
    return {
      ...planned,
      step: { ...step, meanwhile: step.meanwhile.map((each) => ({ ...each, step: change(each.step) })) },
    }
  })

/** Returns the plan with plain values: no URLs, no notes, nothing archived, one upload form. */
const withPlainValues = (plan: Plan): Plan => {
  const plain = (step: UploadStep): UploadStep => {
    const simplify = (versions: UploadStep['creates']) =>
      versions.map((version) => ({ ...version, rich: false, archived: false }))
    return { ...step, creates: simplify(step.creates), changes: simplify(step.changes), form: 'array' }
  }
  return mapUploads(plan, plain)
}

/** Returns plans in which one replica takes over the steps of another. */
const withFewerReplicas = (plan: Plan): Plan[] =>
  replicasOf(plan).flatMap((leaving, index, all) =>
    all.slice(0, index).map((successor) => {
      const rename = <T extends { readonly who: ReplicaName }>(each: T): T =>
        each.who === leaving ? { ...each, who: successor } : each
      return plan.map(rename).map((planned) => {
        const { who, step } = planned
        if (step.kind !== 'pages') return planned
        // A replica that reads pages does nothing else meanwhile.
        const meanwhile = step.meanwhile.map(rename).filter((each) => each.who !== who)
        return { ...planned, step: { ...step, meanwhile } }
      })
    }),
  )

/** Returns the plan with a round of its own for every step. */
const inSequence = (plan: Plan): Plan => plan.map((planned, index) => ({ ...planned, round: index }))

const roundsOf = (plan: Plan): Plan[] =>
  [...new Set(plan.map(({ round }) => round))].map((round) => plan.filter((planned) => planned.round === round))

/** Removes as many parts as possible, in ever smaller chunks (the ddmin algorithm). */
const removeParts = async (parts: readonly Plan[], fails: Fails, isOver: () => boolean): Promise<Plan> => {
  let best = parts
  for (let size = Math.ceil(best.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    // From the end: late steps are rarely necessary.
    for (let start = best.length - size; start > -size && !isOver(); start -= size) {
      const candidate = without(best, Math.max(start, 0), size + Math.min(start, 0))
      if (candidate.length < best.length && (await fails(candidate.flat()))) best = candidate
    }
  }
  return best.flat()
}

const simplify = async (plan: Plan, fails: Fails, isOver: () => boolean): Promise<Plan> => {
  let best = plan
  const tryAll = async (candidates: readonly Plan[]): Promise<void> => {
    for (const candidate of candidates) {
      const isOther = JSON.stringify(candidate) !== JSON.stringify(best)
      if (!isOther || isOver() || !(await fails(candidate))) continue
      best = candidate
      return
    }
  }
  await tryAll([withPlainValues(best)])
  if (isRacing(best)) await tryAll([inSequence(best)])
  await tryAll(withFewerReplicas(best))
  for (let index = best.length - 1; index >= 0 && !isOver(); index -= 1) {
    for (let before: Plan | undefined; before !== best && !isOver(); ) {
      before = best
      const planned = best[index]
      if (planned !== undefined) await tryAll(simplifyStep(planned).map((simpler) => best.with(index, simpler)))
    }
  }
  return best
}

/** Shrinks a failing plan as far as the time allows: fewer steps and replicas, plainer values, less concurrency. */
export const shrinkPlan = async (plan: Plan, fails: Fails, isOver: () => boolean): Promise<Plan> => {
  let best = plan
  for (let before = ''; before !== JSON.stringify(best) && !isOver(); ) {
    before = JSON.stringify(best)
    best = await removeParts(roundsOf(best), fails, isOver)
    best = await removeParts(
      best.map((planned) => [planned]),
      fails,
      isOver,
    )
    best = await simplify(best, fails, isOver)
  }
  return best
}

/** Longest time for shrinking a failed history, in milliseconds. */
const maxShrinkMs = 8000

/** Longest delay before a request of a repeated race, in milliseconds: its script starts a program for each request. */
const maxDelayMs = 12

/** Number of repetitions that confirm the smallest history. */
export const confirmations = 5

/** The smallest history that fails, and how many of its `confirmations` repetitions failed. */
interface Explanation {
  readonly smallest: Failure
  readonly again: number
}

/**
 * Plays a failed history again, shrinks it, and repeats the smallest one. `mark` returns a new mark for each play,
 * `random` the delays.
 */
export const explainFailure = async (
  first: Failure,
  connection: Connection,
  mark: () => string,
  random: () => number,
): Promise<Explanation> => {
  const deadline = performance.now() + maxShrinkMs
  const isOver = (): boolean => performance.now() > deadline
  let smallest = first
  const playAgain = (plan: Plan): Promise<Failure | undefined> =>
    playOnce(plan, isRacing(plan) ? withDelays(connection, maxDelayMs, random) : connection, mark(), precedesInPlan)

  const fails = async (plan: Plan): Promise<boolean> => {
    // A race does not fail every time; a plan that fails too rarely is useless.
    let missing = isRacing(plan) ? 2 : 1
    for (let tries = isRacing(plan) ? 3 : 2; tries >= missing && !isOver(); tries -= 1) {
      const failure = await playAgain(plan)
      if (failure !== undefined) missing -= 1
      if (failure === undefined || missing > 0) continue
      smallest = failure
      return true
    }
    return false
  }

  const upToAnomaly = first.plan.filter((planned) => planned.round <= first.anomaly.event.round)
  await shrinkPlan((await fails(upToAnomaly)) ? upToAnomaly : first.plan, fails, isOver)
  let again = 0
  for (let left = confirmations; left > 0; left -= 1) {
    if ((await playAgain(smallest.plan)) !== undefined) again += 1
  }
  return { smallest, again }
}
