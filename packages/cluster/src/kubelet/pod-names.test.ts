import { SimulatedClock } from '@homeostat/api'
import type { Pod } from '@homeostat/api/kinds'
import { beforeEach, describe, expect, it } from 'vitest'
import type { HostsMount } from './hosts-mounts.ts'
import { PodNames } from './pod-names.ts'

const pod = { metadata: { namespace: 'shop', name: 'web-0' }, spec: { containers: [] } } as unknown as Pod
const address = {
  podIP: '10.244.0.5',
  host: '127.9.0.5',
  port: (port: number) => port,
  movedPorts: new Map<number, number>(),
}

/** What was done, in turn. */
let log: string[]
let made: { valid: boolean }[]
let problem: string | undefined
let failing: boolean
let names: PodNames

beforeEach(() => {
  ;[log, made, problem, failing] = [[], [], undefined, false]
  names = new PodNames({
    clock: new SimulatedClock(),
    podFolder: '/pods/uid',
    cluster: {
      openHostsFile: ({ path, namespace, head }) => {
        log.push(`open ${path} ${namespace} ${head.includes('127.9.0.5\tweb-0\n')}`)
        return { path, close: () => log.push('close file') }
      },
      loopbackAddress: () => undefined,
    },
    hostsMounts: { problem: () => Promise.resolve(problem), mount },
    failed: (message) => log.push(message),
  })
})

function mount(file: string): Promise<HostsMount> {
  if (failing) return Promise.reject(new Error('the disk is full'))
  const number = made.length
  log.push(`mount ${number} ${file}`)
  const state = { valid: true }
  made.push(state)
  return Promise.resolve({
    get valid() {
      return state.valid
    },
    enter: (program, args) => ({ program, args }),
    close: () => log.push(`close ${number}`),
  })
}

describe('the names of a Pod', () => {
  it('are made for its first process and are the same for all', async () => {
    const first = await names.mount(pod, address)
    expect(first).toBeDefined()
    expect(await names.mount(pod, address)).toBe(first)
    names.close()
    expect(log).toEqual([
      'open /pods/uid/hosts shop true',
      'mount 0 /pods/uid/hosts',
      'close file',
      'close 0',
    ])
  })

  it('are mounted again for the next process when the mount was lost, and stay for those before', async () => {
    const first = await names.mount(pod, address)
    for (const one of made) one.valid = false
    expect(await names.mount(pod, address)).not.toBe(first)
    expect(log.slice(1)).toEqual(['mount 0 /pods/uid/hosts', 'mount 1 /pods/uid/hosts'])
    names.close()
    expect(log.slice(3)).toEqual(['close file', 'close 0', 'close 1'])
  })

  it('are none where the system cannot show them, which is said elsewhere', async () => {
    problem = 'only Linux can'
    expect(await names.mount(pod, address)).toBeUndefined()
    expect(log).toEqual([])
  })

  it('that cannot be shown once are told, and tried again with the next process', async () => {
    failing = true
    expect(await names.mount(pod, address)).toBeUndefined()
    expect(log.at(-1)).toBe('Names of Services do not resolve in processes other than Node: the disk is full')
    failing = false
    expect(await names.mount(pod, address)).toBeDefined()
  })

  it('are not held when the Pod ends while they are made', async () => {
    const making = names.mount(pod, address)
    await Promise.resolve()
    await Promise.resolve()
    names.close()
    await making
    expect(log.filter((line) => line.startsWith('close 0'))).toHaveLength(1)
  })
})
