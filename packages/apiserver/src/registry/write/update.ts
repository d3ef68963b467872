import { failure } from '@homeostat/api'
import type { Stored } from '../../storage/index.ts'
import { pause } from '../../work/index.ts'
import { checkName, checkNamespace } from '../decode/check-identity.ts'
import { decodeAndDefaultBody } from '../decode/decode-write-body.ts'
import type { SentBody } from '../decode/object-body.ts'
import { Failure } from '../resource/failure.ts'
import { keyIn, type Registry } from '../state/registry.ts'
import type { ServerObject } from '../resource/server-object.ts'
import { served } from '../stored/served.ts'
import type { Target, WriteOptions } from '../request/target.ts'
import { Change, uidConflict, type ChangeSource } from './change.ts'
import { Creation } from './creation.ts'
import { firstThenAgain } from './first-then-again.ts'
import { write, type Attempt } from './write.ts'
import type { Written } from './written.ts'

/** A change of an object. */
export interface Update extends ChangeSource {
  /** Whether a missing object is created. Default: as its kind says. */
  readonly createMissing?: boolean
}

/** Replaces an object, or a part of it such as its status, by the one in the body of a PUT. */
export async function replace(
  registry: Registry,
  target: Target,
  sent: SentBody & { readonly subresource?: string | undefined },
  options: WriteOptions,
): Promise<Written> {
  const decode = async (): Promise<{ object: ServerObject; size: number }> => {
    const stored = sent.subresource === 'status' ? storedAs(registry, target) : undefined
    const decoded = await decodeAndDefaultBody(registry, sent, options, stored)
    const { object } = decoded
    options.decoded?.(object)
    checkNamespace(object.metadata, target.namespace)
    checkName(object, target.name)
    return decoded
  }
  const { object, size } = await decode()
  await pause(size)
  const { subresource } = sent
  const uid = object.metadata.uid || undefined
  return update(
    registry,
    target,
    { subresource, uid, change: firstThenAgain(object, decode) },
    { ...options, size },
  )
}

/** The object as it is stored and served; undefined where it is missing, or only a webhook can convert it. */
function storedAs(registry: Registry, { resource, namespace, name }: Target): ServerObject | undefined {
  if (resource.conversionWebhook !== undefined) return undefined
  const stored = registry.get(resource, keyIn(resource, namespace, name))
  return stored && served(stored, resource)
}

/**
 * Changes an object by a function of the object as it is. The function is called again when another write came first. A
 * change that changes nothing writes nothing.
 */
export function update(
  registry: Registry,
  target: Target,
  change: Update,
  options: WriteOptions,
): Promise<Written> {
  return write((attempt) => beginUpdate(registry, target, change, options, attempt))
}

function beginUpdate(
  registry: Registry,
  target: Target,
  change: Update,
  options: WriteOptions,
  attempt: number,
): Attempt | Promise<Attempt> {
  const { resource, namespace, name } = target
  const existing = registry.get(resource, keyIn(resource, namespace, name))
  if (existing) {
    const readable = registry.conversions.readOne(existing, target)
    const begin = (current: Stored): Attempt =>
      new Change(registry, target, change, options, { existing, current }, attempt)
    return readable instanceof Promise ? readable.then(begin) : begin(readable)
  }
  if (!(change.createMissing ?? resource.strategy().createOnUpdate ?? false)) {
    throw new Failure(failure.notFound(resource, name))
  }
  if (change.uid) throw uidConflict(target, change.uid)
  const { managed = false } = change
  const source = {
    managed,
    byUpdate: true,
    subresource: change.subresource,
    change: (current: undefined, large: boolean) => change.change(current, large),
  }
  return new Creation(registry, target, source, options, attempt)
}
