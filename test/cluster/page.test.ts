import {
  connect,
  createClient,
  customResourceDefinition,
  defineKind,
  loadConfig,
  schema as s,
  SystemClock,
} from 'homeostat'
import { CustomResourceDefinition } from 'homeostat/kinds'
import { expect, it } from 'vitest'
import { readStream } from '../dashboard/read-stream.ts'
import { runCluster } from './run-cluster.ts'

const Note = defineKind({
  group: 'page.example.com',
  version: 'v1',
  kind: 'Note',
  spec: s.object({ text: s.string() }),
})

it(
  '--page prints the address of a page that shows the cluster, custom objects included',
  { timeout: 240_000 },
  async () => {
    await using cluster = runCluster(['--page', '--quiet'])
    const [, address = ''] = await cluster.printed(/^See it work: (http:\/\/127\.0\.0\.1:\d+\/\?token=\S+)$/m)
    const clock = new SystemClock()
    await using transport = connect(loadConfig({ kubeconfig: cluster.kubeconfig }), { clock })
    const client = createClient({ transport, clock })
    await client.create(CustomResourceDefinition, customResourceDefinition(Note))
    await client.create(Note, {
      metadata: { namespace: 'default', name: 'first-note' },
      spec: { text: 'hello' },
    })
    const entered = await fetch(address)
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
    await readStream(address, { cookie }, '"name":"kubernetes"', '"name":"first-note"', '"type":"ended"')
    await cluster.end('SIGINT')
    expect(await cluster.ends(0)).toContain('Stopped: nothing is left running.')
  },
)

it('--page-port refuses what is not a port', { timeout: 240_000 }, async () => {
  await using cluster = runCluster(['--page-port=many'])
  expect(await cluster.ends(2)).toContain('--page-port=many is not a port')
})
