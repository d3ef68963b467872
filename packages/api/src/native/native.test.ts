import { describe, expect, expectTypeOf, test } from 'vitest'
import type { ApplyOf, CreateOf, KeyOf, MutableOf, NoStatus, ObjectOf, StatusOf } from '../kinds/kind.ts'
import * as native from './index.ts'
import {
  ConfigMap,
  CoreEvent,
  CustomResourceDefinition,
  Deployment,
  Event,
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerV1,
  Namespace,
  type AppsV1,
  type AutoscalingV1,
  type AutoscalingV2,
  type CoreV1,
  type Ingress,
  type LocalSubjectAccessReview,
  type Node,
  type Pod,
  type Service,
  type StatefulSet,
  type TokenReview,
} from './index.ts'

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
}

describe('The value of a native kind', () => {
  test('carries its names, scope and subresources, and no schema', () => {
    expect(Deployment).toEqual({
      group: 'apps',
      version: 'v1',
      kind: 'Deployment',
      plural: 'deployments',
      singular: 'deployment',
      listKind: 'DeploymentList',
      scope: 'Namespaced',
      shortNames: ['deploy'],
      categories: ['all'],
      columns: [],
      subresources: {
        status: true,
        scale: {
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.spec.selector',
        },
      },
    })
  })

  test('knows that a ConfigMap has no status and a Namespace no namespace', () => {
    expect(ConfigMap.subresources).toEqual({ status: false })
    expect(Namespace.scope).toBe('Cluster')
    expect(CustomResourceDefinition.shortNames).toEqual(['crd', 'crds'])
  })

  test('named Event is that of events.k8s.io, and CoreEvent the older one', () => {
    expect([Event.group, CoreEvent.group]).toEqual(['events.k8s.io', ''])
  })

  test('in several versions has the plain name in the newest, and the version after it in others', () => {
    expect(HorizontalPodAutoscaler).toMatchObject({ group: 'autoscaling', version: 'v2' })
    expect(HorizontalPodAutoscalerV1).toMatchObject({ group: 'autoscaling', version: 'v1' })
  })

  test('appears once for each group, version and kind', () => {
    const names = Object.values(native).map((kind) => `${kind.group}/${kind.version}/${kind.plural}`)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBe(68)
  })

  test('has the name of its kind, but for the two that share one', () => {
    const others = Object.entries(native).filter(([name, { kind }]) => name !== kind)
    expect(others.map(([name]) => name)).toEqual(['CoreEvent', 'HorizontalPodAutoscalerV1'])
  })

  test('is small: no schema, and less than 25 KB for all of them', () => {
    expect(JSON.stringify(native).length).toBeLessThan(25_000)
    expect(Object.values(native).filter((kind) => kind.schema)).toEqual([])
  })
})

describe('The types of a native kind', () => {
  test('read: the spec and the status are always there, and cannot be changed', () => {
    type Read = ObjectOf<typeof Deployment>
    expectTypeOf<Deployment>().toEqualTypeOf<Read>()
    expectTypeOf<Read['metadata']['namespace']>().toEqualTypeOf<string>()
    expectTypeOf<Read['metadata']['uid']>().toEqualTypeOf<string>()
    expectTypeOf<Read['spec']['replicas']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<Read['status']['availableReplicas']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<Service['spec']['clusterIP']>().toEqualTypeOf<string | undefined>()
    const change = (deployment: Read) => {
      // @ts-expect-error what is read is read-only, however deep
      deployment.spec.template.spec!.containers[0]!.image = 'other'
    }
    expectTypeOf(change).parameter(0).toEqualTypeOf<Read>()
    expectTypeOf<MutableOf<typeof Deployment>['spec']>().toEqualTypeOf<AppsV1.DeploymentSpec>()
  })

  test('create what the API requires, without a status', () => {
    const complete: CreateOf<typeof Deployment> = {
      metadata: { name: 'web', namespace: 'default' },
      spec: { selector: { matchLabels: { app: 'web' } }, template },
    }
    expect(complete.spec.template).toBe(template)
    // @ts-expect-error a selector is required
    const withoutSelector: CreateOf<typeof Deployment>['spec'] = { template }
    // @ts-expect-error a namespaced kind needs a namespace
    const withoutNamespace: CreateOf<typeof ConfigMap> = { metadata: { name: 'settings' } }
    // @ts-expect-error a Deployment says nothing without a spec
    const withoutSpec: CreateOf<typeof Deployment> = { metadata: { name: 'web', namespace: 'default' } }
    const namespace: CreateOf<typeof Namespace> = { metadata: { generateName: 'tenant-' } }
    expect([withoutSelector, withoutNamespace, withoutSpec, namespace]).toHaveLength(4)
  })

  test('create from what was read', () => {
    const copy = (read: Deployment): CreateOf<typeof Deployment> => ({
      ...read,
      metadata: { name: 'copy', namespace: read.metadata.namespace },
    })
    expectTypeOf(copy).toBeFunction()
  })

  test('apply any part, but neither a status nor what the server owns', () => {
    const part: ApplyOf<typeof Deployment> = {
      metadata: { name: 'web', namespace: 'default' },
      spec: { template: { spec: { containers: [{ name: 'web', imagePullPolicy: undefined }] } } },
    }
    expect(part.metadata.name).toBe('web')
    const status: ApplyOf<typeof Deployment> = {
      metadata: { name: 'web', namespace: 'default' },
      // @ts-expect-error the status is applied on its own
      status: { replicas: 1 },
    }
    const version: ApplyOf<typeof Deployment> = {
      // @ts-expect-error the server owns the version
      metadata: { name: 'web', namespace: 'default', resourceVersion: '1' },
    }
    const misspelt: ApplyOf<typeof Deployment> = {
      metadata: { name: 'web', namespace: 'default' },
      // @ts-expect-error no such field
      spec: { replica: 1 },
    }
    expect([status, version, misspelt]).toHaveLength(3)
    expectTypeOf<StatusOf<typeof Deployment>['readyReplicas']>().toEqualTypeOf<number | undefined>()
  })

  test('name an object with a namespace exactly where the kind has one', () => {
    expectTypeOf<KeyOf<typeof Deployment>>().toEqualTypeOf<{
      readonly name: string
      readonly namespace: string
    }>()
    expectTypeOf<KeyOf<typeof Namespace>['namespace']>().toEqualTypeOf<undefined>()
  })

  test('hold int-or-string, quantities and times as the API writes them', () => {
    expectTypeOf<CoreV1.ServicePort['targetPort']>().toEqualTypeOf<number | string | undefined>()
    expectTypeOf<CoreV1.ResourceRequirements['limits']>().toEqualTypeOf<Record<string, string> | undefined>()
    expectTypeOf<CoreV1.PodStatus['startTime']>().toEqualTypeOf<string | undefined>()
  })
})

describe('What is read', () => {
  test('of a Pod, a StatefulSet, a Node and a Namespace has its spec and status', () => {
    expectTypeOf<Pod['spec']['containers'][number]['image']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Pod['status']['phase']>().toEqualTypeOf<
      'Failed' | 'Pending' | 'Running' | 'Succeeded' | 'Unknown' | undefined
    >()
    expectTypeOf<StatefulSet['spec']['serviceName']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<StatefulSet['status']['replicas']>().toEqualTypeOf<number>()
    expectTypeOf<Node['spec']['podCIDR']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<Node['status']['allocatable']>().toEqualTypeOf<
      { readonly [resource: string]: string } | undefined
    >()
    expectTypeOf<Namespace['status']['phase']>().toEqualTypeOf<'Active' | 'Terminating' | undefined>()
    expectTypeOf<Namespace['metadata']['namespace']>().toEqualTypeOf<undefined>()
  })

  test('of an Ingress and an autoscaler is that of the version', () => {
    type Backend = NonNullable<Ingress['spec']['defaultBackend']>
    expectTypeOf<NonNullable<Backend['service']>['name']>().toEqualTypeOf<string>()
    expectTypeOf<
      MutableOf<typeof HorizontalPodAutoscaler>['spec']
    >().toEqualTypeOf<AutoscalingV2.HorizontalPodAutoscalerSpec>()
    expectTypeOf<
      MutableOf<typeof HorizontalPodAutoscalerV1>['spec']
    >().toEqualTypeOf<AutoscalingV1.HorizontalPodAutoscalerSpec>()
  })
})

describe('What is created', () => {
  const metadata = { name: 'web', namespace: 'default' }

  test('of a StatefulSet, an autoscaler and a Pod needs what the API needs', () => {
    const set: CreateOf<typeof native.StatefulSet> = {
      metadata,
      spec: { selector: { matchLabels: { app: 'web' } }, serviceName: 'web', template },
    }
    const autoscaler: CreateOf<typeof HorizontalPodAutoscaler> = {
      metadata,
      spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' } },
    }
    // @ts-expect-error a Pod needs containers
    const pod: CreateOf<typeof native.Pod> = { metadata, spec: {} }
    // @ts-expect-error an autoscaler needs a target
    const aimless: CreateOf<typeof HorizontalPodAutoscaler> = { metadata, spec: { maxReplicas: 3 } }
    expect([set, autoscaler, pod, aimless]).toHaveLength(4)
  })

  test('of an Ingress, a Node, and a Namespace needs few fields', () => {
    const ingress: CreateOf<typeof native.Ingress> = {
      metadata,
      spec: { rules: [{ host: 'example.com', http: { paths: [{ backend: {}, pathType: 'Prefix' }] } }] },
    }
    const node: CreateOf<typeof native.Node> = { metadata: { name: 'one' } }
    // @ts-expect-error a path needs its type
    const path: CoreIngressPath = { backend: {} }
    expect([ingress, node, path]).toHaveLength(3)
  })

  test('of a CustomResourceDefinition is checked down to the schema', () => {
    const names = { kind: 'Thing', plural: 'things' }
    const version = {
      name: 'v1',
      served: true,
      storage: true,
      schema: { openAPIV3Schema: { type: 'object' } },
    }
    const definition: CreateOf<typeof CustomResourceDefinition> = {
      metadata: { name: 'things.example.com' },
      spec: { group: 'example.com', names, scope: 'Cluster', versions: [version] },
    }
    const misspelt: CreateOf<typeof CustomResourceDefinition>['spec']['versions'] = [
      // @ts-expect-error no such field
      { ...version, schema: { openApiSchema: {} } },
    ]
    expect([definition, misspelt]).toHaveLength(2)
  })

  test('of a review is a question: it has no name, and is answered in its status', () => {
    const review: CreateOf<typeof native.TokenReview> = { metadata: {}, spec: { token: 'abc' } }
    const local: CreateOf<typeof native.LocalSubjectAccessReview> = {
      metadata: { namespace: 'default' },
      spec: { user: 'ann', resourceAttributes: { verb: 'get', resource: 'pods' } },
    }
    // @ts-expect-error it asks about a namespace
    const nowhere: CreateOf<typeof native.LocalSubjectAccessReview> = { metadata: {}, spec: {} }
    expect([review, local, nowhere]).toHaveLength(3)
    expectTypeOf<TokenReview['status']['authenticated']>().toEqualTypeOf<boolean | undefined>()
    expectTypeOf<LocalSubjectAccessReview['status']['allowed']>().toEqualTypeOf<boolean>()
    expectTypeOf<ApplyOf<typeof native.TokenReview>>().toBeNever()
  })
})

describe('What is applied', () => {
  const metadata = { name: 'web', namespace: 'default' }

  test('is any part of a Pod, a StatefulSet, an Ingress or an autoscaler', () => {
    const parts: [
      ApplyOf<typeof native.Pod>,
      ApplyOf<typeof native.StatefulSet>,
      ApplyOf<typeof native.Ingress>,
      ApplyOf<typeof HorizontalPodAutoscaler>,
    ] = [
      { metadata, spec: { containers: [{ name: 'web' }] } },
      { metadata, spec: { replicas: 2, volumeClaimTemplates: [{ metadata: { name: 'data' } }] } },
      { metadata, spec: { rules: [{ host: 'example.com' }] } },
      { metadata, spec: { metrics: [{ type: 'Resource', resource: { name: 'cpu' } }] } },
    ]
    expect(parts).toHaveLength(4)
    // @ts-expect-error metrics are those of v2
    const older: ApplyOf<typeof HorizontalPodAutoscalerV1>['spec'] = { metrics: [] }
    expect(older).toBeDefined()
  })

  test('of the status is its own, and none where the kind has none', () => {
    const node: StatusOf<typeof native.Node> = { conditions: [{ type: 'Ready', status: 'True' }] }
    expect(node.conditions).toHaveLength(1)
    expectTypeOf<StatusOf<typeof HorizontalPodAutoscaler>['currentReplicas']>().toEqualTypeOf<
      number | undefined
    >()
    expectTypeOf<StatusOf<typeof ConfigMap>>().toEqualTypeOf<NoStatus>()
  })
})

type CoreIngressPath = native.NetworkingV1.HTTPIngressPath
