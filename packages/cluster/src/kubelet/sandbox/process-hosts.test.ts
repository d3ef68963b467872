import type { Pod } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { processHosts } from './process-hosts.ts'

const address = {
  podIP: '10.244.0.5',
  host: '127.9.0.5',
  port: (port: number) => port,
  movedPorts: new Map(),
}

function hostsOf(spec: Partial<Pod['spec']>, machine = '127.0.0.1 localhost\n'): string {
  const pod = {
    metadata: { namespace: 'shop', name: 'web-0' },
    spec: { containers: [], ...spec },
  } as unknown as Pod
  const known: Record<string, string> = { '10.96.0.7': '127.9.128.7' }
  return processHosts({ pod, address, machine, loopbackAddress: (ip) => known[ip] })
}

describe('the hosts file of a process begins with', () => {
  it('what the machine has, and its Pod', () => {
    expect(hostsOf({}, '127.0.0.1 localhost\n10.0.0.9 nas')).toBe(
      '127.0.0.1 localhost\n10.0.0.9 nas\n127.9.0.5\tweb-0\n',
    )
    expect(hostsOf({ hostname: 'a', subdomain: 'web' })).toContain(
      '127.9.0.5\ta.web.shop.svc.cluster.local a\n',
    )
  })

  it('localhost, where the machine has none', () => {
    expect(hostsOf({}, '')).toBe('127.0.0.1\tlocalhost\n127.9.0.5\tweb-0\n')
    expect(hostsOf({}, '# no localhost\n')).toContain('127.0.0.1\tlocalhost\n')
  })

  it('aliases, with loopback addresses for those of the cluster', () => {
    const hostAliases = [
      { ip: '192.0.2.1', hostnames: ['printer', 'fax'] },
      { ip: '10.96.0.7', hostnames: ['till'] },
      { ip: '10.96.0.8', hostnames: ['unassigned'] },
      { ip: '192.0.2.2' },
    ]
    expect(hostsOf({ hostAliases }).split('\n').slice(2)).toEqual([
      '192.0.2.1\tprinter fax',
      '127.9.128.7\ttill',
      '',
    ])
  })

  it('whole lines of a long file, and not all of them', () => {
    const line = '0.0.0.0 some-host.example\n'
    const text = hostsOf({}, `127.0.0.1 localhost\n${line.repeat(10_000)}`)
    expect(text.length).toBeLessThan(70_000)
    expect(text.endsWith(`${line}127.9.0.5\tweb-0\n`)).toBe(true)
  })
})
