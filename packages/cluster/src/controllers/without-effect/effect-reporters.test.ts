import { Ingress, NetworkPolicy, Service, ValidatingAdmissionPolicyBinding } from '@homeostat/api/kinds'
import { serverGaps } from '@homeostat/apiserver'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ControllerBench } from '../../../test/controller-bench.ts'
import { CLUSTER_GAPS } from './cluster-gaps.ts'
import { effectReporters } from './effect-reporters.ts'

const namespace = 'default'
const reporters = (hasAuditLog: boolean) => effectReporters([...CLUSTER_GAPS, ...serverGaps(hasAuditLog)])
let bench: ControllerBench
beforeEach(async () => {
  bench = await ControllerBench.start(() => reporters(false))
})
afterEach(() => bench[Symbol.asyncDispose]())

describe('an object on which nothing acts', () => {
  it('gets an event that says so, once', async () => {
    const metadata = { namespace, name: 'web' }
    const backend = { service: { name: 'web', port: { number: 80 } } }
    const ingress = await bench.client.create(Ingress, { metadata, spec: { defaultBackend: backend } })
    await bench.client.create(NetworkPolicy, {
      metadata: { namespace, name: 'deny' },
      spec: { podSelector: {} },
    })
    await bench.settle()
    const labels = { changed: 'yes' }
    await bench.client.update(Ingress, { ...ingress, metadata: { ...ingress.metadata, labels } })
    await bench.settle()
    expect(await bench.events('web')).toEqual(['NoEffect: this cluster has no Ingress controller'])
    expect(await bench.events('deny')).toEqual([
      'NoEffect: this cluster does not filter connections between Pods',
    ])
  })

  it('gets it when a change takes its effect away', async () => {
    const service = await bench.client.create(Service, {
      metadata: { namespace, name: 'web' },
      spec: { ports: [{ port: 80 }], selector: { app: 'web' } },
    })
    await bench.settle()
    expect(await bench.events('web')).toEqual([])
    await bench.client.update(Service, { ...service, spec: { ...service.spec, type: 'LoadBalancer' } })
    await bench.settle()
    expect(await bench.events('web')).toEqual([
      'NoEffect: this cluster has no load balancer: EXTERNAL-IP stays pending, the ClusterIP and NodePorts work',
    ])
  })

  it('gets no event about the audit log where there is one', () => {
    const binding = ({ kind }: { kind?: unknown }): boolean => kind === ValidatingAdmissionPolicyBinding
    expect(reporters(false).some(binding)).toBe(true)
    expect(reporters(true).some(binding)).toBe(false)
  })
})
