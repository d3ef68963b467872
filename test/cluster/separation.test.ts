import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { hasKubectl } from '../kubectl/has-kubectl.ts'
import { runCluster, type RunningCluster } from './run-cluster.ts'

const SLOW = { timeout: 120_000 }

/** Runs a container to its end; gives what it printed, or why it did not start. */
async function runPod(cluster: RunningCluster, image: string, ...args: string[]): Promise<string> {
  await cluster.kubectl('run', 'thief', `--image=${image}`, '--restart=Never', '--', ...args)
  await cluster.kubectl('wait', 'pod/thief', '--for=jsonpath={.status.containerStatuses[0].state.terminated}')
  const reason = await cluster.kubectl(
    'get',
    'events',
    '-o',
    'jsonpath={.items[?(@.reason=="Failed")].message}',
  )
  return reason === '' ? cluster.kubectl('logs', 'thief') : reason
}

describe.skipIf(!hasKubectl)('a Pod that wants the kubeconfig of a running homeostat-cluster', SLOW, () => {
  it('gets no arguments to an interpreter, and its event names the flag', async () => {
    await using cluster = runCluster(['--image', 'example/node=node'])
    await cluster.printed(/Ctrl-C/)
    const read = `console.log(require('fs').readFileSync(${JSON.stringify(cluster.kubeconfig)}, 'utf8'))`
    expect(await runPod(cluster, 'example/node', '-e', read)).toMatch(
      /"node" would run any code that it gets as arguments on this machine: .*--host-commands/,
    )
  })

  it('reads an empty file, or the cluster has said that it is not separated', async () => {
    await using cluster = runCluster(['--image', 'example/cat=cat', '--quiet', '--data-dir=data'])
    await cluster.printed(/KUBECONFIG=/)
    const output = await runPod(cluster, 'example/cat', cluster.kubeconfig)
    await cluster.end('SIGINT')
    const said = await cluster.ends(0)
    expect(output.includes('clusters:')).toBe(said.includes('Not separated: processes of Pods can read'))
    expect(output === '' || said.includes('Not separated:')).toBe(true)
  })

  it('is what a warning at the start is about where nothing is separated', async () => {
    await using other = runCluster(['--help'])
    await other.exited
    const file = join(other.folder, 'config.mjs')
    writeFileSync(file, 'export default { separation: false }\n')
    await using cluster = runCluster([`--config=${file}`, '--image', 'example/cat=cat'])
    const said = /^Not separated: processes of Pods can read the cluster's keys.*: separation is false\.$/m
    await expect(cluster.printed(said)).resolves.toBeDefined()
    expect(await runPod(cluster, 'example/cat', cluster.kubeconfig)).toContain('clusters:')
  })
})
