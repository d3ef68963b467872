import { nameOf, type Story } from '../stories/index.ts'
import { compare, EXTERNAL, lineOf, withStableNames, type Outcome } from '../world/index.ts'
import { endlessReconcile } from './alone.ts'
import { judgeExternal, judgeInvariants } from './declared.ts'
import { isDefaulted } from './defaulted.ts'
import { differenceOf } from './differences.ts'
import type { Expectation } from './expectation.ts'
import { says } from './fact.ts'
import { failureOf, restlessWrites } from './failures.ts'
import type { Finding } from './finding.ts'
import { judgeGrowth } from './growth.ts'
import { judgeHeld, judgeSteady } from './stays.ts'
import type { Expected, Trial } from './trial.ts'
import { judgeReadiness, saysCurrent } from './truth.ts'

/** Whether a run is conclusive: its steps were accepted, and its faults happened. */
export function isMeaningful(story: Story, { refusal, faults }: Outcome): boolean {
  const planned = story.filter(({ step }) => step === 'crash' || step === 'fail' || step === 'slow').length
  return !refusal && faults >= planned
}

/** The faults of a run, compared with the run of its reference. */
export function judge(trial: Trial, outcome: Outcome, expected: Expected): Finding | undefined {
  if (outcome.failure)
    return isOfOwnerPlugin(trial.story, outcome) ? undefined : failureOf(trial.story, outcome)
  const violation = judgeInvariants(trial.story, outcome)
  if (violation) return violation
  const { expects } = trial
  if (expects.type === 'allowed') return undefined
  if (expects.type === 'ends') return endlessReconcile(trial.story, outcome)
  const restless = restlessWrites(trial.story, outcome, expected.outcome)
  if (restless) return restless
  if (expects.type === 'bounded') return judgeGrowth(trial, outcome, expected.outcome)
  if (expects.type === 'gone') return judgeExternal(trial, outcome) ?? judgeDeletion(trial, outcome, expects)
  if (expects.type === 'not ahead' && !saysCurrent(outcome, expects.object)) return undefined
  const deleted = judgeDeletions(trial, outcome, expected, sparedObjects(expects, expected))
  if (deleted) return deleted
  if (expects.type === 'not ready') return judgeReadiness(trial, outcome, expects)
  if (expects.type === 'steady') return judgeSteady(trial, outcome, expected)
  if (expects.type === 'held') return judgeHeld(trial, outcome, expects)
  const state = withStableNames(outcome.state, expected.names, expected.outcome.state)
  const all = compare(expected.outcome.state, state, expected.varying)
  const counts = (object: string): boolean => {
    // A second object has its own part of an external system.
    if (object.startsWith(EXTERNAL)) return expects.type === 'same'
    if (expects.type === 'kept') return object === nameOf(expects.object)
    // The status may report any progress, but what it claims to be done must be done.
    if (expects.type === 'not ahead') return object !== nameOf(expects.object)
    return expects.type !== 'contains' || expected.outcome.state.has(object)
  }
  const differences = all.filter(
    (one) => counts(one.object) && !isDefaulted(one, [expected.outcome, outcome]),
  )
  const teller =
    expects.type === 'healed or told'
      ? expects.object
      : expects.type === 'contains'
        ? expects.toldBy
        : undefined
  if (teller) {
    const isTold = differences.some(({ object }) => object === nameOf(teller))
    if (isTold || outcome.reports.at(-1)?.error !== undefined) return undefined
  }
  return differences.length > 0 ? differenceOf(trial, outcome, differences) : undefined
}

function sparedObjects(expects: Expectation, { outcome }: Expected): readonly string[] {
  if (expects.type === 'spared') return expects.objects
  return expects.type === 'contains' && expects.isSpared ? outcome.objects.map((one) => nameOf(one)) : []
}

/** The objects that the last process of a story deleted although they should stay. */
function judgeDeletions(
  trial: Trial,
  { requests }: Outcome,
  { outcome: { objects } }: Expected,
  spared: readonly string[],
): Finding | undefined {
  if (spared.length === 0) return undefined
  const started = trial.story.findLastIndex(({ step }) => step === 'start')
  for (const request of requests) {
    const { step, method, path, code = 0 } = request
    if (method !== 'DELETE' || code >= 300 || step < started) continue
    const found = objects.find((one) => spared.includes(nameOf(one)) && isPathOf(path, one))
    if (!found) continue
    const name = nameOf(found)
    return {
      class: trial.class,
      ...says({ fact: 'deletes', object: name }),
      story: trial.story,
      reference: trial.reference,
      differences: [],
      line: lineOf(request),
      root: `${trial.class} deletes ${found.kind}`,
    }
  }
  return undefined
}

function isPathOf(path: string, { kind, metadata }: any): boolean {
  const place = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`
  return path.includes(`${place}/${kind.toLowerCase()}`) && path.endsWith(`/${metadata.name}`)
}

/**
 * To set owner references again, an operator needs the right to delete the object, on clusters with an admission plugin that few
 * have. That is not a finding.
 */
function isOfOwnerPlugin(story: Story, { failure }: Outcome): boolean {
  if (failure?.code !== 'RIGHT_NOT_DECLARED') return false
  return story.some((step) => step.step === 'edit' && step.path[1] === 'ownerReferences')
}

function judgeDeletion(
  trial: Trial,
  { state, written, requests }: Outcome,
  { object, keeps }: Extract<Expectation, { type: 'gone' }>,
): Finding | undefined {
  const name = nameOf(object)
  if (state.has(name)) {
    return {
      class: 'deletion-stuck',
      ...says({ fact: 'not deleted', object: name }),
      story: trial.story,
      differences: [{ object: name, path: '', expected: undefined, found: state.get(name) }],
      root: `deletion-stuck ${object.kind}`,
    }
  }
  const left = written.filter(
    (one) => one.created && !keeps.includes(one.kind) && state.has(nameOf(one)) && nameOf(one) !== name,
  )
  const [first] = left
  if (!first) return undefined
  const request = requests.find(({ code, method }) => code === 201 && method !== 'GET')
  return {
    class: 'left-behind',
    ...says({ fact: 'left behind', object: name, left: left.map((one) => nameOf(one)) }),
    story: trial.story,
    differences: left.map((one) => ({
      object: nameOf(one),
      path: '',
      expected: undefined,
      found: state.get(nameOf(one)),
    })),
    line: request && lineOf(request),
    root: `left-behind ${[...new Set(left.map(({ kind }) => kind))].toSorted().join(' ')}`,
  }
}
