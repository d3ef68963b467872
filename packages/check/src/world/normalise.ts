import { isJsonObject, setKey, type JsonObject } from '@homeostat/api'

/** Values that differ in every run are replaced by one of these. */
const TIME = '<time>'
const ASSIGNED = '<assigned by the server>'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
/** Annotations that controllers of Kubernetes write into objects of others. */
const ANNOTATIONS_OF_CONTROLLERS = /^(deployment\.kubernetes\.io|pv\.kubernetes\.io|volume\.kubernetes\.io)\//
/** Fields that an API server or another controller fills in, by kind. */
const ASSIGNED_FIELDS: ReadonlyMap<string, readonly string[]> = new Map([
  ['Service', ['clusterIP', 'clusterIPs', 'healthCheckNodePort', 'nodePort']],
  ['PersistentVolumeClaim', ['volumeName']],
  ['Namespace', ['finalizers']],
])

/** An object as it is compared between runs. */
export type NormalisedObject = Readonly<Record<string, unknown>>

export interface NormaliseOptions {
  /** Names for the uids of all objects that are compared. */
  readonly uids: ReadonlyMap<string, string>
  /** Whether the operator writes its status. */
  readonly withStatus: boolean
}

/**
 * The object without values that differ in every run: identities, versions, times, and values that a server
 * assigns.
 */
export function normalise(object: any, { uids, withStatus }: NormaliseOptions): NormalisedObject {
  const { apiVersion, kind, metadata = {}, status, ...content } = object
  const { labels, annotations, ownerReferences, finalizers } = metadata
  const kept = {
    ...(!isEmpty(labels) && { labels }),
    ...ownAnnotations(annotations),
    ...(!isEmpty(ownerReferences) && { ownerReferences }),
    ...(!isEmpty(finalizers) && { finalizers }),
    ...(metadata.deletionTimestamp && { deletionTimestamp: TIME }),
  }
  const assigned = new Set(ASSIGNED_FIELDS.get(kind))
  const generation = metadata.generation as number | undefined
  const walk = (value: unknown, key: string): unknown => {
    if (assigned.has(key)) return ASSIGNED
    if (key === 'observedGeneration' && typeof value === 'number' && generation !== undefined) {
      return value === generation ? '<current>' : `<${generation - value} behind>`
    }
    if (typeof value === 'string') return isTimestamp(value) ? TIME : (uids.get(value) ?? value)
    if (Array.isArray(value)) {
      const items = value.map((item) => walk(item, ''))
      return key === 'conditions' ? items.toSorted(byType) : items
    }
    if (!isJsonObject(value)) return value
    const sorted: JsonObject = {}
    for (const name of Object.keys(value).sort()) setKey(sorted, name, walk(value[name], name))
    return sorted
  }
  return {
    apiVersion,
    kind,
    ...(Object.keys(kept).length > 0 && { metadata: walk(kept, '') }),
    ...(walk(content, '') as object),
    ...(withStatus && !isEmpty(status) && { status: walk(status, '') }),
  }
}

/** Most texts have no dash where a timestamp has one. */
function isTimestamp(text: string): boolean {
  return text[4] === '-' && TIMESTAMP.test(text)
}

function ownAnnotations(annotations: object = {}): { annotations?: object } {
  const own = Object.entries(annotations).filter(([key]) => !ANNOTATIONS_OF_CONTROLLERS.test(key))
  return own.length === 0 ? {} : { annotations: Object.fromEntries(own) }
}

function byType(a: unknown, b: unknown): number {
  const type = (item: unknown): string => (isJsonObject(item) ? String(item['type']) : '')
  return type(a) < type(b) ? -1 : 1
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}
