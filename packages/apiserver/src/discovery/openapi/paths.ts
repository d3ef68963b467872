import type { Resource } from '../../registry/resource.ts'
import { subresourcesOf } from '../subresources.ts'
import type { Component, Components } from './components.ts'

type Operation = Readonly<Record<string, unknown>>

const WRITE = ['dryRun', 'fieldManager', 'fieldValidation'] as const
const LIST = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'watch',
] as const
const DELETE = ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy'] as const
const BOOLEAN = new Set(['allowWatchBookmarks', 'force', 'orphanDependents', 'sendInitialEvents', 'watch'])
const INTEGER = new Set(['gracePeriodSeconds', 'limit', 'timeoutSeconds'])
const PATCHES = [
  'application/apply-patch+yaml',
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
]

/** Where a resource is served and with which operations. Tools look here for what a PATCH understands. */
export function pathsOf(resource: Resource, components: Components): Record<string, Operation> {
  const { group, version, plural, scope } = resource
  const prefix = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const namespaced = scope === 'Namespaced'
  const collection = namespaced ? `${prefix}/namespaces/{namespace}/${plural}` : `${prefix}/${plural}`
  const object = components.object(resource)
  const list = components.list(resource)
  const named = operations(resource, resource, object, namespaced ? 'Namespaced' : '')

  const paths: Record<string, Operation> = {
    [collection]: {
      ...named('get', 'list', 'list', list, LIST),
      ...named('post', 'create', 'post', object, WRITE, object),
      ...named('delete', 'deletecollection', 'deletecollection', STATUS, [...DELETE, ...LIST]),
      parameters: pathParameters(namespaced ? ['namespace'] : []),
    },
    [`${collection}/{name}`]: {
      ...named('get', 'read', 'get', object, []),
      ...named('put', 'replace', 'put', object, WRITE, object),
      ...named('delete', 'delete', 'delete', STATUS, DELETE),
      ...named('patch', 'patch', 'patch', object, [...WRITE, 'force'], object),
      parameters: pathParameters(namespaced ? ['name', 'namespace'] : ['name']),
    },
  }
  if (namespaced) {
    const across = operations(resource, resource, object, '', 'ForAllNamespaces')
    paths[`${prefix}/${plural}`] = { ...across('get', 'list', 'list', list, LIST), parameters: [] }
  }
  for (const subresource of subresourcesOf(resource)) {
    const scale = subresource.kind !== resource.kind
    const body = scale ? SCALE : object
    const suffix = subresource.name.charAt(0).toUpperCase() + subresource.name.slice(1)
    const below = operations(resource, subresource, body, namespaced ? 'Namespaced' : '', suffix)
    paths[`${collection}/{name}/${subresource.name}`] = {
      ...below('get', 'read', 'get', body, []),
      ...below('put', 'replace', 'put', body, WRITE, body),
      ...below('patch', 'patch', 'patch', body, [...WRITE, 'force'], body),
      parameters: pathParameters(namespaced ? ['name', 'namespace'] : ['name']),
    }
  }
  return paths
}

const STATUS: Component = { type: 'object' }
const SCALE: Component = { type: 'object' }

/** Makes the operations of one path, leaving out those whose verb the resource does not know. */
function operations(
  resource: Resource,
  type: { group: string; version: string; kind: string },
  object: Component,
  scope: string,
  suffix = '',
) {
  const groupName = resource.group === '' ? 'core' : (resource.group.split('.')[0] ?? '')
  const api = [groupName, resource.version]
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
  const own = type === resource
  const verbs: Record<string, string> = { read: 'get', replace: 'update', patch: 'patch' }
  return (
    method: string,
    name: string,
    action: string,
    answer: Component,
    query: readonly string[],
    body?: Component,
  ): Record<string, Operation> => {
    if (own && !resource.verbs.includes(verbs[name] ?? name)) return {}
    const patches = resource.custom ? PATCHES.slice(0, 3) : PATCHES
    return {
      [method]: {
        tags: [`${groupName}_${resource.version}`],
        operationId: `${name}${api}${scope}${resource.kind}${suffix}`,
        parameters: query.map(queryParameter),
        ...(body && {
          requestBody: {
            required: true,
            content:
              method === 'patch'
                ? Object.fromEntries(patches.map((type) => [type, { schema: { type: 'object' } }]))
                : { 'application/json': { schema: object } },
          },
        }),
        responses: {
          200: { description: 'OK', content: { 'application/json': { schema: answer } } },
        },
        'x-kubernetes-action': action,
        'x-kubernetes-group-version-kind': { group: type.group, kind: type.kind, version: type.version },
      },
    }
  }
}

function queryParameter(name: string): Component {
  const type = BOOLEAN.has(name) ? 'boolean' : INTEGER.has(name) ? 'integer' : 'string'
  return { name, in: 'query', schema: { type, uniqueItems: true } }
}

function pathParameters(names: readonly string[]): Component[] {
  return names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', uniqueItems: true },
  }))
}
