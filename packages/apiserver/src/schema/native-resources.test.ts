import { describe, expect, test } from 'vitest'
import { definitions, nativeResources } from './generated/native-resources.ts'
import type { SchemaNode } from './types/type-schema.ts'

const core = 'io.k8s.api.core.v1'
const meta = 'io.k8s.apimachinery.pkg.apis.meta.v1'

function field(definition: string, name: string): SchemaNode {
  return definitions[definition]?.properties?.[name] ?? {}
}

describe('The schemas of the native kinds', () => {
  test.each([
    [`${core}.PodSpec`, 'containers', ['name']],
    [`${core}.PodSpec`, 'volumes', ['name']],
    [`${core}.Container`, 'env', ['name']],
    [`${core}.Container`, 'ports', ['containerPort', 'protocol']],
    [`${core}.Container`, 'volumeMounts', ['mountPath']],
    [`${core}.ServiceSpec`, 'ports', ['port', 'protocol']],
    [`${core}.PodStatus`, 'conditions', ['type']],
    ['io.k8s.api.apps.v1.DeploymentStatus', 'conditions', ['type']],
    [`${meta}.ObjectMeta`, 'ownerReferences', ['uid']],
  ])('%s.%s is a map by %j', (definition, name, keys) => {
    expect(field(definition, name)['x-kubernetes-list-type']).toBe('map')
    expect(field(definition, name)['x-kubernetes-list-map-keys']).toEqual(keys)
  })

  test('know sets, atomic lists and atomic maps', () => {
    expect(field(`${meta}.ObjectMeta`, 'finalizers')['x-kubernetes-list-type']).toBe('set')
    expect(field(`${core}.Container`, 'args')['x-kubernetes-list-type']).toBe('atomic')
    expect(definitions[`${meta}.LabelSelector`]?.['x-kubernetes-map-type']).toBe('atomic')
  })

  test('say how a strategic merge patch treats a field', () => {
    expect(field(`${core}.PodSpec`, 'containers')).toMatchObject({
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    })
    expect(field('io.k8s.api.apps.v1.DeploymentSpec', 'strategy')['x-kubernetes-patch-strategy']).toBe(
      'retainKeys',
    )
  })

  test('keep the defaults of the document', () => {
    expect(field(`${core}.ServicePort`, 'protocol').default).toBe('TCP')
    expect(field(`${core}.Container`, 'resources').default).toEqual({})
    expect(field('io.k8s.api.apps.v1.ReplicaSetStatus', 'replicas').default).toBe(0)
  })

  test('take a number or a text where Kubernetes does', () => {
    const type = field(`${core}.ServicePort`, 'targetPort').$ref!.split('/').at(-1)!
    expect(definitions[type]?.['x-kubernetes-int-or-string']).toBe(true)
  })

  test('define all that they refer to, and carry no descriptions', () => {
    const references = [...JSON.stringify(definitions).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)]
    expect(references.length).toBeGreaterThan(200)
    for (const [, name] of references) expect(definitions).toHaveProperty([name!])
    expect(JSON.stringify(definitions)).not.toContain('"description":"')
  })
})

describe('The native kinds', () => {
  test('name their definition, their verbs and their subresources', () => {
    for (const resource of nativeResources) expect(definitions).toHaveProperty([resource.definition])
    const deployments = nativeResources.find(({ plural }) => plural === 'deployments')
    expect(deployments).toMatchObject({
      group: 'apps',
      kind: 'Deployment',
      listKind: 'DeploymentList',
      singular: 'deployment',
      scope: 'Namespaced',
      shortNames: ['deploy'],
      categories: ['all'],
      verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
      subresources: { status: true, scale: { specReplicasPath: '.spec.replicas' } },
    })
    expect(deployments?.discoveredSubresources.map(({ name }) => name)).toEqual(['scale', 'status'])
  })
})
