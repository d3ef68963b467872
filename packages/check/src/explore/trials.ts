import type { AnyKind } from '@homeostat/api'
import type { Trial } from '../judgements/index.ts'
import {
  nameOf,
  referenceTo,
  type ObjectReference,
  type PlainObject,
  type RequestFailure,
  type Step,
  type Story,
} from '../stories/index.ts'
import type { Outcome } from '../world/index.ts'
import { ownedFields } from './owned-fields.ts'

/** The material of trials: one object, the objects that it needs, and the undisturbed run of the operator with it. */
export interface Subject {
  readonly sample: PlainObject
  /** Created before the sample. */
  readonly needs: readonly PlainObject[]
  /** The outcome of {@link undisturbed}. */
  readonly outcome: Outcome
  /** Changed samples. */
  readonly mutations: readonly PlainObject[]
  /** Some of them that the server accepts, with what the operator did when the sample was changed to them. */
  readonly changes: readonly PlayedChange[]
  /** The outcome of {@link restarted}. */
  readonly restarted: Outcome
  /** Kinds that the operator watches. */
  readonly watched: readonly AnyKind[]
  /** The field managers of the operator. */
  readonly managers: ReadonlySet<string>
  /** Kinds that may stay when the sample is deleted. */
  readonly keeps: readonly string[]
  /** Whether some fields are meant to vary. */
  readonly hasVaryingFields: boolean
}

/** A change of the sample, and the outcome of {@link changed}. */
export interface PlayedChange {
  readonly object: PlainObject
  readonly outcome: Outcome
}

export const REST: Step = { step: 'rest' }
/** A second: enough for all work that needs no time to pass. */
export const SECOND: Step = { step: 'wait', duration: '1s' }
export const STOP: Step = { step: 'stop' }
export const START: Step = { step: 'start' }

/** The sample is created and comes to rest. */
export function undisturbed(sample: PlainObject, needs: readonly PlainObject[]): Story {
  return [...needs.map(create), create(sample), REST]
}

/** The sample is changed after it came to rest. */
export function changed(sample: PlainObject, needs: readonly PlainObject[], to: PlainObject): Story {
  return [...undisturbed(sample, needs), { step: 'change', object: to }, REST]
}

/** A new process starts after the sample came to rest. */
export function restarted(sample: PlainObject, needs: readonly PlainObject[]): Story {
  return [...undisturbed(sample, needs), STOP, START, REST]
}

/** The sample is deleted after it came to rest. */
export function deletion(sample: PlainObject, needs: readonly PlainObject[]): Story {
  return [...undisturbed(sample, needs), { step: 'delete', object: referenceTo(sample) }, REST]
}

/** Each request × each fault, while the sample is created. */
export function* faultTrials({ sample, needs, outcome }: Subject): Generator<Trial> {
  const before = needs.map(create)
  const story = undisturbed(sample, needs)
  const first = needs.length
  for (const { request, isWrite, method } of requestsFrom(outcome, first)) {
    const after: Story = [create(sample), REST]
    for (const moment of isWrite ? (['before', 'after'] as const) : (['before'] as const)) {
      const crash: Step = { step: 'crash', request, moment }
      yield {
        class: 'crash',
        story: [...before, crash, ...after],
        reference: story,
        expects: { type: 'same' },
      }
    }
    for (const failure of failuresOf(method, isWrite)) {
      const fail: Step = { step: 'fail', request, failure }
      yield {
        class: 'failed-request',
        story: [...before, fail, ...after],
        reference: story,
        expects: { type: 'same' },
      }
    }
  }
}

/** Each kind whose events come late. */
export function* staleTrials({ sample, needs, watched, outcome }: Subject): Generator<Trial> {
  const story = undisturbed(sample, needs)
  const before = needs.map(create)
  for (const { kind } of watched) {
    const hold: Step = { step: 'hold', kind }
    const release: Step = { step: 'release', kind }
    const wait: Step = { step: 'wait', duration: '2m' }
    const same = { class: 'stale-cache', reference: story, expects: { type: 'same' } } as const
    yield { ...same, story: [...before, hold, create(sample), wait, release, REST] }
    for (const { request, isWrite } of requestsFrom(outcome, needs.length)) {
      if (!isWrite) continue
      const crash: Step = { step: 'crash', request, moment: 'after' }
      yield {
        ...same,
        story: [...before, { step: 'stale', kind }, hold, crash, create(sample), wait, release, REST],
      }
    }
    for (const child of childrenOf(outcome, sample)) {
      const remove: Step = { step: 'remove', object: child }
      yield { ...same, story: [...story, hold, remove, wait, release, REST] }
    }
  }
}

/** Each child is deleted, each field that the operator set is changed, and fields that others add must stay. */
export function* disturbanceTrials({ sample, needs, outcome, managers }: Subject): Generator<Trial> {
  const story = undisturbed(sample, needs)
  const healed = { class: 'not-healed', reference: story, expects: { type: 'same' } } as const
  for (const child of childrenOf(outcome, sample)) {
    const remove: Step = { step: 'remove', object: child }
    yield { ...healed, story: [...story, remove, REST] }
    yield { ...healed, class: 'downtime', story: [...story, STOP, remove, START, REST] }
    yield { ...healed, story: [...story, remove, REST, remove, REST, remove, REST] }
    const object = outcome.objects.find((one) => nameOf(one) === nameOf(child))
    for (const { path, other } of ownedFields(object, managers, sentOf(outcome, child))) {
      yield { ...healed, story: [...story, { step: 'edit', object: child, path, value: other }, REST] }
    }
    if (object.metadata.ownerReferences) {
      const edit: Step = { step: 'edit', object: child, path: ['metadata', 'ownerReferences'] }
      yield {
        ...healed,
        story: [...story, edit, REST],
        expects: { type: 'healed or told', object: referenceTo(sample) },
      }
    }
    for (const place of ['labels', 'annotations']) {
      const path = ['metadata', place, 'example.com/added-by-another-client']
      const edit: Step = { step: 'edit', object: child, path, value: 'yes' }
      yield {
        class: 'foreign-field-lost',
        story: [...story, edit, STOP, START, REST],
        reference: [...story, STOP, edit],
        expects: { type: 'kept', object: child },
      }
    }
  }
}

/** How many changes of the spec are also made before the sample is at rest. */
const CHANGES_IN_ALL_WAYS = 6

/**
 * Each change of the spec must lead to the same state as creating the object in that form. So must changing it
 * back.
 */
export function* historyTrials({ sample, needs, mutations }: Subject): Generator<Trial> {
  const before = needs.map(create)
  for (const [place, mutation] of mutations.entries()) {
    const change: Step = { step: 'change', object: mutation }
    const reference = undisturbed(mutation, needs)
    const trial = { class: 'history', reference, expects: { type: 'same' } } as const
    yield { ...trial, story: [...undisturbed(sample, needs), change, REST] }
    if (place < CHANGES_IN_ALL_WAYS) yield { ...trial, story: [...before, create(sample), change, REST] }
    yield { ...trial, class: 'downtime', story: [...undisturbed(sample, needs), STOP, change, START, REST] }
    yield {
      ...trial,
      reference: undisturbed(sample, needs),
      story: [...undisturbed(sample, needs), change, REST, { step: 'change', object: sample }, REST],
    }
  }
}

/** The sample is deleted at each moment, with each fault. `outcome` is that of {@link deletion}. */
export function* deletionTrials(subject: Subject, outcome: Outcome): Generator<Trial> {
  const { sample, needs, keeps } = subject
  const object = referenceTo(sample)
  const before = undisturbed(sample, needs)
  const remove: Step = { step: 'delete', object }
  const trial = { reference: [], expects: { type: 'gone', object, keeps } } as const
  const left = { ...trial, class: 'left-behind' } as const
  yield { ...left, story: deletion(sample, needs) }
  yield { ...left, story: [...before.slice(0, -1), remove, REST] }
  yield { ...left, class: 'downtime', story: [...before, STOP, remove, START, REST] }
  for (const { request, isWrite, method } of requestsFrom(outcome, before.length)) {
    for (const moment of isWrite ? (['before', 'after'] as const) : (['before'] as const)) {
      yield { ...left, story: [...before, { step: 'crash', request, moment }, remove, REST] }
    }
    for (const failure of failuresOf(method, isWrite)) {
      yield { ...left, story: [...before, { step: 'fail', request, failure }, remove, REST] }
    }
  }
  for (const child of childrenOf(subject.outcome, sample)) {
    yield { ...left, story: [...before, STOP, { step: 'remove', object: child }, remove, START, REST] }
  }
  for (const need of needs) {
    const removeNeed: Step = { step: 'delete', object: referenceTo(need) }
    yield { ...left, story: [...before, removeNeed, remove, REST] }
  }
  const again: Story = [...before, remove, create(sample), REST]
  yield { class: 'recreation', story: again, reference: before, expects: { type: 'same' } }
  yield {
    class: 'recreation',
    story: [...before, remove, REST, create(sample), REST],
    reference: before,
    expects: { type: 'same' },
  }
  yield {
    class: 'recreation',
    story: [...before, STOP, remove, create(sample), START, REST],
    reference: before,
    expects: { type: 'same' },
  }
}

/** Pods become ready late. */
export function* podTrials({ sample, needs, outcome }: Subject): Generator<Trial> {
  if (!outcome.written.some(({ kind }) => WORKLOADS.has(kind))) return
  const story = undisturbed(sample, needs)
  yield {
    class: 'late-pods',
    story: [{ step: 'pods', behaviour: 'late' }, ...story],
    reference: story,
    expects: { type: 'same' },
  }
  // A reconcile that waits for them inside blocks its worker for ever.
  yield {
    class: 'never-ends',
    story: [{ step: 'pods', behaviour: 'never' }, ...story, { step: 'stop' }],
    reference: story,
    expects: { type: 'ends' },
  }
}

/** The objects that the sample needs are created late. */
export function* referenceTrials({ sample, needs }: Subject): Generator<Trial> {
  if (needs.length === 0) return
  const reference = undisturbed(sample, needs)
  const trial = { class: 'reference', reference, expects: { type: 'same' } } as const
  for (const late of needs) {
    const early = needs.filter((need) => need !== late).map(create)
    yield { ...trial, story: [...early, create(sample), REST, create(late), REST] }
    const remove: Step = { step: 'delete', object: referenceTo(late) }
    yield { ...trial, story: [...reference, remove, REST, create(late), REST] }
    for (const changed of changedData(late)) {
      yield {
        ...trial,
        reference: undisturbed(
          sample,
          needs.map((need) => (need === late ? changed : need)),
        ),
        story: [...reference, { step: 'change', object: changed }, REST],
      }
    }
  }
}

/**
 * The operator is down for an hour, after all work is done and right after the sample was created, so that work
 * which falls due meanwhile is late.
 */
export function* downtimeTrials({ sample, needs }: Subject): Generator<Trial> {
  const story = undisturbed(sample, needs)
  const hour: Step = { step: 'wait', duration: '1h' }
  const begun: Story = [...needs.map(create), create(sample), SECOND]
  yield {
    class: 'downtime',
    story: [...begun, STOP, hour, START, REST],
    reference: [...begun, hour, REST],
    expects: { type: 'same' },
  }
  yield {
    class: 'downtime',
    story: [...story, STOP, hour, START, REST],
    reference: [...story, hour, REST],
    expects: { type: 'same' },
  }
  yield {
    class: 'downtime',
    story: [STOP, ...needs.map(create), create(sample), START, REST],
    reference: story,
    expects: { type: 'same' },
  }
}

const WORKLOADS = new Set(['Deployment', 'StatefulSet', 'ReplicaSet', 'Job', 'Pod'])

export function create(object: PlainObject): Step {
  return { step: 'create', object }
}

/** The objects that the operator created. */
export function childrenOf({ written, state }: Outcome, sample: PlainObject): ObjectReference[] {
  const own = nameOf(referenceTo(sample))
  return written
    .filter((one) => one.created && nameOf(one) !== own && state.has(nameOf(one)))
    .map(({ apiVersion, kind, namespace, name }) => ({ apiVersion, kind, namespace, name }))
}

export function sentOf({ written }: Outcome, child: ObjectReference): unknown {
  return written.find((one) => nameOf(one) === nameOf(child))?.sent
}

interface NumberedRequest {
  /** Counted from 1, from the step on. */
  readonly request: number
  readonly isWrite: boolean
  /** Whether a reconcile sent it, and not the cache. */
  readonly isOfReconcile: boolean
  readonly method: string
  readonly path: string
}

/** The requests that the operator sent from a step on; those that follow changes are counted, and left out. */
export function requestsFrom({ requests }: Outcome, step: number): NumberedRequest[] {
  return requests
    .filter((request) => request.step >= step)
    .map(({ method, path, reconcile, isWatch }, index) => ({
      request: index + 1,
      isWrite: method !== 'GET',
      isOfReconcile: reconcile !== undefined,
      method,
      path,
      isWatch,
    }))
    .filter(({ isWatch }) => !isWatch)
}

export function failuresOf(method: string, isWrite: boolean): readonly RequestFailure[] {
  if (!isWrite) return [500]
  return method === 'POST' ? [500, 'answer lost'] : [409, 500, 'answer lost']
}

/** The object with one entry of its data changed. */
function changedData(object: PlainObject): PlainObject[] {
  const data = object['data'] as Record<string, string> | undefined
  const [key] = Object.keys(data ?? {})
  if (key === undefined) return []
  const value = object.kind === 'Secret' ? 'Y2hhbmdlZA==' : 'changed'
  return [{ ...object, data: { ...data, [key]: value } }]
}
