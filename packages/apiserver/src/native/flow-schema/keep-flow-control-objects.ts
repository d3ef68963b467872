import { timestamp, type Timer } from '@homeostat/api'
import {
  collectionOf,
  createIfMissing,
  loadWrites,
  ownWrites,
  storedObject,
  type OwnObject,
  type Registry,
  type Resource,
  type ServerObject,
  type WriteOptions,
} from '../../registry/index.ts'
import { equalJson, isObject, listOf, objectOf, textOf } from '../../schema/index.ts'
import { isStoreFailure } from '../../storage/index.ts'
import { flowControlObjects, isMandatory, MANAGER_NAME, UPDATES_SPEC } from './flow-control-objects.ts'

const GROUP = 'flowcontrol.apiserver.k8s.io'
const SCHEMAS = `${GROUP}/flowschemas`
const LEVELS = `${GROUP}/prioritylevelconfigurations`
/** The field manager of the conditions. */
const CONDITIONS_MANAGER = 'api-priority-and-fairness-config-consumer-v1'
/** When a changed default object is restored, in milliseconds. */
const RESTORED_AFTER = 60_000

/**
 * Says in the status of each FlowSchema whether its level exists, and restores the default objects a minute after a client has
 * changed or deleted one, as kube-apiserver does. Disposing the result stops it. `isNew` says that the server itself has just created
 * all of them.
 */
export function keepFlowControlObjects(registry: Registry, isNew: boolean): Disposable {
  let timer: Timer | undefined
  let isDue = false
  const restoreLater = (): void => {
    timer ??= registry.clock.schedule(RESTORED_AFTER, () => {
      timer = undefined
      registry.soon('the default objects of priority and fairness', () => restore(registry))
    })
  }
  const follow = (): void => {
    if (isDue) return
    isDue = true
    registry.soon('the conditions of FlowSchemas', async () => {
      isDue = false
      await updateConditions(registry)
      if (deviations(registry).length > 0) restoreLater()
    })
  }
  registry.observe(({ resource }) => {
    if (resource.group === GROUP) follow()
  })
  // The objects that an earlier process has left in the data folder.
  if (!isNew && deviations(registry).length > 0) follow()
  return { [Symbol.dispose]: () => timer?.cancel() }
}

/** A difference from the default objects: an object to create, to change or to delete. */
type Deviation =
  | { readonly missing: OwnObject }
  | { readonly changed: Resource; readonly name: string; readonly spec: unknown; readonly updates: boolean }
  | { readonly unwanted: Resource; readonly name: string }

async function restore(registry: Registry): Promise<void> {
  await loadWrites(registry)
  for (const deviation of deviations(registry)) {
    if ('missing' in deviation) createIfMissing(registry, deviation.missing)
    else if ('unwanted' in deviation) {
      ownWrites.get().deleteObject(registry, { resource: deviation.unwanted, name: deviation.name }, {})
    } else {
      const { changed: resource, name, spec, updates } = deviation
      await quietly(() =>
        ownWrites
          .get()
          .update(
            registry,
            { resource, name },
            { change: (current) => revised(current, spec, updates) },
            writeOptions(MANAGER_NAME),
          ),
      )
    }
  }
}

function deviations(registry: Registry): readonly Deviation[] {
  const wanted = flowControlObjects(timestamp(registry.clock.now()))
  const found = [SCHEMAS, LEVELS].flatMap((collection) => {
    const resource = registry.catalogue.find(GROUP, 'v1', collection.slice(GROUP.length + 1))
    if (!resource) return []
    const stored = registry.store.snapshot({ collection }).map(storedObject)
    return stored.map((object) => ({ resource, object }))
  })
  const all: Deviation[] = []
  for (const own of wanted) {
    const { kind, metadata, spec } = own.object
    const { name = '' } = metadata
    const current = found.find(({ object }) => object.kind === kind && object.metadata.name === name)
    if (!current) {
      if (registry.catalogue.all().some((resource) => resource.group === GROUP)) all.push({ missing: own })
      continue
    }
    const { resource, object } = current
    const updates = isMandatory(name) || updatesSpec(object)
    const isAnnotated = booleanOf(annotation(object)) === updates
    const isEqual = !updates || equalJson(comparable(own.object, object), object['spec'])
    if (isAnnotated && isEqual) continue
    all.push({ changed: resource, name, spec: isEqual ? object['spec'] : spec, updates })
  }
  for (const { resource, object } of found) {
    const isWanted = wanted.some(
      (own) => own.object.kind === object.kind && own.object.metadata.name === object.metadata.name,
    )
    if (isWanted || booleanOf(annotation(object)) !== true) continue
    all.push({ unwanted: resource, name: object.metadata.name ?? '' })
  }
  return all
}

/** The wanted spec. The shares of the level `exempt` are free. */
function comparable({ spec, metadata }: ServerObject, current: ServerObject): unknown {
  const { exempt } = objectOf(current['spec'])
  return metadata.name === 'exempt' && isObject(exempt) && objectOf(spec)['exempt'] !== undefined
    ? { ...objectOf(spec), exempt }
    : spec
}

function revised(current: ServerObject | undefined, spec: unknown, updates: boolean): ServerObject {
  if (!current) throw new TypeError('an object that is missing cannot be revised')
  const annotations = { ...current.metadata.annotations, [UPDATES_SPEC]: String(updates) }
  return { ...current, metadata: { ...current.metadata, annotations }, spec }
}

/** Whether the spec of a suggested object follows the defaults: as its annotation says, or where no client has changed it. */
function updatesSpec(object: ServerObject): boolean {
  return booleanOf(annotation(object)) ?? (object.metadata.generation ?? 1) === 1
}

function annotation({ metadata }: ServerObject): string | undefined {
  return metadata.annotations?.[UPDATES_SPEC]
}

/** A boolean as Go reads it. */
function booleanOf(text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(text)) return true
  return ['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(text) ? false : undefined
}

/** Says in each FlowSchema whether its level exists. */
async function updateConditions(registry: Registry): Promise<void> {
  const resource = registry.catalogue.find(GROUP, 'v1', 'flowschemas')
  if (!resource || collectionOf(resource) !== SCHEMAS) return
  const levels = new Set(registry.store.snapshot({ collection: LEVELS }).map(({ key }) => key))
  for (const stored of registry.store.snapshot({ collection: SCHEMAS })) {
    const schema = storedObject(stored)
    const condition = danglingCondition(schema, levels)
    if (!condition) continue
    await loadWrites(registry)
    const { apiVersion, kind } = schema
    const name = schema.metadata.name ?? ''
    const lastTransitionTime = timestamp(registry.clock.now())
    const applied = {
      apiVersion,
      kind,
      metadata: { name },
      status: { conditions: [{ ...condition, lastTransitionTime }] },
    }
    await quietly(() =>
      ownWrites
        .get()
        .apply(
          registry,
          { resource, name },
          { applied, duplicates: [], force: true, subresource: 'status' },
          writeOptions(CONDITIONS_MANAGER),
        ),
    )
  }
}

/** The condition that a FlowSchema should have; undefined where it has it. */
function danglingCondition(
  schema: ServerObject,
  levels: ReadonlySet<string>,
): Readonly<Record<string, string>> | undefined {
  const level = textOf(objectOf(objectOf(schema['spec'])['priorityLevelConfiguration'])['name'])
  const exists = levels.has(level)
  const start = `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)}`
  const wanted = {
    type: 'Dangling',
    status: exists ? 'False' : 'True',
    reason: exists ? 'Found' : 'NotFound',
    message: `${start} ${exists ? 'and it exists' : 'but there is no such object'}`,
  }
  const current = listOf(objectOf(schema['status'])['conditions'])
    .map(objectOf)
    .find(({ type }) => type === 'Dangling')
  const isSame =
    current?.['status'] === wanted.status &&
    current['reason'] === wanted.reason &&
    current['message'] === wanted.message
  return isSame ? undefined : wanted
}

/** Ignores a write that fails because a client has deleted or changed the object meanwhile: that change causes another comparison. */
async function quietly(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (isStoreFailure(error)) throw error
  }
}

function writeOptions(fieldManager: string): WriteOptions {
  return { dryRun: false, fieldManager, fieldValidation: 'Ignore', warn: () => undefined }
}
