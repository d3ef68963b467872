import { CONFIG_MAPS, many, type HostileCall, type HostileRequest } from './hostile-request.ts'

const PODS = '/api/v1/namespaces/default/pods'
const APPLY = 'application/apply-patch+yaml'
const keys = (size: number): Record<string, string> =>
  Object.fromEntries(many(size, (index) => [`k${index}`, '']))
const configMap = (data: object, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'h', ...metadata },
  data,
})
const post = (body: object): HostileCall => ({ method: 'POST', path: `${CONFIG_MAPS}?dryRun=All`, body })
const pod = (spec: object): HostileCall => ({
  method: 'POST',
  path: `${PODS}?dryRun=All`,
  body: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'h' },
    spec: { containers: [{ name: 'a', image: 'a' }], ...spec },
  },
})

/** Objects of native kinds with very many parts, and metadata with very many entries. */
export const NATIVE_OBJECTS: readonly HostileRequest[] = [
  {
    title: 'an apply with a great many labels',
    request: (size) => ({
      method: 'PATCH',
      path: `${CONFIG_MAPS}/h?fieldManager=m&force=true&dryRun=All`,
      contentType: APPLY,
      body: configMap({}, { labels: keys(size) }),
    }),
    size: 55_000,
    unstorable: 90_000,
    code: 201,
  },
  {
    title: 'invalid labels',
    request: (size) =>
      post(configMap({}, { labels: Object.fromEntries(many(size, (index) => [`/${index}`, '/'])) })),
    size: 50_000,
    unstorable: 150_000,
    code: 422,
  },
  {
    title: 'finalizers',
    request: (size) => post(configMap({}, { finalizers: many(size, (index) => `a.dev/f${index}`) })),
    size: 38_000,
    unstorable: 150_000,
    code: 201,
  },
  {
    title: 'owner references',
    request: (size) =>
      post(
        configMap(
          {},
          {
            ownerReferences: many(size, (index) => ({
              apiVersion: 'v1',
              kind: 'Pod',
              name: 'a',
              uid: `u${index}`,
            })),
          },
        ),
      ),
    size: 25_000,
    unstorable: 40_000,
    code: 201,
  },
  {
    title: 'managed fields that the client sends',
    request: (size) =>
      post(
        configMap(
          {},
          {
            managedFields: many(size, (index) => ({
              manager: `m${index}`,
              operation: 'Update',
              apiVersion: 'v1',
              time: '2026-01-01T00:00:00Z',
              fieldsType: 'FieldsV1',
              fieldsV1: { 'f:data': { [`f:k${index}`]: {} } },
            })),
          },
        ),
      ),
    size: 15_000,
    code: 201,
  },
  {
    title: 'a name of megabytes',
    request: (size) => post(configMap({}, { name: 'A'.repeat(size) })),
    size: 2_900_000,
    code: 422,
  },
  {
    title: 'unknown fields of a native kind',
    request: (size) => post({ ...configMap({}), ...keys(size) }),
    size: 250_000,
    code: 201,
  },
  {
    title: 'fields that stand twice',
    request: (size) => ({
      method: 'POST',
      path: `${CONFIG_MAPS}?dryRun=All`,
      body: `{"metadata":{"name":"h"},"data":{${many(size, (index) => `"k${index}":"","k${index}":""`).join(',')}}}`,
    }),
    size: 55_000,
    unstorable: 120_000,
    code: 201,
  },
  {
    title: 'containers',
    request: (size) => pod({ containers: many(size, (index) => ({ name: `c${index}`, image: 'a' })) }),
    size: 4_000,
    whole: true,
    unstorable: 70_000,
    code: 201,
  },
  {
    title: 'containers that all have the same name and port',
    request: (size) =>
      pod({
        containers: many(size, () => ({ name: 'c', image: 'a', ports: [{ containerPort: 1, hostPort: 1 }] })),
      }),
    size: 12_000,
    unstorable: 40_000,
    code: 422,
  },
  {
    title: 'volumes that one container mounts',
    request: (size) =>
      pod({
        containers: [
          {
            name: 'a',
            image: 'a',
            volumeMounts: many(size, (index) => ({ name: `v${index}`, mountPath: `/${index}` })),
          },
        ],
        volumes: many(size, (index) => ({ name: `v${index}`, emptyDir: {} })),
      }),
    size: 8_000,
    unstorable: 30_000,
    code: 201,
  },
  {
    title: 'variables of a container',
    request: (size) =>
      pod({
        containers: [
          { name: 'a', image: 'a', env: many(size, (index) => ({ name: `E${index}`, value: 'v' })) },
        ],
      }),
    size: 18_000,
    whole: true,
    unstorable: 90_000,
    code: 201,
  },
  {
    title: 'tolerations',
    request: (size) =>
      pod({ tolerations: many(size, (index) => ({ key: `k${index}`, operator: 'Exists' })) }),
    size: 60_000,
    unstorable: 70_000,
    code: 201,
  },
  {
    title: 'ports of a Service',
    request: (size) => ({
      method: 'POST',
      path: '/api/v1/namespaces/default/services?dryRun=All',
      body: {
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'h' },
        spec: { ports: many(size, (index) => ({ name: `p${index}`, port: (index % 65_535) + 1 })) },
      },
    }),
    size: 10_000,
    whole: true,
    unstorable: 60_000,
    code: 201,
  },
  {
    title: 'rules of a role',
    request: (size) => ({
      method: 'POST',
      path: '/apis/rbac.authorization.k8s.io/v1/clusterroles?dryRun=All',
      body: {
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRole',
        metadata: { name: 'h' },
        rules: many(size, (index) => ({ apiGroups: [''], resources: [`r${index}`], verbs: ['get'] })),
      },
    }),
    size: 50_000,
    code: 201,
  },
]
