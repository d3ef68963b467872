import type { FuzzCase } from '../fuzz-case.ts'
import { again, type TreeObject } from '../json-tree.ts'
import { container, create, found, labels, NAMESPACED } from './found-case.ts'

/** Objects in which a key stands twice: a null, or a value that cannot be read, first or second. */
export function repeatedKeys(): FuzzCase[] {
  return [configMaps(), secrets(), services(), deployments(), probes(), unreadable()]
}

/** A field that stands twice. */
function twice(name: string, first: unknown, second: unknown): TreeObject {
  return { [name]: first, [again(name)]: second }
}

const metadata = { name: 'repeated' }

function configMaps(): FuzzCase {
  const bodies = [
    twice('immutable', true, null),
    twice('immutable', null, true),
    twice('data', { a: 'b' }, null),
    twice('data', { a: 'b' }, { c: 'd' }),
    { data: twice('a', 'b', null) },
    { data: { ...twice('a', 'b', null), c: 'd' } },
    twice('binaryData', { a: 'YQ==' }, { b: 'Yg==' }),
    { binaryData: twice('a', 'YQ==', null) },
    twice('kind', 'ConfigMap', null),
    twice('apiVersion', 'v1', null),
  ]
  const metas = [
    twice('name', 'repeated', null),
    twice('generateName', 'g', null),
    twice('labels', labels, null),
    twice('labels', labels, { c: 'd' }),
    { labels: twice('a', 'b', null) },
    twice('finalizers', ['example.com/a', 'example.com/b'], ['example.com/c', null]),
    twice('finalizers', ['example.com/a', 'example.com/b'], [null]),
    twice('deletionGracePeriodSeconds', 5, null),
    twice('ownerReferences', [{ controller: true, uid: 'u', name: 'n' }], [{ controller: null, kind: 'K' }]),
  ]
  return found(
    'v1 ConfigMap',
    'fields that stand twice',
    ...bodies.map((body) => create(`${NAMESPACED}/configmaps`, { metadata, ...body })),
    ...metas.map((meta) =>
      create(`${NAMESPACED}/configmaps`, { metadata: { ...metadata, ...meta } as TreeObject }),
    ),
    create(`${NAMESPACED}/configmaps`, twice('metadata', metadata, null)),
    create(`${NAMESPACED}/configmaps`, twice('metadata', metadata, { labels })),
  )
}

function secrets(): FuzzCase {
  const bodies = [
    twice('type', 'example.com/t', null),
    twice('stringData', { a: 'b' }, { c: 'd' }),
    { stringData: twice('a', 'b', null) },
    { data: twice('a', 'YQ==', null) },
  ]
  return found(
    'v1 Secret',
    'fields that stand twice',
    ...bodies.map((body) => create(`${NAMESPACED}/secrets`, { metadata, ...body })),
  )
}

function services(): FuzzCase {
  const port = { port: 80 }
  const specs = [
    { ports: [{ ...port, ...twice('targetPort', 8080, null) }] },
    { ports: [twice('port', 80, null)] },
    { ports: [{ ...port, ...twice('appProtocol', 'http', null) }] },
    twice('ports', [port], [{ port: 81 }]),
    twice('ports', [port], [null]),
    twice('ports', [port], []),
    { ports: [port], ...twice('sessionAffinityConfig', { clientIP: { timeoutSeconds: 5 } }, null) },
    {
      ports: [port],
      sessionAffinity: 'ClientIP',
      ...twice('sessionAffinityConfig', { clientIP: { timeoutSeconds: 5 } }, { clientIP: {} }),
    },
    {
      ports: [port],
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: twice('timeoutSeconds', 5, null) },
    },
    { ports: [port], ...twice('type', 'NodePort', null) },
  ]
  return found(
    'v1 Service',
    'fields that stand twice',
    ...specs.map((spec) =>
      create(`${NAMESPACED}/services`, { metadata, spec: { clusterIP: 'None', ...spec } as TreeObject }),
    ),
  )
}

function deployments(): FuzzCase {
  const template = { metadata: { labels }, spec: { containers: [container] } }
  const selector = { matchLabels: labels }
  const specs = [
    { template, ...twice('selector', selector, null) },
    { template, selector, ...twice('replicas', 3, null) },
    { template, selector, ...twice('minReadySeconds', 3, null) },
    { template, selector, ...twice('paused', true, null) },
    { template, selector, ...twice('strategy', { type: 'Recreate' }, null) },
    { selector, ...twice('template', template, null) },
    { selector, ...twice('template', template, { spec: null }) },
    {
      selector,
      template: { metadata: { labels }, ...twice('spec', template.spec, { containers: [{ image: null }] }) },
    },
    {
      selector,
      template: {
        metadata: { labels },
        spec: {
          containers: [{ ...container, resources: { limits: twice('cpu', '1', null) } }],
          ...twice('terminationGracePeriodSeconds', 5, null),
        },
      },
    },
    {
      template,
      selector,
      strategy: { rollingUpdate: { ...twice('maxSurge', 2, null), ...twice('maxUnavailable', '10%', null) } },
    },
  ]
  return found(
    'apps/v1 Deployment',
    'fields that stand twice',
    ...specs.map((spec) =>
      create('/apis/apps/v1/namespaces/{ns}/deployments', { metadata, spec: spec as TreeObject }),
    ),
  )
}

/** A port that occurs twice, first as a text and then as null, keeps the number. */
function probes(): FuzzCase {
  const ports = [twice('port', 'http', null), twice('port', 80, null), twice('port', 'http', 80)]
  return found(
    'v1 Pod',
    'ports of probes that stand twice',
    ...ports.map((httpGet) =>
      create(`${NAMESPACED}/pods`, {
        metadata,
        spec: { containers: [{ ...container, livenessProbe: { httpGet } }] },
      }),
    ),
  )
}

function unreadable(): FuzzCase {
  const bodies = [
    { data: twice('a', 'Yg==', 'again'), stringData: { a: [] } },
    { stringData: { a: [] }, data: twice('a', 'Yg==', 'again') },
    { ...twice('type', 1, 'a'), immutable: 'x' },
    { ...twice('type', 'a', 1), immutable: 'x' },
    { immutable: 'x', ...twice('type', 'a', 1) },
    twice('metadata', { creationTimestamp: '2020-02-30T00:00:00Z' }, false),
    twice('metadata', { creationTimestamp: false }, { creationTimestamp: 'x' }),
    { metadata: { labels: twice('a', 1, true) } },
    twice('metadata', false, { labels: [] }),
  ]
  return found(
    'v1 Secret',
    'values that cannot be read, and stand twice',
    ...bodies.map((body) => create(`${NAMESPACED}/secrets`, { metadata, ...body })),
  )
}
