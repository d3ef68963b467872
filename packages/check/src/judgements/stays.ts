import { nameOf } from '../stories/index.ts'
import { compare, lineOf, varyingPlaces, type Outcome } from '../world/index.ts'
import { differenceOf } from './differences.ts'
import type { Expectation } from './expectation.ts'
import { says } from './fact.ts'
import type { Finding } from './finding.ts'
import type { Expected, Trial } from './trial.ts'

/** The changes by a fault in a state that was at rest, including values that were chosen at random. */
export function judgeSteady(
  trial: Trial,
  outcome: Outcome,
  { outcome: reference }: Expected,
): Finding | undefined {
  if (!outcome.noted || !reference.noted) return undefined
  const changing = varyingPlaces(reference.noted, reference.state)
  const differences = compare(outcome.noted, outcome.state, changing)
  return differences.length > 0 ? differenceOf(trial, outcome, differences) : undefined
}

/** An object that lost the finalizer of another controller. */
export function judgeHeld(
  trial: Trial,
  { objects, requests }: Outcome,
  { object, finalizer }: Extract<Expectation, { type: 'held' }>,
): Finding | undefined {
  const found = objects.find((one) => nameOf(one) === nameOf(object))
  const finalizers: readonly string[] = found?.metadata.finalizers ?? []
  const isSet = trial.story.some((step) => step.step === 'edit' && step.path[1] === 'finalizers')
  if (!isSet || finalizers.includes(finalizer)) return undefined
  const request = requests.findLast(
    ({ method, path }) => method !== 'GET' && path.endsWith(`/${object.name}`),
  )
  return {
    class: trial.class,
    ...says({ fact: 'finalizer removed', object: nameOf(object), finalizer }),
    story: trial.story,
    differences: [],
    line: request && lineOf(request),
    root: `${trial.class} finalizers`,
  }
}
