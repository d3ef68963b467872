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

/** What trials are made of: one object, what it needs, and what the operator did with it when nothing disturbed it. */
export interface Subject {
  readonly sample: PlainObject
  /** Created before the sample. */
  readonly needs: readonly PlainObject[]
  /** The outcome of {@link undisturbed}. */
  readonly outcome: Outcome
  /** Changed samples. */
  readonly mutations: readonly PlainObject[]
  /** Kinds that the operator watches. */
  readonly watched: readonly AnyKind[]
  /** The field managers of the operator. */
  readonly managers: ReadonlySet<string>
  /** Kinds that may stay when the sample is deleted. */
  readonly keeps: readonly string[]
  /** Whether some fields are meant to vary. */
  readonly hasVaryingFields: boolean
}

export const REST: Step = { step: 'rest' }
const STOP: Step = { step: 'stop' }
const START: Step = { step: 'start' }

/** The sample is created and comes to rest. */
export function undisturbed(sample: PlainObject, needs: readonly PlainObject[]): Story {
  return [...needs.map(create), create(sample), REST]
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

/** Each child is deleted, each field that the operator set is changed, and what others add stays. */
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

/** Each change of the spec gives what creating the object so gives, and changing it back as well. */
export function* historyTrials({ sample, needs, mutations }: Subject): Generator<Trial> {
  const before = needs.map(create)
  for (const mutation of mutations) {
    const change: Step = { step: 'change', object: mutation }
    const reference = undisturbed(mutation, needs)
    const trial = { class: 'history', reference, expects: { type: 'same' } } as const
    yield { ...trial, story: [...undisturbed(sample, needs), change, REST] }
    yield { ...trial, story: [...before, create(sample), change, REST] }
    yield { ...trial, class: 'downtime', story: [...undisturbed(sample, needs), STOP, change, START, REST] }
    yield {
      ...trial,
      reference: undisturbed(sample, needs),
      story: [...undisturbed(sample, needs), change, REST, { step: 'change', object: sample }, REST],
    }
  }
}

/** How many requests of a change are tried for a crash. */
const REQUESTS_OF_A_CHANGE = 6

/** A crash at each request while a change of the spec is worked on. */
export function* changeFaultTrials({ sample, needs, mutations }: Subject): Generator<Trial> {
  for (const mutation of mutations.slice(0, 3)) {
    for (let request = 1; request <= REQUESTS_OF_A_CHANGE; request++) {
      for (const moment of ['before', 'after'] as const) {
        yield {
          class: 'crash',
          story: [
            ...undisturbed(sample, needs),
            { step: 'crash', request, moment },
            { step: 'change', object: mutation },
            REST,
          ],
          reference: undisturbed(mutation, needs),
          expects: { type: 'same' },
        }
      }
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
    yield { ...left, story: [...before, STOP, { step: 'remove', object: child }, START, remove, REST] }
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

/** A second object comes, and goes: the first has what it has alone. */
export function* isolationTrials({ sample, needs }: Subject): Generator<Trial> {
  const reference = undisturbed(sample, needs)
  const trial = { class: 'not-isolated', reference, expects: { type: 'contains' } } as const
  for (const other of othersOf(sample)) {
    const isElsewhere = other.metadata.namespace !== sample.metadata.namespace
    const otherNeeds = isElsewhere ? needs.map((need) => inNamespace(need, other.metadata.namespace)) : []
    const both: Story = [...reference, ...otherNeeds.map(create), create(other), REST]
    yield { ...trial, story: both }
    yield { ...trial, story: [...both, { step: 'delete', object: referenceTo(other) }, REST] }
  }
}

/** Objects like the sample: under another name, and under its name in another namespace. */
function othersOf(sample: PlainObject): PlainObject[] {
  const { name, namespace } = sample.metadata
  const renamed = { ...sample, metadata: { ...sample.metadata, name: `${name}-2` } }
  return namespace === undefined ? [renamed] : [renamed, inNamespace(sample, 'another')]
}

function inNamespace(object: PlainObject, namespace: string | undefined): PlainObject {
  if (object.metadata.namespace === undefined || namespace === undefined) return object
  return { ...object, metadata: { ...object.metadata, namespace } }
}

/** An object that has a child’s name and belongs to another controller stays as it is. */
export function* occupiedNameTrials({ sample, needs, outcome }: Subject): Generator<Trial> {
  const owner: PlainObject = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'owner-of-another-controller', namespace: sample.metadata.namespace ?? 'default' },
  }
  for (const child of childrenOf(outcome, sample)) {
    const object = outcome.objects.find((one) => nameOf(one) === nameOf(child))
    if (object.metadata.generateName !== undefined || child.namespace !== owner.metadata.namespace) continue
    const { status: _, metadata, ...content } = object
    const occupied: PlainObject = {
      ...(content as PlainObject),
      metadata: { name: metadata.name, namespace: metadata.namespace },
    }
    const before: Story = [
      ...needs.map(create),
      create(owner),
      { step: 'create', object: withoutAssigned(occupied), controlledBy: referenceTo(owner) },
    ]
    yield {
      class: 'takes-over',
      story: [...before, create(sample), REST],
      reference: before,
      expects: { type: 'kept', object: child },
    }
  }
}

/** Pods become ready later than at once. */
export function* podTrials({ sample, needs, outcome }: Subject): Generator<Trial> {
  if (!outcome.written.some(({ kind }) => WORKLOADS.has(kind))) return
  const story = undisturbed(sample, needs)
  yield {
    class: 'late-pods',
    story: [{ step: 'pods', behaviour: 'late' }, ...story],
    reference: story,
    expects: { type: 'same' },
  }
}

/** What the sample needs comes late. */
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

/** The operator is down for an hour. */
export function* downtimeTrials({ sample, needs }: Subject): Generator<Trial> {
  const story = undisturbed(sample, needs)
  const hour: Step = { step: 'wait', duration: '1h' }
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
function childrenOf({ written, state }: Outcome, sample: PlainObject): ObjectReference[] {
  const own = nameOf(referenceTo(sample))
  return written
    .filter((one) => one.created && nameOf(one) !== own && state.has(nameOf(one)))
    .map(({ apiVersion, kind, namespace, name }) => ({ apiVersion, kind, namespace, name }))
}

function sentOf({ written }: Outcome, child: ObjectReference): unknown {
  return written.find((one) => nameOf(one) === nameOf(child))?.sent
}

interface NumberedRequest {
  /** Counted from 1, from the step on. */
  readonly request: number
  readonly isWrite: boolean
  readonly method: string
}

/** The requests that the operator sent from a step on; those that follow changes are counted, and left out. */
export function requestsFrom({ requests }: Outcome, step: number): NumberedRequest[] {
  return requests
    .filter((request) => request.step >= step)
    .map(({ method, isWatch }, index) => ({ request: index + 1, isWrite: method !== 'GET', method, isWatch }))
    .filter(({ isWatch }) => !isWatch)
}

function failuresOf(method: string, isWrite: boolean): readonly RequestFailure[] {
  if (!isWrite) return [500]
  return method === 'POST' ? [500, 'answer lost'] : [409, 500, 'answer lost']
}

/** Without what a server would assign again. */
function withoutAssigned(object: PlainObject): PlainObject {
  const { spec } = object as { spec?: Record<string, unknown> }
  if (object.kind !== 'Service' || !spec) return object
  const { clusterIP: _, clusterIPs: __, ...rest } = spec
  return { ...object, spec: rest }
}

/** The object with one entry of its data changed. */
function changedData(object: PlainObject): PlainObject[] {
  const data = object['data'] as Record<string, string> | undefined
  const [key] = Object.keys(data ?? {})
  if (key === undefined) return []
  const value = object.kind === 'Secret' ? 'Y2hhbmdlZA==' : 'changed'
  return [{ ...object, data: { ...data, [key]: value } }]
}
