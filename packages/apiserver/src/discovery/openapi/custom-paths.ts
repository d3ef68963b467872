import type { Resource } from '../../registry/index.ts'
import { componentName, reference } from './custom-schema.ts'
import type { Component, SharedParts } from './native-documents.ts'

const META = 'io.k8s.apimachinery.pkg.apis.meta.v1'
const STATUS = `${META}.Status`
const SCALE = 'io.k8s.api.autoscaling.v1.Scale'
const ENCODINGS = ['application/json', 'application/yaml']
const PATCHES = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
]
const LIST = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'shardSelector',
  'timeoutSeconds',
  'watch',
]
const WRITE = ['dryRun', 'fieldManager', 'fieldValidation']
const DELETE = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'propagationPolicy',
]
const CODES = { 200: 'OK', 201: 'Created', 202: 'Accepted' } as const

/** One operation, with its parameters and body. */
interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** The beginning of the operation's id, and its name in discovery. */
  readonly id: string
  readonly action: string
  readonly description: string
  readonly parameters?: readonly string[]
  readonly takes?: { readonly type: string; readonly as: readonly string[]; readonly required: boolean }
  readonly gives: string
  readonly codes: readonly (keyof typeof CODES)[]
}

/** The paths of a custom kind with their operations. Tools read here which options a PATCH accepts. */
export function pathsOf(resource: Resource, shared: SharedParts): Record<string, Component> {
  const { group, version, plural, scope, kind, subresources } = resource
  const prefix = `/apis/${group}/${version}`
  const namespaced = scope === 'Namespaced'
  const collection = namespaced ? `${prefix}/namespaces/{namespace}/${plural}` : `${prefix}/${plural}`
  const place = namespaced ? ['namespace'] : []
  const object = componentName(resource)
  const list = componentName(resource, resource.listKind)
  const item = (
    operations: readonly Operation[],
    scopeName: string,
    suffix: string,
    names: readonly string[],
  ) => ({
    ...operationsOf(resource, operations, shared, scopeName, suffix),
    parameters: names.map((name) => parameter(name, kind, shared)),
  })
  const inPlace = namespaced ? 'Namespaced' : ''
  const one = [...(namespaced ? ['name', 'namespace'] : ['name']), 'pretty']
  const paths: Record<string, Component> = {
    [collection]: item(collectionOperations(kind, object, list), inPlace, '', [...place, 'pretty']),
    [`${collection}/{name}`]: item(objectOperations(kind, object), inPlace, '', one),
  }
  if (namespaced) {
    const [listing] = collectionOperations(kind, object, list)
    const { parameters: _, ...across } = listing!
    const names = [...LIST, 'pretty'].sort()
    paths[`${prefix}/${plural}`] = item([across], '', 'ForAllNamespaces', names)
  }
  const served = [
    ...(subresources.status ? [['status', object] as const] : []),
    ...(subresources.scale ? [['scale', SCALE] as const] : []),
  ]
  for (const [name, type] of served) {
    const suffix = name.charAt(0).toUpperCase() + name.slice(1)
    const operations = objectOperations(kind, type, `${name} of `).filter(({ method }) => method !== 'delete')
    paths[`${collection}/{name}/${name}`] = item(operations, inPlace, suffix, one)
  }
  return paths
}

function collectionOperations(kind: string, object: string, list: string): Operation[] {
  return [
    {
      method: 'get',
      id: 'list',
      action: 'list',
      description: `list objects of kind ${kind}`,
      parameters: LIST,
      gives: list,
      codes: [200],
    },
    {
      method: 'post',
      id: 'create',
      action: 'post',
      description: `create ${withArticle(kind)}`,
      parameters: WRITE,
      takes: { type: object, as: ENCODINGS, required: true },
      gives: object,
      codes: [200, 201, 202],
    },
    {
      method: 'delete',
      id: 'deleteCollection',
      action: 'deletecollection',
      description: `delete collection of ${kind}`,
      parameters: LIST,
      gives: STATUS,
      codes: [200],
    },
  ]
}

/** `of` names a part of the object: `status of `. */
function objectOperations(kind: string, object: string, of = ''): Operation[] {
  return [
    {
      method: 'get',
      id: 'read',
      action: 'get',
      description: `read ${of}the specified ${kind}`,
      parameters: ['resourceVersion'],
      gives: object,
      codes: [200],
    },
    {
      method: 'put',
      id: 'replace',
      action: 'put',
      description: `replace ${of}the specified ${kind}`,
      parameters: WRITE,
      takes: { type: object, as: ENCODINGS, required: true },
      gives: object,
      codes: [200, 201],
    },
    {
      method: 'delete',
      id: 'delete',
      action: 'delete',
      description: `delete ${withArticle(kind)}`,
      parameters: DELETE,
      takes: { type: `${META}.DeleteOptions`, as: ENCODINGS, required: false },
      gives: STATUS,
      codes: [200, 202],
    },
    {
      method: 'patch',
      id: 'patch',
      action: 'patch',
      description: `partially update ${of}the specified ${kind}`,
      parameters: [...WRITE, 'force'],
      takes: { type: `${META}.Patch`, as: PATCHES, required: true },
      gives: object,
      codes: [200],
    },
  ]
}

function operationsOf(
  resource: Resource,
  operations: readonly Operation[],
  shared: SharedParts,
  scope: string,
  suffix: string,
): Record<string, Component> {
  const { group, version, kind } = resource
  const [groupName, versionName] = [groupWords(group, true), identifier(version, true)]
  const tag = `${groupWords(group, false)}_${version}`
  const entries = operations.map((operation) => {
    // The id of a deletion of many has `Collection` in its middle.
    const many = operation.id === 'deleteCollection'
    const verb = many ? 'delete' : operation.id
    const { takes } = operation
    return [
      operation.method,
      {
        tags: [tag],
        description: operation.description,
        operationId: `${verb}${groupName}${versionName}${identifier(`${many ? 'Collection' : ''}${scope}${kind}${suffix}`, true)}`,
        ...(operation.parameters && {
          parameters: operation.parameters.map((name) =>
            parameter(name, kind, shared, operation.method === 'patch'),
          ),
        }),
        ...(takes && {
          requestBody: { content: content(takes.type, takes.as), ...(takes.required && { required: true }) },
        }),
        responses: Object.fromEntries([
          ...operation.codes.map((code) => [
            code,
            { description: CODES[code], content: content(operation.gives, ENCODINGS) },
          ]),
          [401, { description: 'Unauthorized' }],
        ]) as Component,
        'x-kubernetes-action': operation.action,
        'x-kubernetes-group-version-kind': { group, version, kind },
      },
    ] as const
  })
  return Object.fromEntries(entries)
}

/** A kind with `a` or `an`. A kind whose name looks like a plural has no article. */
function withArticle(kind: string): string {
  if (/[^s]s$/.test(kind)) return kind
  return /^[aeiou]/i.test(kind) ? `an ${kind}` : `a ${kind}`
}

/** A group in an operation id; groups of Kubernetes have the first part of their name there. */
function groupWords(group: string, capital: boolean): string {
  return identifier(group.replace(/\.k8s\.io$/, ''), capital)
}

/** Joins the words of a name, each with a capital: operation ids hold no punctuation and do not begin with a digit. */
function identifier(name: string, capital: boolean): string {
  const [first = '', ...rest] = name.split(/^\d|[^a-zA-Z0-9_]/)
  const capitals = rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return [capital ? first.charAt(0).toUpperCase() + first.slice(1) : first, ...capitals].join('')
}

function content(type: string, encodings: readonly string[]): Component {
  return Object.fromEntries(encodings.map((encoding) => [encoding, { schema: reference(type) }]))
}

/** A parameter with its text in the native documents. A patch has a longer text for its field manager. */
function parameter(name: string, kind: string, shared: SharedParts, ofPatch = false): Component {
  const named = shared.parameters.filter((one) => one['name'] === name)
  if (name === 'name') return { ...named[0], description: `name of the ${kind}` }
  const forPatch = (one: Component): boolean => String(one['description']).includes('apply requests')
  const known = named.find((one) => forPatch(one) === ofPatch) ?? named[0]
  return known ?? { name, in: 'query', schema: { type: 'string', uniqueItems: true } }
}
