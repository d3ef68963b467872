import { failure, type Status } from '@homeostat/api'
import type { Stored } from '../../storage/index.ts'
import { causesOf, type FieldError } from '../../schema/field-error.ts'
import { admitted } from './admission.ts'
import { checkStorable } from '../conversion-webhook.ts'
import { checkKind } from '../decode/check-identity.ts'
import { Failure } from '../failure.ts'
import { kindInErrors } from '../kind-in-errors.ts'
import { objectValidation } from '../lazy-object-validation.ts'
import { admitToNamespace } from '../namespace-place.ts'
import { manageInParts } from './managed-fields.ts'
import { problemsOf, type Candidate } from './problems.ts'
import { fillNewMeta } from './object-meta.ts'
import { keyIn, type Registry } from '../registry.ts'
import type { Resource } from '../resource.ts'
import type { ServerObject } from '../server-object.ts'
import type { Place, WriteOptions } from '../target.ts'
import { computed, isLarge, pause, type InParts } from '../../work/index.ts'

/** How many names are tried for `generateName` before the client is told to come back. */
const NAME_ATTEMPTS = 8

/** What a write leaves: the object, and unless nothing was stored its entry. */
export interface Written {
  readonly object: ServerObject
  readonly stored?: Stored | undefined
  /** The object as JSON, where it was encoded and not stored. */
  readonly json?: Uint8Array | undefined
  readonly created: boolean
}

/** How an object is made: everything that depends on who asks. */
export interface CreateSource {
  /** Whether managed fields are in place already, as after server-side apply. */
  readonly managed?: boolean
  /** The object as it was sent, where admission changed it since: what was added belongs to nobody. */
  readonly sent?: ServerObject | undefined
  /** Whether an update or an apply makes it: their resourceVersion is ignored. Default: a POST, which must not have one. */
  readonly byUpdate?: boolean
}

/**
 * Makes a new object from one that has been taken in. The object given is changed. Fails with `AlreadyExists`,
 * `Invalid`, or `NotFound` when its namespace is not there.
 */
export async function create(
  registry: Registry,
  place: Place,
  object: ServerObject,
  options: WriteOptions,
  source: CreateSource = {},
): Promise<Written> {
  const { resource } = place
  const version = object.metadata.resourceVersion ?? ''
  delete object.metadata.resourceVersion
  const generated = Boolean(object.metadata.generateName && !object.metadata.name)
  const sent = options.admit && (await admitNew(registry, place, object, options.admit))
  for (let attempt = 1; ; attempt++) {
    if (generated) delete object.metadata.name
    fillNewMeta(object, place, registry.clock)
    admitToPlace(registry, resource, object)
    if (resource.custom) checkKind(object, resource)
    const large = isLarge(options.size)
    const prepared = computed(prepare(registry, place, object, options, { ...source, sent }), large)
    if (prepared) await prepared
    allocate(registry, place, object, options)
    // Nothing may come between taking something for the object and writing it.
    if (large && !registry.rules(resource).allocate) await pause(options.size)
    const problems = problemsOf(registry, candidate(registry, place, object, options))
    const written = store(
      registry,
      place,
      object,
      options,
      problems instanceof Promise ? await problems : problems,
      source.byUpdate ? '' : version,
    )
    if (written) return options.dryRun && version ? withVersion(written, version) : written
    const name = object.metadata.name ?? ''
    if (!generated) throw new Failure(taken(registry, place, object))
    if (attempt === NAME_ATTEMPTS) throw new Failure(failure.generateNameConflict(resource, name))
  }
}

/** Fails where the object's namespace, or the definition of a custom kind, is not there or is going. */
function admitToPlace(registry: Registry, resource: Resource, { metadata }: ServerObject): void {
  admitToNamespace(registry, resource, metadata)
  registry.rules(resource).admitCreate?.(metadata, registry.context(resource))
}

/** Nothing gave the object another version: a dry run answers with the one that was sent. */
function withVersion({ object, created }: Written, resourceVersion: string): Written {
  return { object: { ...object, metadata: { ...object.metadata, resourceVersion } }, created }
}

/** Has a new object admitted; gives it back as it was sent, if that changed it. */
async function admitNew(
  registry: Registry,
  { resource, namespace }: Place,
  object: ServerObject,
  admit: NonNullable<WriteOptions['admit']>,
): Promise<ServerObject | undefined> {
  if (resource.scope === 'Namespaced') object.metadata.namespace ||= namespace
  admitToNamespace(registry, resource, object.metadata)
  const { name = '' } = object.metadata
  return admitted(admit, { operation: 'CREATE', resource, namespace, name, object })
}

/** The name is there; that it is on its way out is worth knowing. */
function taken(registry: Registry, { resource }: Place, object: ServerObject): Status {
  const { namespace, name = '' } = object.metadata
  const existing = registry.get(resource, keyIn(resource, namespace, name))?.value as ServerObject | undefined
  const status = failure.alreadyExists(resource, name)
  if (!existing?.metadata.deletionTimestamp) return status
  return { ...status, message: `object is being deleted: ${status.message}` }
}

/** Fills in what the server decides about a new object. In parts. */
function* prepare(
  registry: Registry,
  { resource }: Place,
  object: ServerObject,
  options: WriteOptions,
  source: CreateSource,
): InParts<void> {
  const rules = registry.rules(resource)
  const { generation = resource.custom } = rules
  if (generation !== false && generation !== 'late') object.metadata.generation = 1
  if (resource.custom && resource.subresources.status) delete object['status']
  if (!source.managed) {
    const { sent = object } = source
    if (resource.custom && resource.subresources.status) delete sent['status']
    rules.normalize?.(sent)
    const write = { object: sent, resource, manager: options.fieldManager }
    yield* manageInParts(registry, write, isLarge(options.size))
    object.metadata.managedFields = sent.metadata.managedFields
  }
  objectValidation.get().dropDisabledFields(object, resource)
  rules.prepareCreate?.(object, { ...registry.context(resource), dryRun: options.dryRun })
}

/** Takes for a new object what its kind has only once, such as an address. It is the object's when that is stored. */
function allocate(
  registry: Registry,
  { resource }: Place,
  object: ServerObject,
  options: WriteOptions,
): void {
  const rules = registry.rules(resource)
  if (!rules.allocate) return
  const context = { ...registry.context(resource), dryRun: options.dryRun }
  const unavailable = rules.allocate(object, undefined, context)
  if (unavailable.length > 0) {
    throw new Failure(
      failure.invalid(kindInErrors(resource), object.metadata.name ?? '', causesOf(unavailable)),
    )
  }
}

function candidate(
  registry: Registry,
  { resource }: Place,
  object: ServerObject,
  options: WriteOptions,
): Candidate {
  const { names = 'subdomain' } = registry.rules(resource)
  const { size = 0 } = options
  return { object, resource, names, size, warn: (message) => options.warn(message) }
}

/** Undefined when there is an object of this name. */
function store(
  registry: Registry,
  { resource }: Place,
  object: ServerObject,
  options: WriteOptions,
  found: readonly FieldError[],
  version: string,
): Written | undefined {
  const { namespace, name = '' } = object.metadata
  if (found.length > 0) throw new Failure(failure.invalid(kindInErrors(resource), name, causesOf(found)))
  for (const warning of registry.warnings(resource, object, undefined)) options.warn(warning)
  options.admit?.validate({ operation: 'CREATE', resource, namespace, name, object })
  if (resource.custom && resource.subresources.status)
    objectValidation.get().fillStatusDefault(object, resource)
  if (!options.dryRun && isVersion(version)) throw new Failure(VERSION_ON_CREATE)
  checkStorable(resource)
  const key = keyIn(resource, namespace, name)
  if (registry.get(resource, key)) return undefined
  // Checking the object may have taken turns of the event loop, in which its namespace or its definition went.
  admitToPlace(registry, resource, object)
  if (options.dryRun) return { ...registry.rehearse(resource, key, 0, object), created: true }
  const stored = registry.put(resource, key, 0, object)
  return stored && { object: stored.value as ServerObject, stored, created: true }
}

/** Whether a text is a version other than 0. What is no number is not looked at. */
function isVersion(text = ''): boolean {
  return /^\d{1,20}$/.test(text) && BigInt.asUintN(64, BigInt(text)) === BigInt(text) && BigInt(text) !== 0n
}

const VERSION_ON_CREATE = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'resourceVersion should not be set on objects to be created',
  code: 500,
} as const
