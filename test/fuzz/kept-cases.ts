import type { FuzzCase, FuzzRequest } from './fuzz-case.ts'
import { again, number, type Tree } from './json-tree.ts'

const MERGE = 'application/merge-patch+json'
const JSON_PATCH = 'application/json-patch+json'
const APPLY = 'application/apply-patch+yaml'

const maps = '/api/v1/namespaces/{ns}/configmaps'
const pods = '/api/v1/namespaces/{ns}/pods'
const LONGEST = number('9223372036854775807')

let count = 0

function kept(kind: string, verb: string, ...requests: readonly FuzzRequest[]): FuzzCase {
  return { kind, verb, requests }
}

function create(path: string, body: Tree): FuzzRequest {
  return { method: 'POST', path: `${path}?dryRun=All`, body }
}

function map(more: object = {}, metadata: object = {}): FuzzRequest & { readonly at: string } {
  const name = `kept-${++count}`
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, ...more }
  return { method: 'POST', path: maps, body, at: `${maps}/${name}` }
}

function patch(path: string, type: string, body: Tree): FuzzRequest {
  return { method: 'PATCH', path, type, body }
}

function pod(spec: object = {}, metadata: object = {}): object {
  const containers = [{ name: 'c', image: 'i' }]
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', ...metadata },
    spec: { containers, ...spec },
  }
}

/** Cases in which our server once answered otherwise than the real one; those that are listed still do. */
export function keptCases(): FuzzCase[] {
  count = 0
  return [...numbers(), ...texts(), ...metadata(), ...patches(), ...deletions(), ...options(), ...workloads()]
}

function numbers(): FuzzCase[] {
  return [
    kept('v1 Pod', 'a deadline of 2^63-1', create(pods, pod({ activeDeadlineSeconds: LONGEST }))),
    kept('v1 Pod', 'a user of 2^63-1', create(pods, pod({ securityContext: { runAsUser: LONGEST } }))),
    kept(
      'v1 Pod',
      'a negative grace period beyond 2^53',
      create(pods, pod({ terminationGracePeriodSeconds: number('-9007199254740993') })),
    ),
    kept(
      'v1 ServiceAccount',
      'a token for 2^63-1 seconds',
      {
        method: 'POST',
        path: '/api/v1/namespaces/{ns}/serviceaccounts',
        body: { metadata: { name: 'kept' } },
      },
      {
        method: 'POST',
        path: '/api/v1/namespaces/{ns}/serviceaccounts/kept/token',
        body: {
          apiVersion: 'authentication.k8s.io/v1',
          kind: 'TokenRequest',
          spec: { expirationSeconds: LONGEST },
        },
      },
    ),
    kept(
      'v1 LimitRange',
      'a quantity that is a number beyond 2^53',
      create('/api/v1/namespaces/{ns}/limitranges', {
        metadata: { name: 'l' },
        spec: { limits: [{ type: 'Pod', max: { cpu: number('9007199254740993') } }] },
      }),
    ),
    kept(
      'apiextensions.k8s.io/v1 CustomResourceDefinition',
      'a bound of -2^63, and one that is a list',
      create(
        '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
        definition(number('-9223372036854775808')),
      ),
      create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', definition([number('1.5e300')])),
    ),
  ]
}

function definition(minimum: Tree): object {
  const count_ = { type: 'integer', minimum }
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'kepts.fuzz.example.com' },
    spec: {
      group: 'fuzz.example.com',
      names: { plural: 'kepts', kind: 'Kept' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec: { type: 'object', properties: { count: count_ } } },
            },
          },
        },
      ],
    },
  }
}

function texts(): FuzzCase[] {
  const time = (text: string): FuzzCase =>
    kept(
      'v1 ConfigMap',
      `the time ${JSON.stringify(text)}`,
      create(maps, { metadata: { name: 'm', creationTimestamp: text } }),
    )
  const quantity = (text: string): FuzzCase =>
    kept('v1 Pod', `the quantity ${JSON.stringify(text)}`, create(pods, pod({ overhead: { cpu: text } })))
  const image = (text: string): FuzzCase =>
    kept(
      'v1 Pod',
      `the image ${JSON.stringify(text)}`,
      create(pods, pod({ containers: [{ name: 'c', image: text }] })),
    )
  return [
    ...['2020-02-30T00:00:00Z', '2020-01-02', 'now', '', '2020-01-02T25:00:00Z', '2020-01-02T03:04:05é'].map(
      time,
    ),
    ...['1e', '.', '1Zi', 'x', '+1', '9Ei'].map(quantity),
    ...['/', 'A', 'a:b', 'a@b', 'Example.com/a', 'é', 'a'.repeat(64), 'b'.repeat(250)].map(image),
    kept(
      'v1 Secret',
      'base64 in lines',
      create('/api/v1/namespaces/{ns}/secrets', { metadata: { name: 's' }, data: { a: 'YQ==\n' } }),
    ),
    kept(
      'v1 Secret',
      'a type that objects inherit',
      create('/api/v1/namespaces/{ns}/secrets', { metadata: { name: 's' }, type: 'constructor' }),
    ),
    kept(
      'v1 ConfigMap',
      'a version that cannot be printed',
      create(maps, { apiVersion: '\u0000', kind: 'ConfigMap', metadata: { name: 'm' } }),
    ),
  ]
}

function metadata(): FuzzCase[] {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'u' }
  const [first, other] = [map(), map()]
  return [
    kept(
      'v1 ConfigMap',
      'an owner twice, and two of one uid',
      create(maps, { metadata: { name: 'm', ownerReferences: [owner, owner, { ...owner, name: 'b' }] } }),
    ),
    kept(
      'v1 ConfigMap',
      'a version on create',
      create(maps, { metadata: { name: 'm', resourceVersion: '5' } }),
    ),
    kept('v1 ConfigMap', 'a version on create, and no name', {
      ...map(),
      body: { metadata: { resourceVersion: '5' } },
    }),
    kept('v1 ConfigMap', 'another namespace, and no name', first, {
      method: 'PUT',
      path: first.at,
      body: { metadata: { namespace: 'other' } },
    }),
    kept(
      'v1 ConfigMap',
      'the same key twice',
      create(maps, { metadata: { name: 'm', [again('name')]: 'n' } }),
    ),
    kept(
      'coordination.k8s.io/v1 Lease',
      'a negative generation beyond 2^53',
      create('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases', {
        metadata: { name: 'l', generation: number('-9007199254740993') },
      }),
    ),
    kept('v1 ConfigMap', 'an unknown field that cannot be printed', other, {
      method: 'PUT',
      path: `${other.at}?fieldValidation=Strict`,
      body: { metadata: { name: other.at.slice(other.at.lastIndexOf('/') + 1) }, 'a\u0000b': 1 },
    }),
  ]
}

function patches(): FuzzCase[] {
  const [one, two, three] = [map(), map(), map()]
  return [
    kept(
      'v1 ConfigMap',
      'a patch that leaves no object',
      one,
      patch(one.at, JSON_PATCH, [{ op: 'replace', path: '', value: 5 }]),
    ),
    kept(
      'v1 ConfigMap',
      'a patch of the kind',
      two,
      patch(two.at, MERGE, { kind: ['x'] }),
      patch(two.at, MERGE, { apiVersion: true }),
    ),
    kept(
      'v1 ConfigMap',
      'prototype names',
      three,
      patch(three.at, MERGE, {
        data: Object.fromEntries([
          ['__proto__', 'a'],
          ['constructor', 'b'],
        ]),
      }),
      patch(three.at, JSON_PATCH, [{ op: 'remove', path: '/data/__proto__' }]),
      { method: 'GET', path: three.at },
    ),
    kept(
      'coordination.k8s.io/v1 Lease',
      'a patch of one that is not there',
      patch('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases/none', MERGE, {
        metadata: { labels: { a: 'b' } },
      }),
    ),
    kept(
      'v1 ConfigMap',
      'an apply with a uid to one that is not there',
      patch(`${maps}/none?fieldManager=m`, APPLY, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: 'none', uid: 'u' },
      }),
    ),
    kept(
      'apps/v1 Deployment',
      'replicas beyond 2^31',
      { method: 'POST', path: '/apis/apps/v1/namespaces/{ns}/deployments', body: deployment() },
      patch('/apis/apps/v1/namespaces/{ns}/deployments/kept/scale', MERGE, {
        spec: { replicas: number('4294967296') },
      }),
      {
        method: 'PUT',
        path: '/apis/apps/v1/namespaces/{ns}/deployments/kept/scale',
        body: {
          apiVersion: 'autoscaling/v1',
          kind: 'Scale',
          metadata: { name: 'kept' },
          spec: { replicas: LONGEST },
        },
      },
    ),
  ]
}

function deployment(): object {
  const labels = { a: 'b' }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'kept' },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } },
    },
  }
}

function deletions(): FuzzCase[] {
  const remove = (verb: string, query: string, body?: object): FuzzCase => {
    const made = map()
    return kept('v1 ConfigMap', `a deletion ${verb}`, made, {
      method: 'DELETE',
      path: `${made.at}${query}`,
      ...(body && { body }),
    })
  }
  return [
    remove('with 2^63-1 seconds in its query', '?gracePeriodSeconds=9223372036854775807'),
    remove('with 2^63 seconds in its query', '?gracePeriodSeconds=9223372036854775808'),
    remove('with a body, whose query is not looked at', '?gracePeriodSeconds=x&propagationPolicy=Other', {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
    }),
    remove('with 2^63-1 seconds in its body', '', { gracePeriodSeconds: LONGEST }),
    remove('with two wrong policies', '', { propagationPolicy: 'Other', orphanDependents: true }),
  ]
}

function options(): FuzzCase[] {
  const applied = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'managed' } }
  return [
    kept(
      'v1 ConfigMap',
      'a manager that cannot be printed',
      patch(`${maps}/managed?fieldManager=a%09%E2%80%A8b`, APPLY, applied),
    ),
    kept(
      'v1 Binding',
      'a target that is a text',
      create('/api/v1/namespaces/{ns}/bindings', { metadata: { name: 'b' }, target: 'n' }),
    ),
    kept(
      'v1 Pod',
      'an eviction with 2^63-1 seconds',
      { method: 'POST', path: pods, body: pod({}, { name: 'evicted' }) },
      {
        method: 'POST',
        path: `${pods}/evicted/eviction`,
        body: {
          apiVersion: 'policy/v1',
          kind: 'Eviction',
          metadata: { name: 'evicted' },
          deleteOptions: { gracePeriodSeconds: LONGEST },
        },
      },
    ),
  ]
}

function workloads(): FuzzCase[] {
  const labels = { a: 'b' }
  const selector = { matchLabels: labels }
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }
  const make = (plural: string, kind: string, spec: object): FuzzCase =>
    kept(
      `apps/v1 ${kind}`,
      `odd ${plural}`,
      create(`/apis/apps/v1/namespaces/{ns}/${plural}`, {
        apiVersion: 'apps/v1',
        kind,
        metadata: { name: 'w' },
        spec: { selector, template, ...spec },
      }),
    )
  return [
    make('daemonsets', 'DaemonSet', { updateStrategy: { type: 'OnDelete', rollingUpdate: { maxSurge: 1 } } }),
    make('statefulsets', 'StatefulSet', {
      serviceName: 's',
      volumeClaimTemplates: [{ apiVersion: 'x/y', kind: 'Z', metadata: { name: 'd' }, spec: {} }],
    }),
  ]
}
