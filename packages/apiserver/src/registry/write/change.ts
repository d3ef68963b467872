import { failure, type Status } from '@homeostat/api'
import { causesOf, invalidValue, type FieldError } from '../../schema/field-error.ts'
import { quote } from '../../schema/go-text.ts'
import { equalJson, integerOf } from '../../schema/json.ts'
import { validateObjectMeta, validateObjectMetaUpdate } from '../../schema/object-meta.ts'
import { admitted, type Proposal } from './admission.ts'
import { checkStorable } from '../conversion-webhook.ts'
import { create, type Written } from './creation.ts'
import { checkKind } from '../decode/check-identity.ts'
import { Failure } from '../failure.ts'
import { kindInErrors } from '../kind-in-errors.ts'
import { problemsOf } from './problems.ts'
import { prepareUpdate, type Update } from './prepare-change.ts'
import { keyIn, type Registry } from '../registry.ts'
import { served } from '../served.ts'
import type { ServerObject } from '../server-object.ts'
import type { Target, WriteOptions } from '../target.ts'
import { computed, isLarge, pause } from '../../work/index.ts'

/**
 * Changes an object: reads it, changes it, checks it, and stores it if no other write came in between; else
 * starts over, as often as it takes: whenever one has to, another has got on. A change that changes nothing writes
 * nothing.
 */
export async function update(
  registry: Registry,
  target: Target,
  change: Update,
  options: WriteOptions,
): Promise<Written> {
  const { resource, name } = target
  const rules = registry.rules(resource)
  const key = keyIn(resource, target.namespace, name)
  for (let attempt = 1; ; attempt++) {
    const existing = registry.get(resource, key)
    if (!existing) {
      const creates = change.createMissing ?? rules.createOnUpdate ?? false
      if (!creates) throw new Failure(failure.notFound(resource, name))
      if (change.uid) {
        throw new Failure(
          failure.conflict(
            resource,
            name,
            `Precondition failed: UID in precondition: ${change.uid}, UID in object meta: `,
          ),
        )
      }
      const made = await change.change(undefined, isLarge(options.size))
      return create(registry, target, made, options, { managed: change.managed ?? false, byUpdate: true })
    }
    const current = served(existing, resource)
    if (change.uid && change.uid !== current.metadata.uid) {
      throw new Failure(
        failure.conflict(
          resource,
          name,
          `Precondition failed: UID in precondition: ${change.uid}, UID in object meta: ${current.metadata.uid}`,
        ),
      )
    }
    const size = Math.max(existing.json.length, options.size ?? 0)
    const large = isLarge(size)
    // A large change would stop all others if it did not give way, and may lose for ever if it does.
    if (large && attempt > MOST_ATTEMPTS) throw new Failure(failure.conflict(resource, name))
    // A change that need not wait does not give way to others either.
    const changed = change.change(current, large)
    const object = changed instanceof Promise ? await changed : changed
    if (large) await pause(size)
    checkVersion(registry, target, object, current)
    if (resource.custom) checkKind(object, resource)
    const sent = options.admit && (await admitChange(target, change, object, current, options.admit))
    const prepared = computed(prepareUpdate(registry, target, change, object, current, options, large), large)
    if (prepared) await prepared
    if (sent) {
      const preparedSent = computed(
        prepareUpdate(registry, target, change, sent, current, options, large),
        large,
      )
      if (preparedSent) await preparedSent
      object.metadata.managedFields = sent.metadata.managedFields
    }
    if (large) await pause(size)
    checkStorable(resource)
    if (equalJson(withoutTimes(object), withoutTimes(current))) {
      warn(registry, target, change, object, current, options, true)
      return { object: current, stored: existing, created: false }
    }
    const checked = check(registry, target, change, object, current, options, size)
    if (checked) await checked
    // Nothing may come between taking something for the object and writing it.
    if (large && !rules.allocate) await pause(size)
    options.admit?.validate(proposalOf(target, change, object, current))
    if (options.dryRun)
      return { ...registry.rehearse(resource, key, existing.revision, object), created: false }
    if (isFinished(object, current) && (rules.finished?.(object) ?? true)) {
      if (registry.remove(resource, key, existing.revision)) return { object, created: false }
      continue
    }
    const stored = registry.put(resource, key, existing.revision, object)
    if (stored) return { object: stored.value as ServerObject, stored, created: false }
  }
}

/** How often a large change is tried before its writer is told of the conflict, as a Kubernetes API server does for patches. */
const MOST_ATTEMPTS = 5

/** Has a change admitted; gives the object back as it was sent, if that changed it. */
function admitChange(
  target: Target,
  change: Update,
  object: ServerObject,
  old: ServerObject,
  admit: NonNullable<WriteOptions['admit']>,
): Promise<ServerObject | undefined> {
  return admitted(admit, proposalOf(target, change, object, old))
}

function proposalOf(
  { resource, namespace, name }: Target,
  { subresource }: Update,
  object: ServerObject,
  old: ServerObject,
): Proposal & { object: ServerObject } {
  return { operation: 'UPDATE', resource, namespace, name, subresource, object, old }
}

/** A resourceVersion that the writer gives must be the current one; some kinds demand that it is given. */
function checkVersion(registry: Registry, target: Target, object: ServerObject, current: ServerObject): void {
  const { resource, name } = target
  const version = object.metadata.resourceVersion
  if (version && version !== '0') {
    if (!/^\d+$/.test(version)) throw new Failure(unreadableVersion(version))
    if (version !== current.metadata.resourceVersion) throw new Failure(failure.conflict(resource, name))
    return
  }
  if (!(registry.rules(resource).unconditionalUpdate ?? !resource.custom)) {
    const problem = invalidValue('metadata.resourceVersion', 0, 'must be specified for an update')
    throw new Failure(
      failure.invalid({ group: resource.group, kind: resource.plural }, name, causesOf([problem])),
    )
  }
  object.metadata.resourceVersion = current.metadata.resourceVersion
}

/** The API gives no reason for this one. */
function unreadableVersion(version: string): Status {
  const message = `strconv.ParseUint: parsing ${quote(version)}: invalid syntax`
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, code: 500 }
}

/** Fails where the change is not allowed. A promise where that takes long to say. */
function check(
  registry: Registry,
  target: Target,
  change: Update,
  object: ServerObject,
  current: ServerObject,
  options: WriteOptions,
  size: number,
): Promise<void> | undefined {
  const { resource, name } = target
  const rules = registry.rules(resource)
  const context = { ...registry.context(resource), dryRun: options.dryRun }
  const fixed = change.trusted || change.subresource === 'status'
  const unavailable = fixed ? [] : (rules.allocate?.(object, current, context) ?? [])
  if (unavailable.length > 0)
    throw new Failure(failure.invalid(kindInErrors(resource), name, causesOf(unavailable)))
  const own = change.trusted
    ? []
    : problemsOf(registry, {
        object,
        old: current,
        resource,
        names: rules.names ?? 'subdomain',
        subresource: change.subresource,
        size,
        warn: (message) => options.warn(message),
      })
  const judge = (found: readonly FieldError[]): void => {
    const problems = [
      ...validateObjectMeta(object.metadata, {
        namespaced: resource.scope === 'Namespaced',
        names: 'segment',
      }),
      ...validateObjectMetaUpdate(object.metadata, current.metadata),
      ...found,
    ]
    if (problems.length > 0)
      throw new Failure(failure.invalid(kindInErrors(resource), name, causesOf(problems)))
    warn(registry, target, change, object, current, options)
  }
  if (own instanceof Promise) return own.then(judge)
  judge(own)
  return undefined
}

/** Warns the writer of what the object holds. An update that changes nothing is answered with the same warnings. */
function warn(
  registry: Registry,
  { resource }: Target,
  { subresource }: Update,
  object: ServerObject,
  current: ServerObject,
  options: WriteOptions,
  unchanged = false,
): void {
  if (subresource !== undefined) return
  for (const warning of registry.warnings(resource, object, current, unchanged)) options.warn(warning)
}

/** Whether the object was only kept by finalizers, and has none left. */
function isFinished(object: ServerObject, current: ServerObject): boolean {
  return (
    current.metadata.deletionTimestamp !== undefined &&
    integerOf(current.metadata.deletionGracePeriodSeconds) === 0n &&
    (object.metadata.finalizers ?? []).length === 0
  )
}

/** The object without what may differ though nothing was changed. */
function withoutTimes(object: ServerObject): ServerObject {
  const { managedFields, ...metadata } = object.metadata
  const entries = managedFields?.map((entry) => ({ ...entry, time: '' }))
  return { ...object, metadata: { ...metadata, ...(entries ? { managedFields: entries } : {}) } }
}
