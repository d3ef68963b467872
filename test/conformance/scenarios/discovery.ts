import {
  configMap,
  configMaps,
  definition,
  pod,
  pods,
  widget,
  widgetDefinition,
  widgets,
} from '../objects.ts'
import { scenario, topic } from '../scenario.ts'
import { create, get, merge } from '../steps.ts'

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io'
const LISTS = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
const METADATA = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io'
const red = { labels: { color: 'red' } }

const named =
  (...names: string[]) =>
  (body: any) =>
    body.resources
      .filter(({ name }: any) => names.includes(name))
      .map((resource: any) => ({ ...resource, verbs: resource.verbs.toSorted() }))

const printed = definition(
  'Printed',
  {
    spec: {
      type: 'object',
      properties: { size: { type: 'integer' }, when: { type: 'string', format: 'date-time' } },
    },
  },
  {
    version: {
      additionalPrinterColumns: [
        { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'How large' },
        { name: 'When', type: 'date', jsonPath: '.spec.when', priority: 1 },
        { name: 'All', type: 'string', jsonPath: '.spec' },
      ],
    },
  },
)

/** Kinds of one group. The least stable version comes first, and each kind has others. */
const ordered = [
  ['Early', 'v1alpha1'],
  ['Later', 'v1beta1', 'v1'],
  ['Other', 'foo1', 'v2alpha1', 'v10', 'v2'],
].map(([kind = '', ...versions]) => {
  const { spec, ...rest } = definition(
    kind,
    { spec: { type: 'object' } },
    { spec: { group: 'order.example.com' } },
  )
  const [version] = spec.versions
  const all = versions.map((name, index) => ({ ...version, name, storage: index === 0 }))
  return { ...rest, spec: { ...spec, versions: all } }
})

/** Paths and parameters of an operation that clients look for. */
const operation = (path: string, method: string) => (body: any) => {
  const found = body.paths[path]?.[method]
  return {
    kind: found?.['x-kubernetes-group-version-kind'],
    action: found?.['x-kubernetes-action'],
    parameters: [...(body.paths[path]?.parameters ?? []), ...(found?.parameters ?? [])]
      .map((parameter: any) => parameter.name as string)
      .toSorted(),
    bodies: Object.keys(found?.requestBody?.content ?? {}).toSorted(),
  }
}

/** The served documents: discovery, OpenAPI, tables. */
export const discovery = topic(
  'discovery',
  [
    scenario(
      'A3 discovery',
      'of the core group',
      get('/api', { show: ({ kind, versions }) => ({ kind, versions }) }),
      get('/api/v1', {
        show: named('pods', 'pods/status', 'pods/eviction', 'namespaces', 'services', 'nodes'),
      }),
      get('/api/v1', { show: ({ resources }) => resources.map(({ name }: any) => name) }),
    ),
    scenario(
      'A3 discovery',
      'of groups',
      get('/apis', {
        show: ({ groups }) =>
          groups
            .filter(({ name }: any) => !name.endsWith('.example.com'))
            .map(({ name, preferredVersion, versions }: any) => [name, preferredVersion.version, versions]),
      }),
      get('/apis/apps'),
      get('/apis/apps/v1', { show: named('deployments', 'deployments/scale', 'deployments/status') }),
      get('/apis/none'),
      get('/apis/apps/v2'),
    ),
    scenario(
      'A3 discovery',
      'of a custom group',
      get('/apis/conformance.example.com'),
      get('/apis/conformance.example.com/v1', { show: named('widgets', 'widgets/status', 'widgets/scale') }),
    ),
    scenario(
      'A3 discovery',
      'of a group whose kinds have several versions',
      get('/apis/order.example.com'),
      get('/apis', { show: ({ groups }) => groups.find(({ name }: any) => name === 'order.example.com') }),
      get('/apis', {
        headers: { accept: AGGREGATED },
        show: ({ items }) =>
          items
            .find(({ metadata }: any) => metadata.name === 'order.example.com')
            .versions.map(({ version, resources }: any) => [
              version,
              resources.map(({ resource }: any) => resource),
            ]),
      }),
    ),
    scenario(
      'A3 discovery',
      'in one document',
      get('/api', {
        headers: { accept: AGGREGATED },
        show: ({ kind, apiVersion, items }) => ({
          kind,
          apiVersion,
          pods: items[0].versions[0].resources.find(({ resource }: any) => resource === 'pods'),
        }),
      }),
      get('/apis', {
        headers: { accept: AGGREGATED },
        show: ({ items }) => items.find(({ metadata }: any) => metadata.name === 'conformance.example.com'),
      }),
    ),
    scenario(
      'A3 discovery',
      'of groups with each resource',
      ...['apps', 'batch', 'autoscaling', 'policy', 'networking.k8s.io', 'rbac.authorization.k8s.io'].map(
        (group) =>
          get(`/apis/${group}/v1`, {
            show: ({ resources }) =>
              resources.map(({ name, kind, namespaced, shortNames, verbs }: any) => [
                name,
                kind,
                namespaced,
                shortNames ?? [],
                verbs.toSorted(),
              ]),
          }),
      ),
    ),
    scenario(
      'A3 discovery',
      'of the version and of health',
      get('/version', { show: ({ major, minor }) => [major, minor] }),
      get('/healthz'),
      get('/livez'),
      get('/readyz'),
    ),
    scenario(
      'A4 OpenAPI',
      'lists its documents',
      get('/openapi/v3', {
        show: (body) => {
          const { paths } = typeof body === 'string' ? JSON.parse(body) : body
          return {
            core: Object.keys(paths['api/v1']),
            hash: /\?hash=[0-9A-F]{128}$/.test(paths['api/v1'].serverRelativeURL),
            custom: 'apis/conformance.example.com/v1' in paths,
          }
        },
      }),
      get('/openapi/v3/apis/none/v1'),
    ),
    scenario(
      'A4 OpenAPI',
      'says which options a write of a native kind has',
      get('/openapi/v3/api/v1', { show: operation('/api/v1/namespaces/{namespace}/pods/{name}', 'patch') }),
      get('/openapi/v3/api/v1', { show: operation('/api/v1/namespaces/{namespace}/pods', 'post') }),
      get('/openapi/v3/apis/apps/v1', {
        show: operation('/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale', 'patch'),
      }),
    ),
    scenario(
      'A4 OpenAPI',
      'says which options a write of a custom kind has',
      get('/openapi/v3/apis/conformance.example.com/v1', {
        show: operation('/apis/conformance.example.com/v1/namespaces/{namespace}/widgets/{name}', 'patch'),
      }),
      get('/openapi/v3/apis/conformance.example.com/v1', {
        show: ({ components }) => components.schemas['com.example.conformance.v1.Widget'].properties.spec,
      }),
    ),
    scenario(
      'A4 OpenAPI',
      'describes fields for people',
      get('/openapi/v3/apis/apps/v1', {
        show: ({ components }) => components.schemas['io.k8s.api.apps.v1.DeploymentSpec'],
      }),
      get('/openapi/v3/api/v1', {
        show: ({ components }) => components.schemas['io.k8s.api.core.v1.ConfigMap'],
      }),
    ),
    scenario(
      'A6 tables',
      'of maps',
      create(configMaps, configMap('a', { x: '1', y: '2' }, red)),
      get(`${configMaps}?labelSelector=color`, { headers: { accept: TABLE } }),
      get(`${configMaps}/a`, { headers: { accept: TABLE } }),
      get(`${configMaps}?labelSelector=none`, { headers: { accept: TABLE } }),
    ),
    scenario(
      'A6 tables',
      'with more or less of the objects',
      create(configMaps, configMap('a', { x: '1' }, red)),
      get(`${configMaps}?labelSelector=color&includeObject=None`, { headers: { accept: TABLE } }),
      get(`${configMaps}?labelSelector=color&includeObject=Metadata`, { headers: { accept: TABLE } }),
      get(`${configMaps}?labelSelector=color&includeObject=Object`, { headers: { accept: TABLE } }),
      get(`${configMaps}?includeObject=Some`, { headers: { accept: TABLE } }),
    ),
    scenario(
      'A6 tables',
      'as kubectl asks for them',
      create(pods, pod('a', {}, red)),
      get(`${pods}?limit=500`, {
        headers: { accept: `${TABLE},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json` },
      }),
      get(`${pods}/none`, { headers: { accept: `${TABLE},application/json` } }),
    ),
    scenario(
      'A6 tables',
      'of a custom kind with columns of its own',
      create('/apis/conformance.example.com/v1/~/printeds', {
        apiVersion: 'conformance.example.com/v1',
        kind: 'Printed',
        metadata: { name: 'a' },
        spec: { size: 5 },
      }),
      get('/apis/conformance.example.com/v1/~/printeds', { headers: { accept: TABLE } }),
      create(widgets, widget('a')),
      get(widgets, { headers: { accept: TABLE } }),
    ),
    scenario(
      'A6 tables',
      'where there are none',
      get('/apis/apps/v1/~/deployments/none/scale', { headers: { accept: TABLE } }),
      create(
        '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
        {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SelfSubjectAccessReview',
          spec: { resourceAttributes: { verb: 'get', resource: 'pods' } },
        },
        { headers: { accept: TABLE } },
      ),
      get('/api/v1', { headers: { accept: TABLE } }),
    ),
    scenario(
      'A6 tables',
      'and metadata alone',
      create(configMaps, configMap('a', { x: '1' }, red)),
      get(`${configMaps}?labelSelector=color`, { headers: { accept: LISTS } }),
      get(`${configMaps}/a`, { headers: { accept: METADATA } }),
      merge(`${configMaps}/a`, { data: { y: '1' } }, { headers: { accept: METADATA } }),
    ),
  ],
  { definitions: [widgetDefinition, printed, ...ordered] },
)
