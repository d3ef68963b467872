import { timestamp, type PrinterColumn, type ScaleSubresource, type Scope } from '@homeostat/api'
import { equalJson, isObject, listOf, objectOf } from '../../schema/json.ts'
import type { KindRules, RulesContext } from '../kind-rules.ts'
import { collectionOf, type Registry } from '../registry.ts'
import type { Resource } from '../resource.ts'
import { specOf, statusOf, textOf, type ServerObject } from '../server-object.ts'

/** Where CRDs are stored. */
export const DEFINITIONS = 'apiextensions.k8s.io/customresourcedefinitions'
/** Holds a CRD until its objects are gone. */
export const CLEANUP_FINALIZER = 'customresourcecleanup.apiextensions.k8s.io'

const VERBS = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch']

interface Names {
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
}

interface Condition {
  readonly type: string
  readonly status: 'True' | 'False'
  readonly reason: string
  readonly message: string
}

/** A CRD's names are judged when it is written; those that are free are served from then on. */
export const customResourceDefinitionRules: KindRules = {
  generation: true,
  unconditionalUpdate: false,
  plainDeletion: true,
  deletionFinalizer: CLEANUP_FINALIZER,
  prepareCreate(object, context) {
    object['status'] = { storedVersions: [] }
    judge(object, context)
  },
  prepareUpdate: (object, _old, context) => judge(object, context),
  prepareDelete(object, context) {
    setCondition(object, context, {
      type: 'Terminating',
      status: 'True',
      reason: 'InstanceDeletionInProgress',
      message: 'CustomResource deletion is in progress',
    })
  },
}

/** Keeps the catalogue as the CRDs say, from now on. */
export function serveCustomResources(registry: Registry): void {
  for (const stored of registry.store.snapshot({ collection: DEFINITIONS })) {
    serve(registry, stored.key, stored.value as ServerObject)
  }
  registry.observe(({ resource, key, entry, previous }) => {
    if (collectionOf(resource) !== DEFINITIONS) return
    const [now, before] = [
      entry?.value as ServerObject | undefined,
      previous?.value as ServerObject | undefined,
    ]
    if (
      now &&
      before &&
      equalJson(now['spec'], before['spec']) &&
      isEstablished(now) === isEstablished(before)
    )
      return
    serve(registry, key, now)
  })
}

function serve(registry: Registry, name: string, definition: ServerObject | undefined): void {
  registry.catalogue.define(name, definition && isEstablished(definition) ? resourcesOf(definition) : [])
  for (const watch of registry.watches) watch.recheck()
}

/** The resources that a CRD defines, one for each version that is served; the preferred version first. */
export function resourcesOf(definition: ServerObject): Resource[] {
  const spec = specOf(definition)
  const names = namesOf(definition)
  return listOf(spec['versions'])
    .filter(isObject)
    .filter((version) => version['served'] === true)
    .map((version) => {
      const subresources = objectOf(version['subresources'])
      return {
        ...names,
        group: String(spec['group']),
        version: String(version['name']),
        scope: spec['scope'] as Scope,
        verbs: VERBS,
        subresources: {
          status: isObject(subresources['status']),
          scale: isObject(subresources['scale'])
            ? (subresources['scale'] as unknown as ScaleSubresource)
            : undefined,
        },
        custom: true,
        schema: {
          root: objectOf(objectOf(version['schema'])['openAPIV3Schema']),
          definitions: {},
        },
        columns: columnsOf(version),
      }
    })
    .sort((a, b) => compareVersions(a.version, b.version))
}

function columnsOf(version: Record<string, unknown>): PrinterColumn[] {
  return listOf(version['additionalPrinterColumns'])
    .filter(isObject)
    .map(({ jsonPath, ...column }) => ({ ...column, path: String(jsonPath) }) as unknown as PrinterColumn)
}

/** By stability (v1, v1beta1, v1alpha1), then the newest first; names of another form come last. */
function compareVersions(a: string, b: string): number {
  const [left, right] = [versionRank(a), versionRank(b)]
  for (let index = 0; index < 3; index++) {
    if (left[index] !== right[index]) return (right[index] ?? 0) - (left[index] ?? 0)
  }
  return a < b ? -1 : a > b ? 1 : 0
}

function versionRank(version: string): [number, number, number] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version)
  if (!match) return [0, 0, 0]
  const stability = match[2] === 'alpha' ? 1 : match[2] === 'beta' ? 2 : 3
  return [stability, Number(match[1]), Number(match[3] ?? 0)]
}

function namesOf(definition: ServerObject): Names {
  const names = objectOf(specOf(definition)['names'])
  const kind = String(names['kind'])
  return {
    plural: String(names['plural']),
    singular: textOf(names['singular'], kind.toLowerCase()),
    kind,
    listKind: textOf(names['listKind'], `${kind}List`),
    shortNames: listOf(names['shortNames']).map(String),
    categories: listOf(names['categories']).map(String),
  }
}

/** Accepts the names if no other CRD of the group has them, and records which versions have been stored. */
function judge(object: ServerObject, context: RulesContext): void {
  const status = { ...statusOf(object) }
  object['status'] = status
  const spec = specOf(object)
  const names = namesOf(object)
  const storage = listOf(spec['versions']).find((version) => objectOf(version)['storage'] === true)
  const stored = listOf(status['storedVersions']).map(String)
  const name = textOf(objectOf(storage)['name'])
  status['storedVersions'] = stored.includes(name) || name === '' ? stored : [...stored, name]
  const conflict = conflictOf(object, names, context)
  if (conflict) {
    setCondition(object, context, { type: 'NamesAccepted', status: 'False', ...conflict })
    if (!isEstablished(object)) {
      setCondition(object, context, {
        type: 'Established',
        status: 'False',
        reason: 'NotAccepted',
        message: 'not all names are accepted',
      })
    }
    return
  }
  status['acceptedNames'] = spec['names']
  setCondition(object, context, {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  })
  setCondition(object, context, {
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  })
}

function conflictOf(
  object: ServerObject,
  names: Names,
  context: RulesContext,
): { reason: string; message: string } | undefined {
  const others = context.store
    .snapshot({ collection: DEFINITIONS })
    .map((stored) => stored.value as ServerObject)
    .filter(
      (other) =>
        other.metadata.name !== object.metadata.name &&
        specOf(other)['group'] === specOf(object)['group'] &&
        isEstablished(other),
    )
    .map(namesOf)
  const words = new Set(others.flatMap((other) => [other.plural, other.singular, ...other.shortNames]))
  const kinds = new Set(others.flatMap((other) => [other.kind, other.listKind]))
  const used = (name: string): string => `${JSON.stringify(name)} is already in use`
  if (words.has(names.plural)) return { reason: 'PluralConflict', message: used(names.plural) }
  if (words.has(names.singular)) return { reason: 'SingularConflict', message: used(names.singular) }
  const short = names.shortNames.find((name) => words.has(name))
  if (short !== undefined) return { reason: 'ShortNamesConflict', message: used(short) }
  if (kinds.has(names.kind)) return { reason: 'KindConflict', message: used(names.kind) }
  if (kinds.has(names.listKind)) return { reason: 'ListKindConflict', message: used(names.listKind) }
  return undefined
}

function isEstablished(definition: ServerObject): boolean {
  return listOf(statusOf(definition)['conditions']).some((condition) => {
    const { type, status } = objectOf(condition)
    return type === 'Established' && status === 'True'
  })
}

/** Sets a condition; its time moves only with its status. */
function setCondition(object: ServerObject, context: RulesContext, condition: Condition): void {
  const status = { ...statusOf(object) }
  const conditions = listOf(status['conditions']).map(objectOf)
  const index = conditions.findIndex((one) => one['type'] === condition.type)
  const old = conditions[index]
  const time =
    old?.['status'] === condition.status ? old['lastTransitionTime'] : timestamp(context.clock.now())
  const next = { ...condition, lastTransitionTime: time }
  status['conditions'] =
    index < 0 ? [...conditions, next] : conditions.map((one, at) => (at === index ? next : one))
  object['status'] = status
}
