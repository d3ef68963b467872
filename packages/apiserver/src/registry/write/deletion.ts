import { exactInteger, failure, timestamp, type ExactNumber, type Status } from '@homeostat/api'
import type { Stored } from '../../storage/index.ts'
import { causesOf, invalidValue, unsupportedValue } from '../../schema/field-error.ts'
import { copyJson, equalJson, integerOf } from '../../schema/json.ts'
import { Failure } from '../failure.ts'
import { nextGeneration } from './object-meta.ts'
import { keyIn, type Registry } from '../registry.ts'
import type { Resource } from '../resource.ts'
import { served } from '../served.ts'
import type { ServerObject } from '../server-object.ts'
import type { Target } from '../target.ts'

/** The body of a DELETE, in the API's own words. */
export interface DeleteOptions {
  /** A whole number of 64 bits. */
  readonly gracePeriodSeconds?: number | ExactNumber | undefined
  readonly propagationPolicy?: string | undefined
  readonly orphanDependents?: boolean | undefined
  readonly preconditions?: { uid?: string | undefined; resourceVersion?: string | undefined } | undefined
  readonly dryRun?: boolean | undefined
}

/** What a deletion leaves: the object as it was last, and whether it is gone already. */
export interface Deleted {
  readonly object: ServerObject
  readonly stored?: Stored | undefined
  readonly gone: boolean
}

/** Finalizers that tell the garbage collector what to do about dependents. */
const ORPHAN = 'orphan'
const FOREGROUND = 'foregroundDeletion'
const PROPAGATION = ['Foreground', 'Background', 'Orphan']

/**
 * Deletes an object: at once, or when its finalizers are done, or when whoever runs it has ended it. An object that
 * stays is marked with a deletionTimestamp. Asking again can only shorten the time that is left.
 */
export function deleteObject(registry: Registry, target: Target, options: DeleteOptions): Deleted {
  const { resource, name } = target
  const rules = registry.rules(resource)
  checkOptions(options)
  const key = keyIn(resource, target.namespace, name)
  const existing = registry.get(resource, key)
  if (!existing) throw new Failure(failure.notFound(resource, name))
  const current = served(existing, resource)
  checkPreconditions(resource, current, options, rules.plainDeletion ?? false)
  const object = copyJson(current)
  const grace = startGrace(registry, resource, object, options)
  if (grace === 'pending') return { object: current, stored: existing, gone: false }
  object.metadata.finalizers = finalizersFor(registry, resource, object, options)
  if (object.metadata.finalizers.length === 0) delete object.metadata.finalizers
  const held = object.metadata.finalizers !== undefined || rules.finished?.(object) === false
  if (held && grace === 'none') markDeleting(registry, object, rules.plainDeletion ?? false)
  rules.prepareDelete?.(object, registry.context(resource))
  const stays = held || (grace === 'graceful' && integerOf(object.metadata.deletionGracePeriodSeconds) > 0n)
  if (options.dryRun) return { object, gone: !stays }
  const changed = !equalJson(object, current)
  const marked =
    (stays || grace === 'graceful') && changed
      ? registry.put(resource, key, existing.revision, object)
      : existing
  if (stays) return { object: (marked?.value as ServerObject) ?? object, stored: marked, gone: false }
  const last = registry.remove(resource, key, marked?.revision ?? existing.revision)
  return { object: (last?.value as ServerObject) ?? object, stored: last, gone: true }
}

/** What a DELETE answers when it has nothing better: that it happened, to which object. */
export function deletedStatus(resource: Resource, object: ServerObject): Omit<Status, 'code'> {
  const { name, uid } = object.metadata
  const { group, plural } = resource
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, ...(group && { group }), kind: plural, uid },
  }
}

function checkOptions(options: DeleteOptions): void {
  const problems = []
  const { propagationPolicy } = options
  if (options.orphanDependents !== undefined && propagationPolicy !== undefined) {
    problems.push(
      invalidValue(
        'propagationPolicy',
        propagationPolicy,
        'orphanDependents and deletionPropagation cannot be both set',
      ),
    )
  }
  if (propagationPolicy !== undefined && !PROPAGATION.includes(propagationPolicy)) {
    problems.push(unsupportedValue('propagationPolicy', propagationPolicy, [...PROPAGATION, 'nil']))
  }
  if (problems.length > 0) {
    throw new Failure(
      failure.invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', causesOf(problems)),
    )
  }
}

function checkPreconditions(
  resource: Resource,
  object: ServerObject,
  options: DeleteOptions,
  plain: boolean,
): void {
  const { uid, resourceVersion } = options.preconditions ?? {}
  const { metadata } = object
  const refuse = (why: string): never => {
    throw new Failure(
      failure.conflict({ group: resource.group, plural: resource.kind }, metadata.name ?? '', why),
    )
  }
  if (uid !== undefined && uid !== metadata.uid) {
    if (plain) {
      const why = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`
      throw new Failure(failure.conflict(resource, metadata.name ?? '', why))
    }
    refuse(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    )
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    refuse(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    )
  }
}

/** Marks an object whose kind is ended by someone else, such as a Pod by its kubelet. */
function startGrace(
  registry: Registry,
  resource: Resource,
  object: ServerObject,
  options: DeleteOptions,
): 'none' | 'graceful' | 'pending' {
  const rules = registry.rules(resource)
  if (!rules.grace) return 'none'
  const meta = object.metadata
  const requested =
    options.gracePeriodSeconds === undefined ? undefined : integerOf(options.gracePeriodSeconds)
  const asked = requested !== undefined && requested < 0n ? 1n : requested
  const now = registry.clock.now()
  if (meta.deletionTimestamp) {
    const left = integerOf(meta.deletionGracePeriodSeconds)
    if (left === 0n) return 'none'
    if (asked === undefined || asked >= left) return 'pending'
    const due = Date.parse(meta.deletionTimestamp) - millisecondsOf(left) + millisecondsOf(asked)
    meta.deletionTimestamp = timestamp(Math.max(due, now))
    meta.deletionGracePeriodSeconds = stored(due < now && asked !== 0n ? 1n : asked)
    return 'graceful'
  }
  const seconds = rules.grace(object, asked)
  meta.deletionTimestamp = timestamp(now + millisecondsOf(seconds))
  meta.deletionGracePeriodSeconds = stored(seconds)
  if (meta.generation) meta.generation = nextGeneration(meta.generation)
  return 'graceful'
}

/** Seconds as a duration. As in Kubernetes it has 64 bits of nanoseconds, and what is too long wraps around. */
function millisecondsOf(seconds: bigint): number {
  return Number(BigInt.asIntN(64, seconds * 1_000_000_000n) / 1_000_000n)
}

/** A whole number as objects hold it; beyond 2^53 its type says more than is so. */
function stored(value: bigint): number {
  return exactInteger(value) as number
}

/** Marks an object that only its finalizers still hold. */
function markDeleting(registry: Registry, object: ServerObject, plain: boolean): void {
  const meta = object.metadata
  const now = registry.clock.now()
  if (!plain && !meta.deletionTimestamp && meta.generation) {
    meta.generation = nextGeneration(meta.generation)
  }
  if (!meta.deletionTimestamp || Date.parse(meta.deletionTimestamp) > now)
    meta.deletionTimestamp = timestamp(now)
  if (!plain) meta.deletionGracePeriodSeconds = 0
}

/** The object's finalizers, with what the garbage collector is to do about dependents among them. */
function finalizersFor(
  registry: Registry,
  resource: Resource,
  object: ServerObject,
  options: DeleteOptions,
): string[] {
  const rules = registry.rules(resource)
  const present = object.metadata.finalizers ?? []
  const others = present.filter((one) => one !== ORPHAN && one !== FOREGROUND)
  const own = rules.deletionFinalizer
  if (own && !object.metadata.deletionTimestamp && !others.includes(own)) others.push(own)
  if (rules.propagation === 'Unsupported') return others
  switch (propagationOf(options)) {
    case 'Orphan':
      return [...others, ORPHAN]
    case 'Foreground':
      return [...others, FOREGROUND]
    case 'Background':
      return others
    default:
      if (present.includes(ORPHAN) || present.includes(FOREGROUND)) return present
      return rules.propagation === 'Orphan' ? [...others, ORPHAN] : others
  }
}

function propagationOf(options: DeleteOptions): string | undefined {
  if (options.orphanDependents === undefined) return options.propagationPolicy
  return options.orphanDependents ? 'Orphan' : 'Background'
}
