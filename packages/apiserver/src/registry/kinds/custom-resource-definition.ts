import {
  compareKindVersions,
  failure,
  timestamp,
  type PrinterColumn,
  type ScaleSubresource,
  type Scope,
} from '@homeostat/api'
import { approvalOf } from '../../native/custom-resource-definition/api-approval.ts'
import { copyJson, equalJson, isObject, listOf, objectOf, withNearestNumbers } from '../../schema/json.ts'
import type { TypeSchema } from '../../schema/type-schema.ts'
import type { Stored } from '../../storage/index.ts'
import { conversionWebhookOf } from '../conversion-webhook.ts'
import { Failure } from '../failure.ts'
import type { KindRules, RulesContext } from '../kind-rules.ts'
import { objectValidation } from '../lazy-object-validation.ts'
import { manage } from '../write/managed-fields.ts'
import { collectionOf, type Registry } from '../registry.ts'
import type { Resource } from '../resource.ts'
import { specOf, statusOf, textOf, type ServerMeta, type ServerObject } from '../server-object.ts'

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
  prepareCreate(object) {
    object['status'] = { acceptedNames: { kind: '', plural: '' }, conditions: null, storedVersions: [] }
    recordStorage(object)
  },
  prepareUpdate: (object) => recordStorage(object),
  prepareStatus(object) {
    // There is always one version in which objects may be stored.
    if (listOf(statusOf(object)['storedVersions']).length === 0) recordStorage(object)
  },
  warnings(object, old) {
    const { unknownFormats } = objectValidation.get()
    const formats = unknownFormats(object)
    const before = new Set(old && formats.length > 0 ? unknownFormats(old) : [])
    return formats
      .filter((format) => !before.has(format))
      .map((format) => `unrecognized format ${JSON.stringify(format)}`)
  },
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
    judgeSoon(registry, resource, toJudge(registry, key, entry?.value as ServerObject | undefined))
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

/** A CRD that was written is judged where it waits for names; one that is gone leaves its names to those that wait. */
function toJudge(registry: Registry, key: string, now: ServerObject | undefined): string[] {
  if (now) return waits(now) ? [key] : []
  return registry.store
    .snapshot({ collection: DEFINITIONS })
    .filter((stored) => summaryOf(stored).waits)
    .map((stored) => stored.key)
}

/** Judges soon what has been written, or what waited for the names of a CRD that is gone. */
function judgeSoon(registry: Registry, resource: Resource, keys: readonly string[]): void {
  if (keys.length === 0) return
  registry.soon('names of custom resources', () => {
    for (const key of keys) judge(registry, resource, key)
  })
}

/** What writes of other objects ask of a CRD. */
interface Summary {
  readonly name: string | undefined
  readonly group: unknown
  readonly acceptedNames: Record<string, unknown>
  readonly waits: boolean
  readonly terminating: boolean
}

const summaries = new WeakMap<Stored, Summary>()

/** The summary of a stored CRD, which is parsed for it once: a CRD may be large, and every write of one asks all others. */
function summaryOf(stored: Stored): Summary {
  let summary = summaries.get(stored)
  if (!summary) {
    const definition = stored.value as ServerObject
    summary = {
      name: definition.metadata.name,
      group: specOf(definition)['group'],
      acceptedNames: objectOf(statusOf(definition)['acceptedNames']),
      waits: waits(definition),
      terminating: definition.metadata.deletionTimestamp !== undefined,
    }
    summaries.set(stored, summary)
  }
  return summary
}

/** Whether the names of a CRD have not all been accepted. */
function waits(definition: ServerObject): boolean {
  return !equalJson(statusOf(definition)['acceptedNames'], specOf(definition)['names'])
}

function serve(registry: Registry, name: string, definition: ServerObject | undefined): void {
  registry.catalogue.define(name, definition && isEstablished(definition) ? resourcesOf(definition) : [])
  for (const watch of registry.watches) watch.recheck()
}

/** The resources that a CRD defines, one for each version that is served; the preferred version first. */
export function resourcesOf(definition: ServerObject): Resource[] {
  const spec = specOf(definition)
  const names = namesOf(definition)
  // The bounds in a schema are numbers as JavaScript has them.
  const versions = listOf(withNearestNumbers(spec['versions'])).filter(isObject)
  const schemas = new Map<string, TypeSchema>(
    versions.map((version) => [
      String(version['name']),
      { root: objectOf(objectOf(version['schema'])['openAPIV3Schema']), definitions: {} },
    ]),
  )
  const [best] = versions
    .filter((version) => version['served'] === true && version['deprecated'] !== true)
    .map((version) => String(version['name']))
    .sort(compareKindVersions)
  const storageVersion = String(versions.find((version) => version['storage'] === true)?.['name'])
  const conversionWebhook = conversionWebhookOf(spec)
  return versions
    .filter((version) => version['served'] === true)
    .map((version) => {
      const subresources = objectOf(version['subresources'])
      return {
        ...names,
        group: String(spec['group']),
        version: String(version['name']),
        storageVersion,
        conversionWebhook,
        selectableFields: listOf(version['selectableFields']).map((field) =>
          String(objectOf(field)['jsonPath']),
        ),
        scope: spec['scope'] as Scope,
        verbs: VERBS,
        subresources: {
          status: isObject(subresources['status']),
          scale: isObject(subresources['scale'])
            ? (subresources['scale'] as unknown as ScaleSubresource)
            : undefined,
        },
        custom: true,
        versions: schemas,
        schema: schemas.get(String(version['name']))!,
        columns: columnsOf(version),
        deprecation: deprecationOf(version, best, `${String(spec['group'])}/`, names.kind),
      }
    })
    .sort((a, b) => compareKindVersions(a.version, b.version))
}

/**
 * What clients of a deprecated version are told: its own words, or which version to use instead: `best`, where that is
 * better than the deprecated one.
 */
function deprecationOf(
  version: Record<string, unknown>,
  best: string | undefined,
  prefix: string,
  kind: string,
): string | undefined {
  if (version['deprecated'] !== true) return undefined
  if (typeof version['deprecationWarning'] === 'string') return version['deprecationWarning']
  const name = String(version['name'])
  const better = best !== undefined && compareKindVersions(best, name) < 0
  const instead = better ? `; use ${prefix}${best} ${kind}` : ''
  return `${prefix}${name} ${kind} is deprecated${instead}`
}

function columnsOf(version: Record<string, unknown>): PrinterColumn[] {
  return listOf(version['additionalPrinterColumns'])
    .filter(isObject)
    .map(({ jsonPath, ...column }) => ({ ...column, path: String(jsonPath) }) as unknown as PrinterColumn)
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

/** Records that objects are stored in the storage version from now on. */
function recordStorage(object: ServerObject): void {
  const status = { ...statusOf(object) }
  object['status'] = status
  const storage = listOf(specOf(object)['versions']).find((version) => objectOf(version)['storage'] === true)
  const stored = listOf(status['storedVersions']).map(String)
  const name = textOf(objectOf(storage)['name'])
  status['storedVersions'] = stored.includes(name) || name === '' ? stored : [...stored, name]
}

/**
 * Judges a CRD that has been written, as controllers do on a real server: first its names, then that it is
 * established. Each is a write of its own.
 */
function judge(registry: Registry, resource: Resource, key: string): void {
  const write = (change: (object: ServerObject, context: RulesContext) => void): void => {
    const stored = registry.store.get(DEFINITIONS, key)
    if (!stored) return
    const object = copyJson(stored.value) as ServerObject
    change(object, registry.context(resource))
    if (equalJson(object, stored.value)) return
    const before = stored.value as ServerObject
    manage(registry, { object, before, resource, manager: CONTROLLER, subresource: 'status' })
    registry.put(resource, key, stored.revision, object)
  }
  write((object, context) => {
    judgeNames(object, context)
    judgeApproval(object, context)
  })
  write(establish)
}

/** Who writes the status of CRDs. */
const CONTROLLER = 'kube-apiserver'

/** Accepts each name that no other CRD of the group has. What is established stays so. */
function judgeNames(object: ServerObject, context: RulesContext): void {
  const wanted = objectOf(specOf(object)['names'])
  const accepted = { ...objectOf(statusOf(object)['acceptedNames']) }
  if (equalJson(wanted, accepted)) return
  const conflict = acceptNames(wanted, accepted, othersOf(object, context))
  object['status'] = { ...statusOf(object), acceptedNames: accepted }
  setCondition(
    object,
    context,
    conflict
      ? { type: 'NamesAccepted', status: 'False', ...conflict }
      : { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' },
  )
  if (isEstablished(object)) return
  setCondition(
    object,
    context,
    conflict
      ? {
          type: 'Established',
          status: 'False',
          reason: 'NotAccepted',
          message: 'not all names are accepted',
        }
      : {
          type: 'Established',
          status: 'False',
          reason: 'Installing',
          message: 'the initial names have been accepted',
        },
  )
}

/** A CRD whose names have been accepted is served from then on. */
function establish(object: ServerObject, context: RulesContext): void {
  const accepted = listOf(statusOf(object)['conditions']).some((condition) => {
    const { type, status } = objectOf(condition)
    return type === 'NamesAccepted' && status === 'True'
  })
  if (!accepted || isEstablished(object)) return
  setCondition(object, context, {
    type: 'Established',
    status: 'True',
    reason: 'InitialNamesAccepted',
    message: 'the initial names have been accepted',
  })
}

/** The names that other CRDs of the group have been given. */
function othersOf(object: ServerObject, { store }: RulesContext): readonly Record<string, unknown>[] {
  return store
    .snapshot({ collection: DEFINITIONS })
    .map(summaryOf)
    .filter(({ name, group }) => name !== object.metadata.name && group === specOf(object)['group'])
    .map(({ acceptedNames }) => acceptedNames)
}

/** Takes into `accepted` what is free of the names wanted; the last conflict is the one that is told. */
function acceptNames(
  wanted: Record<string, unknown>,
  accepted: Record<string, unknown>,
  others: readonly Record<string, unknown>[],
): { reason: string; message: string } | undefined {
  const words = new Set(
    others.flatMap(({ plural, singular, shortNames }) => [plural, singular, ...listOf(shortNames)]),
  )
  const kinds = new Set(others.flatMap(({ kind, listKind }) => [kind, listKind]))
  let conflict: { reason: string; message: string } | undefined
  const used = (name: unknown): string => `${JSON.stringify(name)} is already in use`
  const take = (name: string, taken: ReadonlySet<unknown>): void => {
    if (wanted[name] === accepted[name] || !taken.has(wanted[name])) accepted[name] = wanted[name]
    else
      conflict = { reason: `${name[0]!.toUpperCase()}${name.slice(1)}Conflict`, message: used(wanted[name]) }
  }
  take('plural', words)
  take('singular', words)
  const own = new Set(listOf(accepted['shortNames']))
  const short = listOf(wanted['shortNames'])
  const missing = short.filter((name) => !own.has(name) && words.has(name))
  if (missing.length === 0) setOrDelete(accepted, 'shortNames', wanted['shortNames'])
  else {
    const lines = missing.map((name) => used(name))
    const message = lines.length === 1 ? lines[0]! : `[${lines.join(', ')}]`
    conflict = { reason: 'ShortNamesConflict', message }
  }
  take('kind', kinds)
  take('listKind', kinds)
  setOrDelete(accepted, 'categories', wanted['categories'])
  return conflict
}

function setOrDelete(target: Record<string, unknown>, name: string, value: unknown): void {
  if (value === undefined) delete target[name]
  else target[name] = value
}

/** Says of a CRD in one of Kubernetes' own groups whether it has been approved. */
function judgeApproval(object: ServerObject, context: RulesContext): void {
  const approval = approvalOf(object)
  if (!approval) return
  setCondition(object, context, {
    type: 'KubernetesAPIApprovalPolicyConformant',
    status: approval.state === 'Approved' ? 'True' : 'False',
    reason: `${approval.state}Annotation`,
    message: approval.message,
  })
}

/** Nothing new is made of a kind whose CRD is on its way out. */
export function admitToDefinition(registry: Registry, resource: Resource, { name = '' }: ServerMeta): void {
  if (!resource.custom) return
  const stored = registry.store.get(DEFINITIONS, `${resource.plural}.${resource.group}`)
  if (!stored) throw new Failure(failure.pathNotFound())
  if (!summaryOf(stored).terminating) return
  const why = 'create not allowed while custom resource definition is terminating'
  throw new Failure(failure.forbidden(resource, name, why))
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
