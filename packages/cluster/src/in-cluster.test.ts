import { ConfigMap, Pod, RoleBinding } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { Cluster } from './cluster.ts'

const namespace = 'default'

/** A program that finds its cluster by itself, as an operator in a Pod does. */
const PROGRAM = `
  import { connect, createClient, isForbidden, loadConfig, SystemClock } from ${JSON.stringify(import.meta.resolve('homeostat'))}
  import { ConfigMap, Secret } from ${JSON.stringify(import.meta.resolve('@homeostat/api/kinds'))}
  const clock = new SystemClock()
  const transport = connect(loadConfig(), { clock })
  const client = createClient({ transport, clock })
  const found = await client.get(ConfigMap, { namespace: ${JSON.stringify(namespace)}, name: 'greeting' })
  console.log('read', found.data.text)
  await client.list(Secret, { namespace: 'kube-system' }).catch((error) => console.log('refused', isForbidden(error)))
  await transport[Symbol.asyncDispose]()
`

describe('a process in a Pod', () => {
  it('reaches the API with the rights of its ServiceAccount', { timeout: 60_000 }, async () => {
    const args = ['--conditions=source', '--input-type=module-typescript', '-e', PROGRAM]
    await using cluster = await Cluster.start({ images: { operator: { command: process.execPath, args } } })
    const { client } = cluster
    await client.create(ConfigMap, { metadata: { namespace, name: 'greeting' }, data: { text: 'hello' } })
    await client.create(RoleBinding, {
      metadata: { namespace, name: 'readers' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' },
      subjects: [{ kind: 'ServiceAccount', name: 'default', namespace }],
    })
    const containers = [{ name: 'operator', image: 'operator' }]
    await client.create(Pod, {
      metadata: { namespace, name: 'operator' },
      spec: { restartPolicy: 'Never', containers },
    })
    const key = { namespace, name: 'operator' }
    let phase: string | undefined
    while (phase !== 'Succeeded' && phase !== 'Failed') {
      await new Promise((resolve) => setTimeout(resolve, 50))
      phase = (await client.getOrThrow(Pod, key)).status.phase
    }
    let log = ''
    for await (const chunk of cluster.logs({ namespace, pod: 'operator' }))
      log += Buffer.from(chunk).toString()
    expect(log).toBe('read hello\nrefused true\n')
    expect(phase).toBe('Succeeded')
  })
})
