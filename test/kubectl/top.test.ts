import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cluster } from '@homeostat/cluster'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callers, callKubectl, type Called } from './call-kubectl.ts'

const [caller] = callers()

const OBJECTS = `
apiVersion: v1
kind: Pod
metadata: { name: busy, labels: { app: busy } }
spec: { containers: [{ name: main, image: busy }, { name: side, image: pause }] }
---
apiVersion: v1
kind: Pod
metadata: { name: idle, labels: { app: idle } }
spec: { containers: [{ name: main, image: idle }] }
---
apiVersion: v1
kind: Namespace
metadata: { name: other }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: viewer, namespace: other }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: { name: viewer, namespace: default }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view }
subjects: [{ kind: ServiceAccount, name: viewer, namespace: other }]
`

// Only Linux tells what processes use.
describe.skipIf(!caller || process.platform !== 'linux')('kubectl top', () => {
  let cluster: Cluster
  let folder: string
  let kubeconfig: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'homeostat-top-'))
    const busy = 'const held = Buffer.alloc(64 << 20, 1); for (;;) held[0]++'
    cluster = await Cluster.start({
      images: {
        busy: { command: process.execPath, args: ['-e', busy] },
        idle: { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1e6)'] },
      },
    })
    kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
    await kubectl('apply -f -', OBJECTS)
    await kubectl('wait --for=condition=Ready pod/busy pod/idle --timeout=120s')
  }, 240_000)
  afterAll(async () => {
    await cluster?.close()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  async function kubectl(args: string, input?: string): Promise<Called> {
    return callKubectl(caller!, kubeconfig, args.split(' '), input)
  }

  /** The rows that it prints once it prints as many, each by its words. */
  async function rows(args: string, count: number): Promise<string[][]> {
    let found: string[][] = []
    await expect
      .poll(async () => {
        const { out } = await kubectl(args)
        found = out
          .trim()
          .split('\n')
          .map((line) => line.trim().split(/\s+/))
        return found.length - 1
      })
      .toBe(count)
    return found
  }

  it('prints what each Pod uses', async () => {
    const [head, ...pods] = await rows('top pods --sort-by=memory', 2)
    expect(head).toEqual(['NAME', 'CPU(cores)', 'MEMORY(bytes)'])
    expect(pods.map(([name]) => name)).toEqual(['busy', 'idle'])
    // 64 MiB and what Node itself needs.
    expect(Number.parseInt(pods[0]?.[2] ?? '')).toBeGreaterThan(64)
    await expect
      .poll(async () => Number.parseInt((await rows('top pod busy', 1))[1]?.[1] ?? ''))
      .toBeGreaterThan(10)
  })

  it('prints containers, selected Pods, and Pods of all namespaces', async () => {
    const [head, ...containers] = await rows('top pods --containers', 3)
    expect(head).toEqual(['POD', 'NAME', 'CPU(cores)', 'MEMORY(bytes)'])
    expect(containers.map(([pod, name]) => `${pod}/${name}`)).toEqual(['busy/main', 'busy/side', 'idle/main'])
    expect((await rows('top pods -l app=idle', 1))[1]?.[0]).toBe('idle')
    await expect
      .poll(async () => (await rows('top pods -A --sort-by=cpu', 2))[1]?.slice(0, 2))
      .toEqual(['default', 'busy'])
    expect((await kubectl('top pods none')).errors).toContain(
      'podmetrics.metrics.k8s.io "default/none" not found',
    )
  })

  it('prints what each node uses', async () => {
    const [head, node] = await rows('top nodes', 1)
    expect(head?.join(' ')).toMatch(/^NAME CPU\(cores\) CPU(?:%|\(%\)) MEMORY\(bytes\) MEMORY(?:%|\(%\))$/)
    expect(node?.[3]).toMatch(/^\d+Mi$/)
  })

  it('is listed by discovery and OpenAPI, and only here', async () => {
    expect(
      (await kubectl('api-resources --api-group=metrics.k8s.io -o name')).out.trim().split('\n').toSorted(),
    ).toEqual(['nodes.metrics.k8s.io', 'pods.metrics.k8s.io'])
    expect(
      (await kubectl('explain podmetrics.containers --api-version=metrics.k8s.io/v1beta1')).out,
    ).toContain('usage')
    const list = JSON.parse((await kubectl('get --raw /apis/metrics.k8s.io/v1beta1')).out)
    expect(list.resources.map(({ kind, verbs }: any) => [kind, verbs])).toEqual([
      ['NodeMetrics', ['get', 'list']],
      ['PodMetrics', ['get', 'list']],
    ])
    expect((await kubectl('get apiservice v1beta1.metrics.k8s.io')).out).toContain('True')
  })

  it('agrees with what the kubelet says', async () => {
    const [name] = (await rows('top nodes', 1))[1] ?? []
    const raw = async (page: string) => (await kubectl(`get --raw /api/v1/nodes/${name}/proxy/${page}`)).out
    expect(await raw('healthz')).toBe('ok')
    const pods = JSON.parse(await raw('pods')).items.map(({ metadata }: any) => metadata.name)
    expect(pods.toSorted()).toEqual(['busy', 'idle'])
    const { node, pods: used } = JSON.parse(await raw('stats/summary'))
    expect(node).toMatchObject({ nodeName: name, memory: { workingSetBytes: expect.any(Number) } })
    const busy = used.find(({ podRef }: any) => podRef.name === 'busy').containers[0]
    expect(busy.memory.workingSetBytes).toBeGreaterThan(64 << 20)
  })

  it('asks for rights', async () => {
    const as = '--as=system:serviceaccount:other:viewer'
    expect((await kubectl(`auth can-i list pods.metrics.k8s.io ${as}`)).out.trim()).toBe('yes')
    expect((await kubectl(`top pods ${as}`)).code).toBe(0)
    expect((await kubectl(`top nodes ${as}`)).errors).toContain(
      'cannot list resource "nodes" in API group "metrics.k8s.io"',
    )
  })
})
