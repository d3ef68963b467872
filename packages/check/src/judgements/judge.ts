import { nameOf, type ObjectReference, type Story } from '../stories/index.ts'
import {
  compare,
  EXTERNAL,
  lineOf,
  placeOf,
  type Difference,
  type MachineUse,
  type Outcome,
} from '../world/index.ts'
import { judgeExternal, judgeInvariants } from './declared.ts'
import { judgeGrowth } from './growth.ts'
import type { Expectation } from './expectation.ts'
import type { FindingClass } from './finding-class.ts'
import type { Finding } from './finding.ts'
import type { Expected, Trial } from './trial.ts'

/** Failures of a run that are findings whatever the story. */
const FAILURES: ReadonlyMap<string, FindingClass> = new Map([
  ['RECONCILE_LOOP', 'endless-loop'],
  ['ENDLESS_REQUESTS', 'endless-loop'],
  ['CLOCK_STUCK', 'never-ends'],
  ['RIGHT_NOT_DECLARED', 'right-not-declared'],
  ['CALLBACK_FAILED', 'callback-throws'],
])

/** Whether a run says anything: its steps were accepted, and its faults came about. */
export function isMeaningful(story: Story, { refusal, faults }: Outcome): boolean {
  const planned = story.filter(({ step }) => step === 'crash' || step === 'fail' || step === 'slow').length
  return !refusal && faults >= planned
}

/** The faults of a run without a reference. */
export function judgeAlone(story: Story, outcome: Outcome): Finding | undefined {
  const { failure, reports, changedByRestart } = outcome
  if (failure) return failureOf(story, outcome)
  const violation = judgeInvariants(story, outcome)
  if (violation) return violation
  const last = reports.at(-1)
  if (last?.error !== undefined && (last.result === 'error' || last.result === 'terminal')) {
    const message = last.error instanceof Error ? last.error.message : JSON.stringify(last.error)
    return {
      class: 'always-fails',
      summary: `the controller ${last.controller} fails at ${last.request.name}: ${message}`,
      story,
      differences: [],
      root: `always-fails ${last.controller} ${message}`,
    }
  }
  const [changed] = changedByRestart
  if (!changed) return undefined
  const request = outcome.requests.findLast(
    ({ path, method }) => method !== 'GET' && path.includes(changed.name),
  )
  return {
    class: 'writes-at-rest',
    summary: `a new process changes the ${nameOf(changed)} although nothing has happened`,
    story: [...story, { step: 'stop' }, { step: 'start' }],
    differences: [],
    line: request && lineOf(request),
    root: `writes-at-rest ${changed.kind}`,
  }
}

/** Errors of JavaScript itself, which no fault excuses: an operator that refuses a value throws another one. */
export function judgeMistake(story: Story, { reports }: Outcome): Finding | undefined {
  const failed = reports.find(({ error }) => error instanceof TypeError || error instanceof ReferenceError)
  if (!(failed?.error instanceof Error)) return undefined
  const { message, stack = '' } = failed.error
  return {
    class: 'always-fails',
    summary: `the controller ${failed.controller} throws at ${failed.request.name}: ${failed.error.name}: ${message}`,
    story,
    differences: [],
    line: stack
      .split('\n')
      .slice(1)
      .map(placeOf)
      .find((place) => place !== undefined),
    root: `always-fails ${failed.controller} ${message}`,
  }
}

/** The faults of a run, compared with the run of its reference. */
export function judge(trial: Trial, outcome: Outcome, expected: Expected): Finding | undefined {
  if (outcome.failure)
    return isOfOwnerPlugin(trial.story, outcome) ? undefined : failureOf(trial.story, outcome)
  const violation = judgeInvariants(trial.story, outcome)
  if (violation) return violation
  const { expects } = trial
  const restless = restlessWrites(trial.story, outcome, expected.outcome)
  if (restless) return restless
  if (expects.type === 'bounded') return judgeGrowth(trial, outcome, expected.outcome)
  if (expects.type === 'gone') return judgeExternal(trial, outcome) ?? judgeDeletion(trial, outcome, expects)
  if (expects.type === 'not ahead' && !saysCurrent(outcome, expects.object)) return undefined
  const deleted = expects.type === 'spared' && judgeDeletions(trial, outcome, expected, expects.objects)
  if (deleted) return deleted
  if (expects.type === 'not ready') return judgeReadiness(trial, outcome, expects.object)
  const all = compare(expected.outcome.state, outcome.state, expected.varying)
  const counts = (object: string): boolean => {
    // A second object has its own part of an external system.
    if (object.startsWith(EXTERNAL)) return expects.type === 'same'
    if (expects.type === 'kept') return object === nameOf(expects.object)
    // How far it has come is the status's own matter: what it claims must be done.
    if (expects.type === 'not ahead') return object !== nameOf(expects.object)
    return expects.type !== 'contains' || expected.outcome.state.has(object)
  }
  const differences = all.filter(({ object }) => counts(object))
  if (expects.type === 'healed or told') {
    const isTold = differences.some(({ object }) => object === nameOf(expects.object))
    if (isTold || outcome.reports.at(-1)?.error !== undefined) return undefined
  }
  return differences.length > 0 ? differenceOf(trial, outcome, differences) : undefined
}

/** What the last process of a story deleted although it should stay. */
function judgeDeletions(
  trial: Trial,
  { requests }: Outcome,
  { outcome: { objects } }: Expected,
  spared: readonly string[],
): Finding | undefined {
  const started = trial.story.findLastIndex(({ step }) => step === 'start')
  for (const request of requests) {
    const { step, method, path, code = 0 } = request
    if (method !== 'DELETE' || code >= 300 || step < started) continue
    const found = objects.find((one) => spared.includes(nameOf(one)) && isPathOf(path, one))
    if (!found) continue
    const name = nameOf(found)
    return {
      class: trial.class,
      summary: `the operator deletes the ${name}, which should stay`,
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

/** Whether the status of an object says that its last change was acted on. */
function saysCurrent({ objects }: Outcome, object: ObjectReference): boolean {
  const found = objects.find((one) => nameOf(one) === nameOf(object))
  const { observedGeneration } = found?.status ?? {}
  return observedGeneration !== undefined && observedGeneration === found?.metadata.generation
}

/** Uses of the machine's clock, timers, chance or network, in the operator's own code. */
export function judgeMachineUse(story: Story, [use]: readonly MachineUse[]): Finding | undefined {
  if (!use) return undefined
  return {
    class: 'machine-clock',
    summary: `the operator calls ${use.what} of the machine`,
    story,
    differences: [],
    line: use.line,
    root: `machine-clock ${use.what}`,
  }
}

/** Conditions and phases by which an object says that it is ready. */
const READY_CONDITIONS: ReadonlySet<string> = new Set(['Ready', 'Available'])
const READY_PHASES: ReadonlySet<string> = new Set(['Ready', 'Running', 'Available'])

/** A status that says ready although none of the Pods ever was. */
function judgeReadiness(trial: Trial, { objects }: Outcome, object: ObjectReference): Finding | undefined {
  const { status } = objects.find((one) => nameOf(one) === nameOf(object)) ?? {}
  const condition = (status?.conditions ?? []).find(
    (one: any) => READY_CONDITIONS.has(one.type) && one.status === 'True',
  )
  if (!condition && !READY_PHASES.has(status?.phase)) return undefined
  const what = condition ? `the condition ${condition.type}` : `the phase ${status.phase}`
  return {
    class: trial.class,
    summary: `the ${nameOf(object)} has ${what} although none of its Pods is ready`,
    story: trial.story,
    differences: [],
    root: `${trial.class} ${object.kind} ready`,
  }
}

/**
 * An object that is written this often while the operator should come to rest, and does not change because time
 * passes.
 */
const MANY_WRITES = 20

/** Two reconciles that undo what the other wrote: the runtime slows them down, but they never end. */
function restlessWrites(story: Story, outcome: Outcome, reference: Outcome): Finding | undefined {
  const usual = Math.max(0, ...writesPerRest(reference).values())
  for (const [key, count] of writesPerRest(outcome)) {
    if (count <= Math.max(MANY_WRITES, 3 * usual)) continue
    const path = key.slice(key.indexOf(' ') + 1)
    const request = outcome.requests.findLast((one) => one.path === path && one.method !== 'GET')
    return {
      class: 'endless-loop',
      summary: `${path} is written ${count} times in ten minutes`,
      story,
      differences: [],
      line: request && lineOf(request),
      root: 'endless-loop ',
    }
  }
  return undefined
}

/** How often each object was written in each step. */
function writesPerRest({ requests }: Outcome): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { step, method, path, code = 0 } of requests) {
    if (method === 'GET' || code >= 300) continue
    const key = `${step} ${path}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
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
      summary: `the ${name} is deleted, and is still there`,
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
    summary: `the ${name} is gone, and the operator’s ${left.map((one) => nameOf(one)).join(', ')} is still there`,
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

function differenceOf(trial: Trial, outcome: Outcome, differences: readonly Difference[]): Finding {
  const [first] = differences
  const what = first!.path === '' ? `the ${first!.object}` : `${first!.path} of the ${first!.object}`
  const how =
    first!.found === undefined
      ? 'is missing'
      : first!.expected === undefined
        ? 'is there, and should not be'
        : `is ${short(first!.found)} instead of ${short(first!.expected)}`
  return {
    class: differences[0]?.object.startsWith(EXTERNAL) ? 'external' : trial.class,
    summary: `${what} ${how}`,
    story: trial.story,
    reference: trial.reference,
    differences,
    line: lineOfFault(trial.story, outcome),
    root: rootOf(trial, differences),
  }
}

function failureOf(story: Story, { failure }: Outcome): Finding {
  const { code, message } = failure!
  const [summary = '', ...details] = message.split('\n')
  const found = FAILURES.get(code) ?? 'check-failed'
  return {
    class: found,
    summary,
    story,
    differences: [],
    details: details.length > 0 ? details.join('\n') : undefined,
    root: `${found} ${found === 'endless-loop' || found === 'never-ends' ? '' : summary}`,
  }
}

/** Classes whose findings have one root where the same kind of object is wrong. */
const SAME_ROOT: Readonly<Partial<Record<FindingClass, string>>> = {
  crash: 'fault',
  'failed-request': 'fault',
  combination: 'fault',
  interleaving: 'fault',
  'stale-cache': 'stale',
  history: 'change',
  downtime: 'change',
  'not-healed': 'change',
}

/** A text that findings with the same root share: the kind of object that is wrong, and for faults the field. */
function rootOf({ class: found, story }: Trial, differences: readonly Difference[]): string {
  const places = differences.map(({ object, path, expected, found: is }) => {
    const how = expected === undefined ? 'extra' : is === undefined ? 'missing' : 'other'
    return { kind: object.split(' ')[0]!, field: `${path.replaceAll(/\[[^\]]*\]/g, '[]')} ${how}` }
  })
  const isDisturbed = story.some(({ step }) => step === 'remove' || step === 'edit')
  const isChanged = story.some(({ step }) => step === 'change')
  const isEither = found === 'stale-cache' || found === 'combination'
  const isOfChange = (isEither && isDisturbed) || (isChanged && SAME_ROOT[found] === 'fault')
  const root = isOfChange ? 'change' : (SAME_ROOT[found] ?? found)
  const [first] = places.toSorted((a, b) => (a.kind + a.field < b.kind + b.field ? -1 : 1))
  return root === 'fault' ? `${root} ${first!.kind} ${first!.field}` : `${root} ${first!.kind}`
}

/** Where the request was sent at which the story's fault struck. */
function lineOfFault(story: Story, { requests }: Outcome): string | undefined {
  const index = story.findIndex(({ step }) => step === 'crash' || step === 'fail')
  const fault = story[index]
  if (fault?.step !== 'crash' && fault?.step !== 'fail') return undefined
  const struck = requests.filter(({ step }) => step >= index)[fault.request - 1]
  return struck && lineOf(struck)
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent'
  return text.length > 80 ? `${text.slice(0, 77)}…` : text
}
