import { failure, type Status } from '@homeostat/api'
import type { Stored } from '../storage/index.ts'
import { causesOf } from '../schema/field-error.ts'
import { validateObjectMeta } from '../schema/object-meta.ts'
import { Failure } from './failure.ts'
import { admitToNamespace } from './kinds/namespace.ts'
import { manageCreate } from './managed-fields.ts'
import { fillNewMeta } from './object-meta.ts'
import { keyIn, type Registry } from './registry.ts'
import type { ServerObject } from './server-object.ts'
import { kindProblems } from './shape.ts'
import type { Place, WriteOptions } from './target.ts'

/** How many names are tried for `generateName` before the client is told to come back. */
const NAME_ATTEMPTS = 8

/** What a write leaves: the object, and unless nothing was stored its entry. */
export interface Written {
  readonly object: ServerObject
  readonly stored?: Stored | undefined
  readonly created: boolean
}

/** How an object is made: everything that depends on who asks. */
export interface CreateSource {
  /** Whether managed fields are in place already, as after server-side apply. */
  readonly managed?: boolean
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
  if (object.metadata.resourceVersion && object.metadata.resourceVersion !== '0')
    throw new Failure(VERSION_ON_CREATE)
  delete object.metadata.resourceVersion
  const generated = Boolean(object.metadata.generateName && !object.metadata.name)
  for (let attempt = 1; ; attempt++) {
    if (generated) delete object.metadata.name
    fillNewMeta(object, place, registry.clock)
    admitToNamespace(registry, place.resource, object.metadata)
    const written = store(registry, place, object, options, source)
    if (written) return written
    const name = object.metadata.name ?? ''
    if (!generated) throw new Failure(taken(registry, place, object))
    if (attempt === NAME_ATTEMPTS) throw new Failure(failure.generateNameConflict(resource, name))
  }
}

/** The name is there; that it is on its way out is worth knowing. */
function taken(registry: Registry, { resource }: Place, object: ServerObject): Status {
  const { namespace, name = '' } = object.metadata
  const existing = registry.get(resource, keyIn(resource, namespace, name))?.value as ServerObject | undefined
  const status = failure.alreadyExists(resource, name)
  if (!existing?.metadata.deletionTimestamp) return status
  return { ...status, message: `object is being deleted: ${status.message}` }
}

/** Undefined when there is an object of this name. */
function store(
  registry: Registry,
  place: Place,
  object: ServerObject,
  options: WriteOptions,
  source: CreateSource,
): Written | undefined {
  const { resource } = place
  const rules = registry.rules(resource)
  const context = registry.context(resource)
  if (rules.generation ?? resource.custom) object.metadata.generation = 1
  if (resource.custom && resource.subresources.status) delete object['status']
  if (!source.managed) manageCreate(registry, object, resource, options.fieldManager)
  rules.prepareCreate?.(object, context)
  const problems = [
    ...validateObjectMeta(object.metadata, {
      namespaced: resource.scope === 'Namespaced',
      names: rules.names ?? 'subdomain',
    }),
    ...kindProblems(object, undefined, resource),
    ...(rules.validate?.(object, undefined, context) ?? []),
  ]
  const { namespace, name = '' } = object.metadata
  if (problems.length > 0) throw new Failure(failure.invalid(resource, name, causesOf(problems)))
  const key = keyIn(resource, namespace, name)
  if (registry.get(resource, key)) return undefined
  const unavailable = rules.allocate?.(object, undefined, context) ?? []
  if (unavailable.length > 0) throw new Failure(failure.invalid(resource, name, causesOf(unavailable)))
  if (options.dryRun) return { object, created: true }
  const stored = registry.put(resource, key, 0, object)
  return stored && { object: stored.value as ServerObject, stored, created: true }
}

const VERSION_ON_CREATE = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'resourceVersion should not be set on objects to be created',
  code: 500,
} as const
