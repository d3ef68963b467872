import { failure } from '@homeostat/api'
import {
  causesOf,
  copyJson,
  equalJson,
  type FieldError,
  hasSentEmpty,
  integerOf,
  invalidValue,
  validateObjectMeta,
  validateObjectMetaUpdate,
} from '../../schema/index.ts'
import type { Stored } from '../../storage/index.ts'
import { computed, isLarge, pause, type InParts } from '../../work/index.ts'
import { checkNamespace, refuseUnreadableVersion } from '../decode/check-identity.ts'
import type { Proposal } from '../request/admission.ts'
import { storesByWebhook } from '../stored/needs-webhook.ts'
import { Failure } from '../resource/failure.ts'
import { kindInErrors } from '../resource/kind-in-errors.ts'
import type { KindStrategy, StrategyContext } from '../resource/kind-strategy.ts'
import { collectionOf, keyIn, type Registry } from '../state/registry.ts'
import { served } from '../stored/served.ts'
import { type ServerObject, storedObject } from '../resource/server-object.ts'
import type { Target, WriteOptions } from '../request/target.ts'
import { inRequestedVersion } from './requested-version.ts'
import { convertsFields } from './managed-fields.ts'
import { prepareChange } from './prepare-change.ts'
import { problemsOf } from './problems.ts'
import type { Attempt } from './write.ts'
import type { Written } from './written.ts'

/**
 * How often a large change is tried before it fails with `Conflict`, as patches do in Kubernetes. A large change takes turns of
 * the event loop, in which small ones overtake it; it could lose forever.
 */
const LARGE_ATTEMPTS = 5

/** Where a changed object comes from. */
export interface ChangeSource {
  /** The subresource that is written: `status` changes only the status; other writes change everything but the status. */
  readonly subresource?: string | undefined
  /**
   * Makes the requested object from the current one, which is frozen. Called once for each attempt. The caller may
   * change the result. A `large` change should yield to the event loop.
   */
  change(current: ServerObject | undefined, large: boolean): ServerObject | Promise<ServerObject>
  /** Whether managed fields are set already, as after server-side apply. Default: false. */
  readonly managed?: boolean
  /** Whether the server itself made the change: then only the rules of all objects are checked. Default: false. */
  readonly trusted?: boolean
  /**
   * Restores, in place, the fields that neither the client nor a webhook may change, besides those of all writes.
   * Default: none.
   */
  restore?(object: ServerObject, current: ServerObject): void
  /** The uid that the object must have. Default: any. */
  readonly uid?: string | undefined
}

/** An attempt to change an object. Fails with `Conflict` or `Invalid`. */
export class Change implements Attempt {
  readonly #registry: Registry
  readonly #target: Target
  readonly #source: ChangeSource
  readonly #options: WriteOptions
  readonly #existing: Stored
  readonly #current: ServerObject
  readonly #rules: KindStrategy
  readonly #size: number
  readonly #large: boolean
  #object!: ServerObject
  /** The object before admission changed it. */
  #sent: ServerObject | undefined
  /** The managed fields, where they were recorded before admission. */
  #managed: ServerObject['metadata']['managedFields']
  /** The object in the version in which it is stored, where a webhook has converted it. */
  #kept: ServerObject | undefined
  #isUnchanged = false
  /** The entry in the version of the request. */
  readonly #readable: Stored

  constructor(
    registry: Registry,
    target: Target,
    source: ChangeSource,
    options: WriteOptions,
    { existing, current }: { readonly existing: Stored; readonly current: Stored },
    attempt: number,
  ) {
    this.#registry = registry
    this.#target = target
    this.#source = source
    this.#options = options
    this.#existing = existing
    this.#readable = current
    this.#current = served(current, target.resource)
    this.#rules = target.resource.strategy()
    this.#size = Math.max(existing.json.length, options.size ?? 0)
    this.#large = isLarge(this.#size)
    this.#checkUid()
    if (this.#large && attempt > LARGE_ATTEMPTS) {
      throw new Failure(failure.conflict(target.resource, target.name))
    }
  }

  get admission(): Attempt['admission'] {
    return this.#options.admission
  }

  propose(): void | Promise<void> {
    const proposed = this.#source.change(this.#current, this.#large)
    if (!(proposed instanceof Promise) && !this.#large) {
      this.#accept(proposed)
      return undefined
    }
    return this.#acceptLater(proposed)
  }

  async #acceptLater(proposed: ServerObject | Promise<ServerObject>): Promise<void> {
    const object = await proposed
    await pause(this.#size)
    this.#accept(object)
  }

  #accept(object: ServerObject): void {
    const { resource, namespace } = this.#target
    this.#object = object
    checkNamespace(object.metadata, namespace)
    this.#checkVersion()
    if (resource.scope === 'Namespaced') object.metadata.namespace ||= namespace
  }

  manage(): void | Promise<void> {
    if (this.#source.managed) return undefined
    const waits = convertsFields(this.#target.resource, this.#current)
    return computed(this.#manageInParts(), this.#large || waits)
  }

  *#manageInParts(): InParts<void> {
    const copy = copyJson(this.#object)
    yield* this.#prepareOne(copy, this.#options.fieldManager)
    this.#managed = copy.metadata.managedFields ?? []
    this.#object.metadata.managedFields = copyJson(copy.metadata.managedFields)
  }

  proposal(): Proposal {
    const { resource, namespace, name } = this.#target
    const { subresource } = this.#source
    const [object, old] = [this.#object, this.#current]
    return { operation: 'UPDATE', resource, namespace, name, subresource, object, old }
  }

  admitted(sent: ServerObject): void {
    this.#sent = sent
  }

  prepare(): void | Promise<void> {
    const waits = convertsFields(this.#target.resource, this.#current)
    return computed(this.#prepareInParts(), this.#large || waits)
  }

  *#prepareInParts(): InParts<void> {
    const [object, sent] = [this.#object, this.#managed ? undefined : this.#sent]
    const isManaged = this.#source.managed || this.#managed !== undefined
    const manager = isManaged ? undefined : this.#options.fieldManager
    // A webhook cannot change the managed fields.
    if (this.#managed) object.metadata.managedFields = this.#managed
    yield* this.#prepareOne(object, sent ? undefined : manager)
    if (object.metadata.managedFields?.length === 0) delete object.metadata.managedFields
    if (sent) {
      // The field manager owns the fields that the client sent, not those that admission added.
      yield* this.#prepareOne(sent, manager)
      object.metadata.managedFields = sent.metadata.managedFields
    }
    yield
  }

  *#prepareOne(object: ServerObject, manager: string | undefined): InParts<void> {
    object.metadata.resourceVersion = this.#current.metadata.resourceVersion
    const { trusted = false, subresource } = this.#source
    const [target, current, large] = [this.#target, this.#current, this.#large]
    const changed = { target, subresource, object, current, trusted, manager, large }
    yield* prepareChange(this.#registry, changed)
    this.#source.restore?.(object, current)
  }

  unchanged(): Written | undefined {
    if (!equalJson(withoutTimes(this.#object), withoutTimes(this.#current))) return undefined
    if (!this.#isStoredAsNow()) {
      this.#object.metadata.managedFields = copyJson(this.#current.metadata.managedFields)
      return undefined
    }
    this.#isUnchanged = true
    this.#warn(true)
    return this.#asBefore()
  }

  /**
   * Whether storing the object again would change nothing: no other version has become the stored one, and no other key
   * encrypts.
   */
  #isStoredAsNow(): boolean {
    const { resource } = this.#target
    if (this.#registry.store.isStale(collectionOf(resource), this.#existing.revision)) return false
    if (!resource.custom || resource.storageVersion === undefined) return true
    if (storesByWebhook(resource)) return false
    return this.#existing.apiVersion === `${resource.group}/${resource.storageVersion}`
  }

  #asBefore(): Written {
    return { object: this.#current, stored: this.#readable, created: false, gone: false }
  }

  toStoredVersion(): void | Promise<void> {
    return this.#registry.conversions
      .toStorage(this.#object, this.#target)
      ?.then((kept) => void (this.#kept = kept))
  }

  toRequestedVersion(written: Written): Written | Promise<Written> {
    return inRequestedVersion(this.#registry, this.#target, written)
  }

  validate(): void | Promise<void> {
    const { trusted, subresource } = this.#source
    if (this.#isKnownValid()) return undefined
    if (!trusted && subresource !== 'status') this.#allocate()
    const problems = trusted
      ? []
      : problemsOf(this.#registry, {
          object: this.#object,
          old: this.#current,
          resource: this.#target.resource,
          names: this.#rules.names ?? 'subdomain',
          subresource,
          size: this.#size,
          warn: (message) => this.#options.warn(message),
        })
    if (!(problems instanceof Promise) && !this.#large) {
      this.#judge(problems)
      return undefined
    }
    return this.#judgeLater(problems)
  }

  /** Whether the object is the stored one, which was validated as it is. An empty part that was sent makes it another. */
  #isKnownValid(): boolean {
    if (!this.#isUnchanged || hasSentEmpty(this.#object)) return false
    return this.#registry.validEntries.has(this.#existing, this.#target.resource, this.#source.subresource)
  }

  async #judgeLater(problems: readonly FieldError[] | Promise<readonly FieldError[]>): Promise<void> {
    // Nothing may come between an allocation and its write.
    this.#judge(problems instanceof Promise ? await problems : problems)
    if (!this.#rules.allocate) await pause(this.#size)
  }

  #allocate(): void {
    this.#refuse(this.#rules.allocate?.(this.#object, this.#current, this.#context()) ?? [])
  }

  #judge(found: readonly FieldError[]): void {
    const { resource } = this.#target
    const [object, current] = [this.#object, this.#current]
    this.#refuse([
      ...validateObjectMeta(object.metadata, {
        namespaced: resource.scope === 'Namespaced',
        names: 'segment',
      }),
      ...validateObjectMetaUpdate(object.metadata, current.metadata),
      ...found,
    ])
    if (!this.#isUnchanged) this.#warn(false)
    else if (!resource.custom && !this.#source.trusted) {
      this.#registry.validEntries.add(this.#existing, resource, this.#source.subresource)
    }
  }

  /** An update that changes nothing gets the same warnings, except those about objects without effect. */
  #warn(unchanged: boolean): void {
    const { subresource } = this.#source
    if (subresource !== undefined && subresource !== 'scale') return
    const { resource } = this.#target
    const saysEffect = !unchanged && subresource === undefined
    for (const warning of this.#registry.warnings(resource, this.#object, this.#current, saysEffect)) {
      this.#options.warn(warning)
    }
  }

  store(waited: boolean): Written | undefined {
    const { resource, namespace, name } = this.#target
    const registry = this.#registry
    const object = this.#object
    const kept = this.#kept ?? object
    const { revision } = this.#existing
    const key = keyIn(resource, namespace, name)
    if (waited && (this.#rules.allocate?.(object, this.#current, this.#context()).length ?? 0) > 0) {
      return undefined
    }
    if (this.#options.dryRun) {
      return { ...registry.rehearse(resource, key, revision, kept), created: false, gone: false }
    }
    // As in Kubernetes, `selfLink` is removed from a stored object, and a dry run shows it.
    delete kept.metadata.selfLink
    if (isFinished(object, this.#current) && (this.#rules.finished?.(object) ?? true)) {
      return registry.remove(resource, key, revision) && { object, created: false, gone: true }
    }
    // As in Kubernetes, the stored objects are compared: a conversion may drop the whole change.
    if (this.#kept && equalJson(this.#kept, this.#existing.value)) return this.#asBefore()
    const whenStored = this.admission?.commit(this.proposal())
    const stored = registry.put(resource, key, revision, kept)
    if (stored) whenStored?.()
    return stored && { object: storedObject(stored), stored, created: false, gone: false }
  }

  #context(): StrategyContext {
    return { ...this.#registry.context(this.#target.resource), dryRun: this.#options.dryRun }
  }

  #refuse(problems: readonly FieldError[]): void {
    if (problems.length === 0) return
    const { resource, name } = this.#target
    throw new Failure(failure.invalid(kindInErrors(resource, this.#object), name, causesOf(problems)))
  }

  #checkUid(): void {
    const { uid } = this.#source
    const found = this.#current.metadata.uid
    if (!uid || uid === found) return
    throw uidConflict(this.#target, uid, found)
  }

  /** A resourceVersion that the client sends must be the current one; some kinds require it. */
  #checkVersion(): void {
    const { resource, name } = this.#target
    const { metadata } = this.#object
    const { resourceVersion: version } = metadata
    if (version && version !== '0') {
      refuseUnreadableVersion(version)
      if (version !== this.#current.metadata.resourceVersion) {
        throw new Failure(failure.conflict(resource, name))
      }
      return
    }
    if (!(this.#rules.unconditionalUpdate ?? !resource.custom)) {
      const problem = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update')
      throw new Failure(
        failure.invalid({ group: resource.group, kind: resource.plural }, name, causesOf([problem])),
      )
    }
  }
}

/** The failure of a write whose object has another uid than the client expects. */
export function uidConflict({ resource, name }: Target, expected: string, found = ''): Failure {
  const why = `Precondition failed: UID in precondition: ${expected}, UID in object meta: ${found}`
  return new Failure(failure.conflict(resource, name, why))
}

/** Whether only finalizers kept the object, and none is left. */
function isFinished(object: ServerObject, current: ServerObject): boolean {
  return (
    current.metadata.deletionTimestamp !== undefined &&
    integerOf(current.metadata.deletionGracePeriodSeconds) === 0n &&
    (object.metadata.finalizers ?? []).length === 0
  )
}

/** The object without the times of managed fields, which differ even if nothing else has changed. */
function withoutTimes(object: ServerObject): ServerObject {
  const { managedFields, ...metadata } = object.metadata
  const entries = managedFields?.map((entry) => ({ ...entry, time: '' }))
  return { ...object, metadata: { ...metadata, ...(entries ? { managedFields: entries } : {}) } }
}
