import { failure } from '@homeostat/api'
import { causesOf, copyJson, type FieldError } from '../../schema/index.ts'
import { computed, isLarge, pause, type InParts } from '../../work/index.ts'
import { refuseUnreadableVersion } from '../decode/check-identity.ts'
import type { Proposal } from '../request/admission.ts'
import { Failure } from '../resource/failure.ts'
import { kindInErrors } from '../resource/kind-in-errors.ts'
import type { KindStrategy, StrategyContext } from '../resource/kind-strategy.ts'
import { objectRules } from '../object-rules/lazy-object-rules.ts'
import { admitToNamespace } from './namespace-place.ts'
import { keyIn, type Registry } from '../state/registry.ts'
import { type ServerObject, storedObject } from '../resource/server-object.ts'
import type { Place, WriteOptions } from '../request/target.ts'
import { inRequestedVersion } from './requested-version.ts'
import { manageInParts } from './managed-fields.ts'
import { fillNewMeta } from './written-metadata.ts'
import { problemsOf } from './problems.ts'
import type { Attempt } from './write.ts'
import type { Written } from './written.ts'

/** How many names are tried for `generateName` before the request fails. */
const NAME_ATTEMPTS = 8

/** Where a new object comes from. */
export interface CreationSource {
  /** The requested object. Called once for each attempt; the caller may change the object. */
  change(current: undefined, large: boolean): ServerObject | Promise<ServerObject>
  /** Whether managed fields are set already, as after server-side apply. Default: false. */
  readonly managed?: boolean
  /** Whether an update or an apply creates the object. Default: a POST. */
  readonly byUpdate?: boolean
  /** The subresource whose write creates the object. Such an object is allocated nothing. Default: none. */
  readonly subresource?: string | undefined
}

/** An attempt to create an object. Fails with `AlreadyExists`, `Invalid`, or `NotFound` where its namespace is missing. */
export class Creation implements Attempt {
  readonly #registry: Registry
  readonly #place: Place
  readonly #source: CreationSource
  readonly #options: WriteOptions
  readonly #number: number
  readonly #rules: KindStrategy
  readonly #large: boolean
  #object!: ServerObject
  /** The object before admission changed it. */
  #sent: ServerObject | undefined
  /** The managed fields, as soon as they are recorded. */
  #managed: ServerObject['metadata']['managedFields']
  /** The object in the version in which it is stored, where a webhook has converted it. */
  #kept: ServerObject | undefined
  /** The resourceVersion in the request. */
  #version = ''
  /** The `selfLink` of an update or an apply, which a dry run shows. */
  #selfLink = ''
  #generated = false

  constructor(
    registry: Registry,
    place: Place,
    source: CreationSource,
    options: WriteOptions,
    attempt: number,
  ) {
    this.#registry = registry
    this.#place = place
    this.#source = source
    this.#options = options
    this.#number = attempt
    this.#rules = place.resource.strategy()
    this.#large = isLarge(options.size)
  }

  get admission(): Attempt['admission'] {
    return this.#options.admission
  }

  propose(): void | Promise<void> {
    const proposed = this.#source.change(undefined, this.#large)
    if (proposed instanceof Promise) return proposed.then((object) => this.#accept(object))
    this.#accept(proposed)
    return undefined
  }

  #accept(object: ServerObject): void {
    const { metadata } = object
    const { resource, namespace } = this.#place
    this.#object = object
    this.#version = metadata.resourceVersion ?? ''
    // As in Kubernetes, a POST does not read the version until the object is stored.
    if (this.#source.byUpdate && this.#version) refuseUnreadableVersion(this.#version)
    if (this.#source.byUpdate) this.#selfLink = metadata.selfLink ?? ''
    delete metadata.resourceVersion
    this.#generated = Boolean(metadata.generateName && !metadata.name)
    if (!this.admission) return
    if (resource.scope === 'Namespaced') metadata.namespace ||= namespace
    // Plugins see only objects whose namespace exists.
    admitToNamespace(this.#registry, resource, metadata)
  }

  manage(): void | Promise<void> {
    if (this.#source.managed) return undefined
    return computed(this.#manageEarly(), this.#large)
  }

  *#manageEarly(): InParts<void> {
    const sent = copyJson(this.#object)
    yield* this.#manageInParts(sent)
    // A copy: plugins may change the object, but not the recorded fields.
    this.#object.metadata.managedFields = copyJson(sent.metadata.managedFields)
  }

  *#manageInParts(sent: ServerObject): InParts<void> {
    const { resource } = this.#place
    if (resource.custom && resource.subresources.status) delete sent['status']
    this.#rules.normalize?.(sent)
    const { subresource } = this.#source
    const write = { object: sent, resource, manager: this.#options.fieldManager, subresource }
    yield* manageInParts(this.#registry, write, this.#large)
    this.#managed = sent.metadata.managedFields ?? []
  }

  proposal(): Proposal {
    const { resource, namespace } = this.#place
    const { name = '' } = this.#object.metadata
    return { operation: 'CREATE', resource, namespace, name, object: this.#object }
  }

  admitted(sent: ServerObject): void {
    this.#sent = sent
  }

  prepare(): void | Promise<void> {
    fillNewMeta(this.#object, this.#place, this.#registry.clock)
    this.#checkPlace()
    const prepared = computed(this.#prepareInParts(), this.#large)
    if (prepared) return prepared.then(() => this.#allocate())
    this.#allocate()
    return undefined
  }

  *#prepareInParts(): InParts<void> {
    const object = this.#object
    const { resource } = this.#place
    const { generation = resource.custom } = this.#rules
    if (generation !== false && generation !== 'late') object.metadata.generation = 1
    const dropsStatus = resource.custom && resource.subresources.status
    if (dropsStatus) delete object['status']
    if (!this.#source.managed) {
      if (!this.#managed) yield* this.#manageInParts(this.#sent ?? object)
      object.metadata.managedFields = this.#managed
      if (this.#managed?.length === 0) delete object.metadata.managedFields
    }
    const { nullLists, dropDisabledFields } = objectRules.get()
    nullLists(object, resource)
    dropDisabledFields(object, resource)
    this.#rules.prepareCreate?.(object, this.#context())
  }

  /** Allocates unique values, such as an address. The object owns them once it is stored. */
  #allocate(): void {
    this.#refuse(this.#allocation())
  }

  #allocation(): FieldError[] {
    if (this.#source.subresource !== undefined) return []
    return this.#rules.allocate?.(this.#object, undefined, this.#context()) ?? []
  }

  unchanged(): undefined {
    return undefined
  }

  validate(): void | Promise<void> {
    // Nothing may come between an allocation and its write.
    const paused = this.#large && !this.#rules.allocate ? pause(this.#options.size) : undefined
    return paused ? paused.then(() => this.#validate()) : this.#validate()
  }

  #validate(): void | Promise<void> {
    const { size = 0 } = this.#options
    const problems = problemsOf(this.#registry, {
      object: this.#object,
      resource: this.#place.resource,
      names: this.#rules.names ?? 'subdomain',
      size,
      warn: (message) => this.#options.warn(message),
    })
    if (problems instanceof Promise) return problems.then((found) => this.#judge(found))
    return this.#judge(problems)
  }

  #judge(found: readonly FieldError[]): void | Promise<void> {
    const { resource } = this.#place
    this.#refuse(found)
    for (const warning of this.#registry.warnings(resource, this.#object, undefined)) {
      this.#options.warn(warning)
    }
    return this.#source.byUpdate ? this.#options.authorizeCreate?.() : undefined
  }

  toStoredVersion(): void | Promise<void> {
    if (!this.#options.dryRun && !this.#source.byUpdate && isVersion(this.#version))
      throw new Failure(failure.withoutReason(VERSION_ON_CREATE))
    return this.#registry.conversions
      .toStorage(this.#object, this.#place)
      ?.then((kept) => void (this.#kept = kept))
  }

  toRequestedVersion(written: Written): Written | Promise<Written> {
    return inRequestedVersion(this.#registry, this.#place, written)
  }

  store(waited: boolean): Written | undefined {
    const registry = this.#registry
    const object = this.#object
    const { resource } = this.#place
    const { dryRun } = this.#options
    const { namespace, name = '' } = object.metadata
    const key = keyIn(resource, namespace, name)
    if (registry.get(resource, key)) return this.#nameTaken(key, name)
    // The earlier steps may have taken turns of the event loop, in which the namespace or the definition was removed.
    this.#checkPlace()
    if (waited && this.#allocation().length > 0) return undefined
    if (dryRun) return this.#rehearsed(key)
    const whenStored = this.admission?.commit(this.proposal())
    const stored = registry.put(resource, key, 0, this.#kept ?? object)
    if (stored) whenStored?.()
    return stored && { object: storedObject(stored), stored, created: true, gone: false }
  }

  /** Starts over with another generated name, or with an update of the object that has appeared; fails otherwise. */
  #nameTaken(key: string, name: string): undefined {
    const { resource } = this.#place
    if (this.#source.byUpdate) return undefined
    if (this.#generated && this.#number < NAME_ATTEMPTS) return undefined
    if (this.#generated) throw new Failure(failure.generateNameConflict(resource, name))
    const existing = this.#registry.get(resource, key)
    const status = failure.alreadyExists(resource, name)
    if (!existing || !storedObject(existing).metadata.deletionTimestamp) throw new Failure(status)
    throw new Failure({ ...status, message: `object is being deleted: ${status.message}` })
  }

  /** The result of a dry run. It has the resourceVersion of the request, since the store gives it none. */
  #rehearsed(key: string): Written {
    const { object, json } = this.#registry.rehearse(this.#place.resource, key, 0, this.#kept ?? this.#object)
    if (!this.#version && !this.#selfLink) return { object, json, created: true, gone: false }
    const metadata = {
      ...object.metadata,
      ...(this.#version && { resourceVersion: this.#version }),
      ...(this.#selfLink && { selfLink: this.#selfLink }),
    }
    return { object: { ...object, metadata }, created: true, gone: false }
  }

  /** Fails where the object's namespace, or the definition of a custom kind, is missing or terminating. */
  #checkPlace(): void {
    const { resource } = this.#place
    admitToNamespace(this.#registry, resource, this.#object.metadata)
    this.#rules.admitCreate?.(this.#object.metadata, this.#registry.context(resource))
  }

  #context(): StrategyContext {
    const warn = (message: string): void => this.#options.warn(message)
    return { ...this.#registry.context(this.#place.resource), dryRun: this.#options.dryRun, warn }
  }

  #refuse(problems: readonly FieldError[]): void {
    if (problems.length === 0) return
    const kind = kindInErrors(this.#place.resource, this.#object)
    throw new Failure(failure.invalid(kind, this.#object.metadata.name ?? '', causesOf(problems)))
  }
}

/** Whether a text is a version other than 0. Texts that are not numbers are ignored. */
function isVersion(text: string): boolean {
  return /^\d{1,20}$/.test(text) && BigInt.asUintN(64, BigInt(text)) === BigInt(text) && BigInt(text) !== 0n
}

const VERSION_ON_CREATE = 'resourceVersion should not be set on objects to be created'
