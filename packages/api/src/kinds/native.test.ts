import { describe, expect, expectTypeOf, test } from 'vitest'
import type { ApplyOf, CreateOf, KeyOf, MutableOf, ObjectOf, StatusOf } from './kind.ts'
import * as native from './native.ts'
import {
  ConfigMap,
  CoreEvent,
  CustomResourceDefinition,
  Deployment,
  Event,
  Namespace,
  type Service,
  type AppsV1,
  type CoreV1,
} from './native.ts'

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

  test('appears once for each group, version and kind', () => {
    const names = Object.values(native).map((kind) => `${kind.group}/${kind.version}/${kind.plural}`)
    expect(new Set(names).size).toBe(names.length)
    expect(names.length).toBeGreaterThan(20)
  })
})

describe('The types of a native kind', () => {
  test('read a spec and a status for certain, and cannot be changed', () => {
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
