import { failure, timestamp, type ExactNumber, type Status } from '@homeostat/api'
import type { Stored } from '../../storage/index.ts'
import {
  causesOf,
  copyJson,
  equalJson,
  integerOf,
  invalidValue,
  unsupportedValue,
} from '../../schema/index.ts'
import type { Proposal } from '../request/admission.ts'
import { Failure } from '../resource/failure.ts'
import type { KindStrategy } from '../resource/kind-strategy.ts'
import { needsWebhook } from '../stored/needs-webhook.ts'
import { inRequestedVersion } from './requested-version.ts'
import { nextGeneration, writtenInteger } from './written-metadata.ts'
import { keyIn, type Registry } from '../state/registry.ts'
import type { Resource } from '../resource/resource.ts'
import { served } from '../stored/served.ts'
import { type ServerObject, storedObject } from '../resource/server-object.ts'
import type { Target } from '../request/target.ts'
import type { Attempt } from './write.ts'
import type { Written } from './written.ts'

/** The body of a DELETE: the API's DeleteOptions. */
export interface DeleteOptions {
  /** A whole number of 64 bits. */
  readonly gracePeriodSeconds?: number | ExactNumber | undefined
  readonly propagationPolicy?: string | undefined
  readonly orphanDependents?: boolean | undefined
  readonly preconditions?: { uid?: string | undefined; resourceVersion?: string | undefined } | undefined
  readonly dryRun?: boolean | undefined
}

/** Whether the object's kind has a grace period, and whether an earlier DELETE has started one that is not longer. */
type Grace = 'none' | 'graceful' | 'pending'

/** Finalizers that tell the garbage collector what to do about dependents. */
const ORPHAN = 'orphan'
const FOREGROUND = 'foregroundDeletion'
const PROPAGATION = ['Foreground', 'Background', 'Orphan']

/**
 * An attempt to delete an object. The object goes at once, or when its finalizers are done, or when its kubelet has stopped
 * it. Until then it has a deletionTimestamp. Another DELETE can only shorten the time that is left.
 */
export class Deletion implements Attempt {
  readonly admission: Attempt['admission']
  readonly #registry: Registry
  readonly #target: Target
  readonly #options: DeleteOptions
  readonly #rules: KindStrategy
  readonly #existing: Stored
  readonly #current: ServerObject
  #object!: ServerObject
  #grace: Grace = 'none'
  /** Whether the object stays in the store, with a deletionTimestamp. */
  #stays = false
  /** The object in the version in which it is stored, where a webhook has converted it. */
  #kept: ServerObject | undefined
  readonly #asStored: boolean

  /** Begins a deletion. Returns a promise only where a webhook has to convert the object. */
  static begin(
    registry: Registry,
    target: Target,
    options: DeleteOptions,
    admission?: Attempt['admission'],
  ): Deletion | Promise<Deletion> {
    const existing = existingObject(registry, target, options)
    const readable = registry.conversions.readOne(existing, target)
    const begin = (current: Stored): Deletion =>
      new Deletion(
        registry,
        target,
        options,
        { existing, current: served(current, target.resource) },
        admission,
      )
    return readable instanceof Promise ? readable.then(begin) : begin(readable)
  }

  /** Begins a deletion by the server itself, of the object in whatever version it is stored in. */
  static ofStored(registry: Registry, target: Target, options: DeleteOptions): Deletion {
    const existing = existingObject(registry, target, options)
    const asStored = needsWebhook(existing, target.resource)
    const current = asStored ? storedObject(existing) : served(existing, target.resource)
    return new Deletion(registry, target, options, { existing, current, asStored })
  }

  private constructor(
    registry: Registry,
    target: Target,
    options: DeleteOptions,
    object: { readonly existing: Stored; readonly current: ServerObject; readonly asStored?: boolean },
    admission?: Attempt['admission'],
  ) {
    const { resource } = target
    const { existing, current, asStored = false } = object
    this.#asStored = asStored
    this.admission = admission
    this.#registry = registry
    this.#target = target
    this.#options = options
    this.#rules = resource.strategy()
    this.#existing = existing
    this.#current = current
  }

  /** A deletion proposes no object. */
  propose(): void {}

  /** A deletion owns no fields. */
  manage(): void {}

  proposal(): Proposal {
    const { resource, namespace, name } = this.#target
    return { operation: 'DELETE', resource, namespace, name, old: this.#current }
  }

  admitted(): void {}

  prepare(): void {
    const { resource } = this.#target
    const plain = this.#rules.plainDeletion ?? false
    const options = this.#options
    checkOptions(options)
    checkPreconditions(resource, this.#current, options, plain)
    const object = copyJson(this.#current)
    this.#object = object
    this.#grace = startGrace(this.#registry, resource, object, options)
    if (this.#grace === 'pending') return
    object.metadata.finalizers = finalizersFor(this.#registry, resource, object, options)
    if (object.metadata.finalizers.length === 0) delete object.metadata.finalizers
    const held = object.metadata.finalizers !== undefined || this.#rules.finished?.(object) === false
    if (held && this.#grace === 'none') markDeleting(this.#registry, object, plain)
    this.#rules.prepareDelete?.(object, this.#registry.context(resource))
    const left = integerOf(object.metadata.deletionGracePeriodSeconds)
    this.#stays = held || (this.#grace === 'graceful' && left > 0n)
  }

  unchanged(): Written | undefined {
    if (this.#grace !== 'pending') return undefined
    return { object: this.#current, stored: this.#existing, created: false, gone: false }
  }

  /** The rules of a kind do not forbid a deletion. */
  validate(): void {}

  toStoredVersion(): void | Promise<void> {
    if (!this.#marks()) return undefined
    return this.#registry.conversions
      .toStorage(this.#object, this.#target)
      ?.then((kept) => void (this.#kept = kept))
  }

  toRequestedVersion(written: Written): Written | Promise<Written> {
    return inRequestedVersion(this.#registry, this.#target, written)
  }

  /** Whether the object is stored with a deletionTimestamp, before it goes or until its finalizers are done. */
  #marks(): boolean {
    return (this.#stays || this.#grace === 'graceful') && !equalJson(this.#object, this.#current)
  }

  store(): Written | undefined {
    const registry = this.#registry
    const { resource, namespace, name } = this.#target
    const object = this.#object
    const key = keyIn(resource, namespace, name)
    if (this.#options.dryRun) return { object, created: false, gone: !this.#stays }
    const marked = this.#marks()
      ? registry.put(resource, key, this.#existing.revision, this.#kept ?? object, this.#asStored)
      : this.#existing
    if (!marked) return undefined
    if (this.#stays) {
      return { object: storedObject(marked), stored: marked, created: false, gone: false }
    }
    const last = registry.remove(resource, key, marked.revision)
    return last && { object: storedObject(last), stored: last, created: false, gone: true }
  }
}

function existingObject(
  registry: Registry,
  { resource, namespace, name }: Target,
  options: DeleteOptions,
): Stored {
  const existing = registry.get(resource, keyIn(resource, namespace, name))
  if (existing) return existing
  checkOptions(options)
  throw new Failure(failure.notFound(resource, name))
}

/** The Status that answers a DELETE, with the deleted object's name and uid. */
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

/** Marks an object that another component ends, such as a Pod, which its kubelet ends. */
function startGrace(
  registry: Registry,
  resource: Resource,
  object: ServerObject,
  options: DeleteOptions,
): Grace {
  const rules = resource.strategy()
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
    meta.deletionGracePeriodSeconds = writtenInteger(due < now && asked !== 0n ? 1n : asked)
    return 'graceful'
  }
  const seconds = rules.grace(object, asked)
  meta.deletionTimestamp = timestamp(now + millisecondsOf(seconds))
  meta.deletionGracePeriodSeconds = writtenInteger(seconds)
  if (meta.generation) meta.generation = nextGeneration(meta.generation)
  return 'graceful'
}

/** Seconds as a duration. As in Kubernetes it has 64 bits of nanoseconds, and what is too long wraps around. */
function millisecondsOf(seconds: bigint): number {
  return Number(BigInt.asIntN(64, seconds * 1_000_000_000n) / 1_000_000n)
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

/** The object's finalizers, including the one that tells the garbage collector what to do about dependents. */
function finalizersFor(
  registry: Registry,
  resource: Resource,
  object: ServerObject,
  options: DeleteOptions,
): string[] {
  const rules = resource.strategy()
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
