import { deepEqual } from '@homeostat/api'
import type { Trial } from '../judgements/index.ts'
import type { Step, Story } from '../stories/index.ts'

/** A trial, and another one with one more fault, which is played if the first one made the operator do something new. */
interface Combination extends Trial {
  readonly further: Trial
}

/** After this number of choices in a row that were made before, hardly any others are left. */
const MOST_REPEATS = 100

/**
 * Two trials in one story, chosen by the seed: two faults in one reconcile, or a disturbance while a request fails.
 * `settled` is the story without a fault. No story comes twice: there are fewer than `count` where there are no others.
 */
export function* combinations(
  trials: readonly Trial[],
  settled: Story,
  seed: number,
  count: number,
): Generator<Combination> {
  const stories = new Set<string>()
  let repeats = 0
  for (const combination of choices(trials, settled, seed)) {
    if (stories.size >= count || repeats >= MOST_REPEATS) return
    const story = JSON.stringify(combination.story)
    if (stories.has(story)) repeats++
    else {
      repeats = 0
      stories.add(story)
      yield combination
    }
  }
}

/** Combinations without end, of which some come again. */
function* choices(trials: readonly Trial[], settled: Story, seed: number): Generator<Combination> {
  const tails = trials.filter((trial) => startsWith(trial.story, settled) && endsAs(trial, settled))
  const faults = trials.flatMap(({ class: found, story }) =>
    found === 'crash' || found === 'failed-request' ? story.filter(isFault) : [],
  )
  if (faults.length === 0) return
  const chance = numbersFrom(seed)
  // Further faults do not take numbers of the others.
  const furtherChance = numbersFrom(seed + 1)
  const pick = <Item>(items: readonly Item[], number = chance): Item => items[number(items.length)]!
  const create = settled.findLastIndex(({ step }) => step === 'create')
  for (let made = 0; ; made++) {
    const trial = { class: 'combination', reference: settled, expects: { type: 'same' } } as const
    const further = pick(faults, furtherChance)
    if (tails.length === 0 || made % 2 === 0) {
      const storyWith = (all: readonly Fault[]): Story => settled.toSpliced(create, 0, ...byRequest(all))
      const two = inTurn([pick(faults), pick(faults)])
      const three = inTurn([...two, further])
      yield { ...trial, story: storyWith(two), further: { ...trial, story: storyWith(three) } }
    } else {
      const tail = pick(tails).story.slice(settled.length)
      const storyWith = (all: readonly Fault[]): Story => [...settled, ...byRequest(all), ...tail]
      const one = { ...pick(faults), request: 1 + chance(4) }
      const two = inTurn([one, further])
      yield { ...trial, story: storyWith([one]), further: { ...trial, story: storyWith(two) } }
    }
  }
}

type Fault = Extract<Step, { step: 'crash' | 'fail' }>

/** The faults, each at another request: one that would meet the request of an earlier fault meets the next request, such as a retry. */
function inTurn(faults: readonly Fault[]): Fault[] {
  const requests = new Set<number>()
  return faults.map((fault) => {
    let { request } = fault
    while (requests.has(request)) request++
    requests.add(request)
    return { ...fault, request }
  })
}

/** In the order in which they happen, so that two combinations of the same faults are the same story. */
function byRequest(faults: readonly Fault[]): Fault[] {
  return faults.toSorted((one, other) => one.request - other.request)
}

function isFault(step: Step): step is Fault {
  return step.step === 'fail' || (step.step === 'crash' && !step.staysDown)
}

/** Whether a trial must end as the undisturbed story does. */
function endsAs({ reference, expects }: Trial, settled: Story): boolean {
  return expects.type === 'same' && deepEqual(reference, settled)
}

function startsWith(story: Story, beginning: Story): boolean {
  return story.length > beginning.length && beginning.every((step, index) => deepEqual(step, story[index]))
}

/** Numbers below a limit that follow from the seed alone (the generator mulberry32). */
function numbersFrom(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }
}
