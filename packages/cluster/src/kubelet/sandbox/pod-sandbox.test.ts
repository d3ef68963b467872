import { SimulatedClock } from '@homeostat/api'
import type { Pod } from '@homeostat/api/kinds'
import { beforeEach, describe, expect, it } from 'vitest'
import { PodSandbox } from './pod-sandbox.ts'
import type { PodNamespace, ProcessView } from '../separation/pod-namespaces.ts'

const pod = { metadata: { namespace: 'shop', name: 'web-0' }, spec: { containers: [] } } as unknown as Pod
const address = {
  podIP: '10.244.0.5',
  host: '127.9.0.5',
  port: (port: number) => port,
  movedPorts: new Map<number, number>(),
}

/** The actions, in order. */
let log: string[]
let made: { valid: boolean }[]
let problem: string | undefined
let failing: boolean
let separation: string | undefined
let sandbox: PodSandbox

beforeEach(() => {
  ;[log, made, problem, separation, failing] = [[], [], undefined, 'not here', false]
  sandbox = new PodSandbox({
    clock: new SimulatedClock(),
    podFolder: '/pods/uid',
    volumes: { folders: ['/volumes/data'] },
    cluster: {
      openHostsFile: ({ path, namespace, head }) => {
        log.push(`open ${path} ${namespace} ${head.includes('127.9.0.5\tweb-0\n')}`)
        return { path, close: () => log.push('close file') }
      },
      loopbackAddress: () => undefined,
    },
    namespaces: {
      namesProblem: () => Promise.resolve(problem),
      separationProblem: () => Promise.resolve(separation),
      make,
    },
    failed: (message) => log.push(message),
  })
})

function make({ hosts, folders = [] }: ProcessView): Promise<PodNamespace> {
  if (failing) return Promise.reject(new Error('the disk is full'))
  const number = made.length
  log.push(`make ${number} ${hosts} ${folders.join()}`)
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

describe('the sandbox of a Pod', () => {
  it('is made for its first process and is the same for all', async () => {
    const first = await sandbox.namespace(pod, address)
    expect(first).toBeDefined()
    expect(await sandbox.namespace(pod, address)).toBe(first)
    sandbox.close()
    expect(log).toEqual([
      'open /pods/uid/hosts shop true',
      'make 0 /pods/uid/hosts /pods/uid,/volumes/data',
      'close file',
      'close 0',
    ])
  })

  it('is made again for the next process when a mount was lost, and stays for those before', async () => {
    const first = await sandbox.namespace(pod, address)
    for (const one of made) one.valid = false
    expect(await sandbox.namespace(pod, address)).not.toBe(first)
    expect(log.slice(1)).toEqual([
      'make 0 /pods/uid/hosts /pods/uid,/volumes/data',
      'make 1 /pods/uid/hosts /pods/uid,/volumes/data',
    ])
    sandbox.close()
    expect(log.slice(3)).toEqual(['close file', 'close 0', 'close 1'])
  })

  it('is undefined where the system has no namespaces, which the cluster reports elsewhere', async () => {
    problem = 'only Linux can'
    expect(await sandbox.namespace(pod, address)).toBeUndefined()
    expect(log).toEqual([])
  })

  it('reports once that names cannot be shown, and tries again with the next process', async () => {
    failing = true
    expect(await sandbox.namespace(pod, address)).toBeUndefined()
    expect(log.at(-1)).toBe('Names of Services do not resolve in processes other than Node: the disk is full')
    failing = false
    expect(await sandbox.namespace(pod, address)).toBeDefined()
  })

  it('starts no process without separation where the system separates Pods', async () => {
    separation = undefined
    failing = true
    await expect(sandbox.namespace(pod, address)).rejects.toThrow(
      'the Pod cannot be separated from others: the disk is full',
    )
    failing = false
    problem = 'no names here'
    expect(await sandbox.namespace(pod, address)).toBeDefined()
    expect(log.at(-1)).toBe('make 0 undefined /pods/uid,/volumes/data')
  })

  it('is released when the Pod ends while it is being made', async () => {
    const making = sandbox.namespace(pod, address)
    for (let turn = 0; turn < 4; turn++) await Promise.resolve()
    sandbox.close()
    await making
    expect(log.filter((line) => line.startsWith('close 0'))).toHaveLength(1)
  })
})
