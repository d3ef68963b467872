import { execFile, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ApiServer } from '@homeostat/apiserver'
import { Cluster } from '@homeostat/cluster'
import { createClient, customResourceDefinition, directTransport, SystemClock } from 'homeostat'
import { ConfigMap, CustomResourceDefinition, Event, Lease, Pod } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { Greeting } from '../../docs/guide/code/greeting.ts'
import { GUIDE_FOLDER } from '../../scripts/guide/pages.ts'
import { outputPattern, transcriptOf } from '../../scripts/guide/transcript.ts'
import { hasKubectl } from '../kubectl/has-kubectl.ts'
import { followOutput } from '../program-output.ts'
import { makeOperatorFolder } from './operator-folder.ts'

const run = promisify(execFile)
const key = { namespace: 'default', name: 'hello' }
const soon = { timeout: 60_000, interval: 100 }

describe('the image of the last chapter', { timeout: 90_000 }, () => {
  it('has what its command needs: started elsewhere, it works by the kubeconfig until SIGTERM', async () => {
    const clock = new SystemClock()
    using made = makeOperatorFolder()
    await using server = await ApiServer.start()
    const client = createClient({ transport: directTransport(server.handler, { clock }), clock })
    await client.create(CustomResourceDefinition, customResourceDefinition(Greeting))
    await client.create(Greeting, { metadata: key, spec: { name: 'world' } })
    const kubeconfig = join(made.folder, 'kubeconfig')
    writeFileSync(kubeconfig, (await server.listen()).kubeconfig(), { mode: 0o600 })
    const { command, entry, folder } = made.image
    const child = spawn(command, entry, {
      cwd: folder,
      env: { ...made.env, KUBECONFIG: kubeconfig },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    try {
      const operator = followOutput(child, 'the operator')
      await operator.printed(/successfully reconciled/)
      expect((await client.getOrThrow(ConfigMap, key)).data).toEqual({ text: 'Hello, world!' })
      child.kill('SIGTERM')
      expect(await operator.exited).toBe(0)
    } finally {
      child.kill('SIGKILL')
    }
  })
})

describe.skipIf(!hasKubectl)('the commands of the guide', { timeout: 240_000 }, () => {
  it('print what the pages say, and the operator works as they say', async () => {
    using made = makeOperatorFolder()
    await using cluster = await Cluster.start({ images: { greeting: made.image } })
    const { client } = cluster
    const kubeconfig = join(made.folder, 'kubeconfig')
    writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
    const env = { ...made.env, KUBECONFIG: kubeconfig, HOME: made.folder }
    const play = async (page: string): Promise<void> => {
      const shown = transcriptOf(readFileSync(join(GUIDE_FOLDER, page), 'utf8'))
      expect(shown.length).toBeGreaterThan(2)
      for (const { command, output } of shown) {
        // `kubectl auth can-i` ends with 1 where the answer is no.
        const ended = await run('sh', ['-c', command], { cwd: made.folder, env, timeout: 120_000 }).catch(
          (error: { stdout: string; stderr: string }) => error,
        )
        expect(`${ended.stdout}${ended.stderr}`.trimEnd(), command).toMatch(outputPattern(output))
      }
    }
    await play('10-production.md')
    await client.create(Greeting, { metadata: key, spec: { name: 'world' } })
    // The second reconcile is the one that the new ConfigMap causes.
    const counted = async () =>
      (await client.list(Event, { namespace: key.namespace })).map(({ series }) => series?.count)
    await expect.poll(counted, soon).toContain(2)
    await play('9-debugging.md')

    const namespace = 'greeting-system'
    const leader = async () => {
      const lease = await client.get(Lease, { namespace, name: 'greeting' })
      // Between two leaders it is empty.
      return lease?.spec?.holderIdentity?.split('_')[0] || undefined
    }
    const first = (await leader()) ?? ''
    const forwarding = spawn('kubectl', ['port-forward', '-n', namespace, `pod/${first}`, ':8080'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const forwarded = followOutput(forwarding, 'port-forward')
    try {
      // #region metrics
      const [, port] = await forwarded.printed(/127\.0\.0\.1:(\d+) -> 8080/)
      const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      expect(metrics).toContain('controller_runtime_reconcile_total{controller="greeting",result="success"}')
      // #endregion
    } finally {
      forwarding.kill()
    }

    await client.delete(Pod, { namespace, name: first })
    const another = async () => ![undefined, first].includes(await leader())
    await expect.poll(another, soon).toBe(true)
    const second = { namespace: 'default', name: 'second' }
    await client.create(Greeting, { metadata: second, spec: { name: 'you' } })
    await expect
      .poll(async () => (await client.get(ConfigMap, second))?.data, soon)
      .toEqual({
        text: 'Hello, you!',
      })
  })
})
