import { customResourceDefinition, defineKind, schema as s } from '@homeostat/api'
import {
  ConfigMap,
  CustomResourceDefinition,
  Namespace,
  Pod,
  Secret,
  ServiceAccount,
} from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ControllerBench } from '../../../test/controller-bench.ts'
import { rootCertificatePublisher } from '../service-accounts/root-certificate-publisher.ts'
import { serviceAccountsController } from '../service-accounts/service-accounts-controller.ts'
import { namespaceController } from './namespace-controller.ts'

const Thing = defineKind({ group: 'test.homeostat.dev', version: 'v1', kind: 'Thing', spec: s.object({}) })
const namespace = 'short'
const HOLD = 'test.homeostat.dev/hold'
let bench: ControllerBench

beforeEach(async () => {
  bench = await ControllerBench.start((kinds) => [
    namespaceController(kinds),
    serviceAccountsController,
    rootCertificatePublisher('PEM'),
  ])
  await bench.client.create(Namespace, { metadata: { name: namespace } })
  await bench.settle()
})
afterEach(() => bench[Symbol.asyncDispose]())

const remove = async (): Promise<void> => {
  await bench.client.delete(Namespace, { name: namespace })
  await bench.settle()
}
const current = (): Promise<Namespace | undefined> => bench.client.get(Namespace, { name: namespace })
const condition = async (type: string): Promise<string> => {
  const found = (await current())?.status.conditions?.find((one) => one.type === type)
  return `${found?.status} ${found?.reason}: ${found?.message}`
}

describe('every namespace', () => {
  it('has a ServiceAccount and the certificate of the API, made again when they are deleted', async () => {
    for (const name of ['default', 'kube-system', namespace]) {
      expect(await bench.client.get(ServiceAccount, { namespace: name, name: 'default' })).toBeDefined()
      const map = await bench.client.getOrThrow(ConfigMap, { namespace: name, name: 'kube-root-ca.crt' })
      expect(map.data).toEqual({ 'ca.crt': 'PEM' })
      expect(map.metadata.annotations?.['kubernetes.io/description']).toMatch(/^Contains a CA bundle/)
    }
    const map = { namespace, name: 'kube-root-ca.crt' }
    await bench.client.delete(ServiceAccount, { namespace, name: 'default' })
    await bench.client.patch(ConfigMap, map, { type: 'merge', body: { data: { 'ca.crt': 'other' } } })
    await bench.settle()
    expect(await bench.client.get(ServiceAccount, { namespace, name: 'default' })).toBeDefined()
    expect((await bench.client.getOrThrow(ConfigMap, map)).data).toEqual({ 'ca.crt': 'PEM' })
    await bench.client.delete(ConfigMap, map)
    await bench.settle()
    expect((await bench.client.getOrThrow(ConfigMap, map)).data).toEqual({ 'ca.crt': 'PEM' })
  })
})

describe('a namespace that is deleted', () => {
  it('is deleted with everything in it, also objects of kinds that were defined meanwhile', async () => {
    await bench.client.create(CustomResourceDefinition, customResourceDefinition(Thing))
    await bench.client.create(Thing, { metadata: { namespace, name: 'a' }, spec: {} })
    await bench.client.create(Secret, { metadata: { namespace, name: 'a' } })
    await remove()
    expect(await current()).toBeUndefined()
    expect(await bench.client.list(Thing)).toEqual([])
    expect(await bench.client.list(Secret, { namespace })).toEqual([])
    expect(await bench.client.get(Namespace, { name: 'default' })).toBeDefined()
  })

  it('reports what it waits for, and is removed after that', async () => {
    await bench.client.create(ConfigMap, { metadata: { namespace, name: 'held', finalizers: [HOLD] } })
    await remove()
    expect((await current())?.status.phase).toBe('Terminating')
    expect((await current())?.status.conditions?.map(({ type, status }) => `${type}=${status}`)).toEqual([
      'NamespaceDeletionDiscoveryFailure=False',
      'NamespaceDeletionGroupVersionParsingFailure=False',
      'NamespaceDeletionContentFailure=False',
      'NamespaceContentRemaining=True',
      'NamespaceFinalizersRemaining=True',
    ])
    expect(await condition('NamespaceContentRemaining')).toBe(
      'True SomeResourcesRemain: Some resources are remaining: configmaps. has 1 resource instances',
    )
    expect(await condition('NamespaceFinalizersRemaining')).toBe(
      `True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: ${HOLD} in 1 resource instances`,
    )
    await bench.client.patch(
      ConfigMap,
      { namespace, name: 'held' },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    )
    await bench.settle()
    expect(await current()).toBeUndefined()
  })

  it('keeps what Pods need until they have ended', async () => {
    await bench.client.create(ConfigMap, { metadata: { namespace, name: 'settings' } })
    await bench.client.create(Pod, {
      metadata: { namespace, name: 'p' },
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'pause' }] },
    })
    await remove()
    expect(
      (await bench.client.getOrThrow(Pod, { namespace, name: 'p' })).metadata.deletionTimestamp,
    ).toBeDefined()
    expect(await bench.client.get(ConfigMap, { namespace, name: 'settings' })).toBeDefined()
    expect(await condition('NamespaceContentRemaining')).toMatch(/^False ContentRemoved/)
    await bench.client.delete(Pod, { namespace, name: 'p' }, { gracePeriodSeconds: 0 })
    await bench.settle()
    expect(await current()).toBeUndefined()
  })

  it('reports Pods that should have ended, and is still removed once they have', async () => {
    await bench.client.create(Pod, {
      metadata: { namespace, name: 'p' },
      spec: { nodeName: 'n', containers: [{ name: 'c', image: 'pause' }] },
    })
    await remove()
    await bench.advance('40s')
    expect(await condition('NamespaceDeletionContentFailure')).toBe(
      'True ContentDeletionFailed: Failed to delete all resource types, 1 remaining: unexpected items still remain in namespace: short for gvr: /v1, Resource=pods',
    )
    await bench.client.delete(Pod, { namespace, name: 'p' }, { gracePeriodSeconds: 0 })
    await bench.advance('1m')
    expect(await current()).toBeUndefined()
  })

  it('waits for finalizers of others in its own spec', async () => {
    await bench.client.create(Namespace, {
      metadata: { name: 'kept' },
      spec: { finalizers: ['kubernetes', 'example.com/mine'] },
    })
    await bench.client.delete(Namespace, { name: 'kept' })
    await bench.settle()
    const kept = await bench.client.getOrThrow(Namespace, { name: 'kept' })
    expect(kept.spec.finalizers).toEqual(['example.com/mine'])
  })
})
