import type { EndpointSlice, Service } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { planService } from './service-plan.ts'

function service(spec: object): Service {
  return {
    metadata: { namespace: 'default', name: 'web' },
    spec: { clusterIP: '10.96.0.9', ...spec },
  } as Service
}

function slice(ports: object[], endpoints: object[], addressType = 'IPv4'): EndpointSlice {
  return { addressType, ports, endpoints } as unknown as EndpointSlice
}

const http = { name: 'http', port: 80 }
const at = (address: string, conditions: object = { ready: true }, rest: object = {}) => ({
  addresses: [address],
  conditions,
  ...rest,
})

describe('the targets of a Service', () => {
  it('are the ready endpoints of all slices that have a port of its name', () => {
    const plan = planService(service({ ports: [http, { name: 'metrics', port: 9090 }] }), [
      slice([{ name: 'http', port: 3000 }], [at('10.244.0.2'), at('10.244.0.3', { ready: false })]),
      slice([{ name: 'http', port: 3001 }], [at('10.244.0.4', {})]),
    ])
    expect(plan.ports).toEqual([
      {
        name: 'http',
        port: 80,
        nodePort: undefined,
        targets: [
          { address: '10.244.0.2', port: 3000 },
          { address: '10.244.0.4', port: 3001 },
        ],
      },
      { name: 'metrics', port: 9090, nodePort: undefined, targets: [] },
    ])
  })

  it('are endpoints that serve while they end, only where no other is left', () => {
    const ending = at('10.244.0.2', { ready: false, serving: true, terminating: true })
    const ports = [{ port: 3000 }]
    const one = planService(service({ ports: [{ port: 80 }] }), [slice(ports, [ending])])
    expect(one.ports[0]?.targets).toEqual([{ address: '10.244.0.2', port: 3000 }])
    const two = planService(service({ ports: [{ port: 80 }] }), [slice(ports, [ending, at('10.244.0.3')])])
    expect(two.ports[0]?.targets).toEqual([{ address: '10.244.0.3', port: 3000 }])
  })

  it('do not include addresses that are names or of version 6', () => {
    const plan = planService(service({ ports: [http] }), [
      slice([{ name: 'http', port: 80 }], [at('db.example.com')], 'FQDN'),
    ])
    expect(plan.ports[0]?.targets).toEqual([])
  })

  it('are empty for UDP, and the plan says why', () => {
    const plan = planService(service({ ports: [{ name: 'dns', port: 53, protocol: 'UDP' }] }), [])
    expect(plan.ports).toEqual([])
    expect(plan.problems).toEqual([
      'port 53/UDP is not served: this cluster carries only TCP; use a TCP port instead',
    ])
  })
})

describe('a Service', () => {
  it('are the endpoints themselves, by their hostnames, for a Service without an address', () => {
    const plan = planService(service({ clusterIP: 'None', ports: [http] }), [
      slice([{ name: 'http', port: 80 }], [at('10.244.0.2', {}, { hostname: 'db-0' })]),
    ])
    expect(plan.clusterIP).toBeUndefined()
    expect(plan.endpoints).toEqual([{ address: '10.244.0.2', hostname: 'db-0' }])
  })

  it('are empty for a Service that is an alias', () => {
    const plan = planService(
      service({ type: 'ExternalName', externalName: 'db.example.com', clusterIP: '' }),
      [],
    )
    expect(plan).toEqual({ externalName: 'db.example.com', ports: [], endpoints: [], problems: [] })
  })

  it('stay the same for a client for three hours, or as long as the Service says', () => {
    const affinity = (spec: object) => planService(service({ ports: [], ...spec }), []).affinitySeconds
    expect(affinity({})).toBeUndefined()
    expect(affinity({ sessionAffinity: 'ClientIP' })).toBe(10_800)
    const sessionAffinityConfig = { clientIP: { timeoutSeconds: 5 } }
    expect(affinity({ sessionAffinity: 'ClientIP', sessionAffinityConfig })).toBe(5)
  })
})
