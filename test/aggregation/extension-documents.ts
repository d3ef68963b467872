const VERBS = ['create', 'delete', 'get', 'list', 'watch']

/** The resources of a group and version, in the form that all servers have. */
export function resourceListOf(groupVersion: string): object {
  return {
    kind: 'APIResourceList',
    apiVersion: 'v1',
    groupVersion,
    resources: [
      {
        name: 'things',
        singularName: 'thing',
        namespaced: false,
        kind: 'Thing',
        verbs: VERBS,
        shortNames: ['th'],
        categories: ['all'],
      },
      { name: 'things/status', singularName: '', namespaced: false, kind: 'Thing', verbs: ['get'] },
      { name: 'parts', singularName: '', namespaced: true, kind: 'Part', verbs: ['list'] },
    ],
  }
}

/** All that a server serves, in the aggregated form. */
export function discoveryOf(group: string): object {
  const responseKind = (version: string, kind = 'Thing') => ({ group, version, kind })
  const thing = (version: string) => ({
    resource: 'things',
    responseKind: responseKind(version),
    scope: 'Cluster',
    singularResource: 'thing',
    verbs: VERBS,
    shortNames: ['th'],
    subresources: [{ subresource: 'status', responseKind: responseKind(version), verbs: ['get'] }],
  })
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: [
      {
        metadata: { name: group },
        versions: [
          { version: 'v1', resources: [thing('v1')], freshness: 'Current' },
          { version: 'v1beta1', resources: [thing('v1beta1')], freshness: 'Current' },
        ],
      },
      { metadata: { name: 'unasked.example.com' }, versions: [{ version: 'v1', resources: [thing('v1')] }] },
    ],
  }
}

const NAME = 'com.example.v1.Thing'
const META = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'

/** The OpenAPI v2 document of a server. One definition has the name of one of Kubernetes' own and another content. */
export function swaggerOf(group: string): object {
  const ref = (name: string) => ({ $ref: `#/definitions/${name}` })
  return {
    swagger: '2.0',
    info: { title: 'Extension', version: '1' },
    paths: {
      [`/apis/${group}/v1/things/{name}`]: {
        parameters: [
          { name: 'name', in: 'path', required: true, type: 'string', uniqueItems: true },
          { $ref: '#/parameters/pretty' },
        ],
        get: {
          description: 'read a Thing',
          consumes: ['*/*'],
          produces: ['application/json', 'application/yaml'],
          operationId: `read_${group}`,
          responses: { 200: { description: 'OK', schema: ref(NAME) } },
        },
        put: {
          consumes: ['application/json'],
          produces: ['application/json'],
          operationId: `replace_${group}`,
          parameters: [{ name: 'body', in: 'body', required: true, schema: ref(NAME) }],
          responses: { 200: { description: 'OK', schema: ref(NAME) }, 401: { description: 'Unauthorized' } },
        },
      },
      '/apis/unasked.example.com/v1/things': { get: { responses: { 200: { description: 'OK' } } } },
    },
    definitions: {
      [NAME]: {
        description: `A Thing of ${group}.`,
        type: 'object',
        properties: { metadata: ref(META), size: { type: 'integer', format: 'int32', default: 1 } },
        'x-kubernetes-group-version-kind': [{ group, kind: 'Thing', version: 'v1' }],
      },
      [META]: {
        description: 'Metadata of its own.',
        type: 'object',
        properties: { name: { type: 'string' } },
      },
      'com.example.v1.Unused': { type: 'object' },
    },
    parameters: {
      pretty: { name: 'pretty', in: 'query', type: 'string', uniqueItems: true, description: 'pretty' },
    },
  }
}

/** The OpenAPI v3 document of a server. */
export function openApiOf(group: string): object {
  return {
    openapi: '3.0.0',
    info: { title: 'Extension', version: '1' },
    paths: { [`/apis/${group}/v1/things`]: { get: { responses: { 200: { description: 'OK' } } } } },
    components: { schemas: { [NAME]: { type: 'object' } } },
  }
}
