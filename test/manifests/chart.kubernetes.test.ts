import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Cluster } from '@homeostat/cluster'
import { MarkdownView } from '@homeostat/example-markdownview'
import { isConditionTrue } from 'homeostat'
import { CustomResourceDefinition, Deployment, Pod } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { homeostat } from '../../packages/cli/src/process/homeostat.ts'
import { goTool } from './go-tools.ts'

/** The chart of an example on our cluster. `npm test manifests` runs it. */
const run = promisify(execFile)
const example = resolve(import.meta.dirname, '../../examples/markdownview')
const image = { command: process.execPath, entry: ['--conditions=source', join(example, 'main.ts')] }
const namespace = 'pages'
const manager = { namespace, name: 'controller-manager' }
const key = { namespace: 'default', name: 'sample' }

describe.skipIf(process.env['HOMEOSTAT_MANIFESTS'] !== '1')('a chart', { timeout: 1_800_000 }, () => {
  it('is installed by Helm on our cluster, and upgraded without a refused write', async ({ skip }) => {
    const helm = await goTool('helm', skip)
    await using cleanUp = new AsyncDisposableStack()
    const folder = mkdtempSync(join(tmpdir(), 'homeostat-chart-'))
    cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }))
    const chart = join(folder, 'chart')
    const write = (): void => {}
    const io = { cwd: example, env: {}, isTerminal: false, out: write, err: write }
    expect(await homeostat(['manifests', '--helm', `--out=${chart}`], io)).toBe(0)
    const cluster = cleanUp.use(await Cluster.start({ images: { 'homeostat-example-markdownview': image } }))
    const { client } = cluster
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
    const env = { ...process.env, HOME: folder, KUBECONFIG: kubeconfig }
    const call = async (...args: string[]): Promise<string> =>
      (await run(helm, [...args, '--namespace', namespace], { env })).stdout

    const waiting = ['--wait', '--timeout', '5m']
    await call('install', 'views', chart, '--create-namespace', ...waiting)
    expect((await client.getOrThrow(Deployment, manager)).status?.availableReplicas).toBe(2)
    const markdowns = { 'SUMMARY.md': '- [One](one.md)', 'one.md': '# One' }
    await client.create(MarkdownView, { metadata: key, spec: { markdowns } })
    const isHealthy = async () =>
      isConditionTrue((await client.getOrThrow(MarkdownView, key)).status?.conditions, 'Healthy')
    await expect.poll(isHealthy, { timeout: 120_000 }).toBe(true)
    const before = await podNames()

    // Each write calls a webhook, which a process of the operator must answer.
    const writes: string[] = []
    const ending = new AbortController()
    const writing = (async () => {
      while (!ending.signal.aborted) {
        const body = { metadata: { annotations: { turn: String(writes.length) } } }
        writes.push(
          await client.patch(MarkdownView, key, { type: 'merge', body }).then(
            () => 'accepted',
            (error: Error) => error.message,
          ),
        )
      }
    })()
    try {
      await call('upgrade', 'views', chart, '--set', 'image.tag=0.2.0', ...waiting)
    } finally {
      ending.abort()
      await writing
    }
    expect(writes.length).toBeGreaterThan(10)
    expect(writes.filter((outcome) => outcome !== 'accepted')).toEqual([])
    await expect.poll(async () => (await podNames()).length, { timeout: 120_000 }).toBe(2)
    expect((await podNames()).filter((name) => before.includes(name))).toEqual([])

    // The new processes work, and the old state is still there.
    const body = { spec: { markdowns: { 'one.md': '# Two' }, replicas: 2 } }
    await client.patch(MarkdownView, key, { type: 'merge', body })
    const viewer = { namespace: 'default', name: 'viewer-sample' }
    const replicas = async () => (await client.get(Deployment, viewer))?.spec.replicas
    await expect.poll(replicas, { timeout: 120_000 }).toBe(2)

    await call('uninstall', 'views', '--wait', '--timeout', '5m')
    expect(await client.get(Deployment, manager)).toBeUndefined()
    // The definitions stay, and with them the objects.
    expect(await client.list(CustomResourceDefinition)).toHaveLength(1)
    expect(await client.get(MarkdownView, key)).toBeDefined()

    async function podNames(): Promise<string[]> {
      return (await client.list(Pod, { namespace })).map(({ metadata }) => metadata.name)
    }
  })
})
