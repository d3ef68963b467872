import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cluster } from '@homeostat/cluster'
import { allowed, denied, Manager, patched, rawAdmission, silentLogger } from 'homeostat'
import { Pod } from 'homeostat/kinds'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callers, callKubectl, type Called, type Caller } from './call-kubectl.ts'

const all = callers()
if (all.length === 0 && process.env['CI']) throw new Error('CI needs kubectl on the PATH')

/** Denies `rm`, and replaces `whoami` by another command. */
const commands = rawAdmission('exec.example.com', {
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['pods/exec'],
  operations: ['CONNECT'],
}).mutates(({ object, name }) => {
  const { command: [program] = [] } = object as { command?: readonly string[] }
  if (program === 'rm') return denied(`${name} keeps its files`)
  if (program !== 'whoami') return allowed()
  return patched([{ op: 'replace', path: '/command', value: ['echo', 'changed by a webhook'] }])
})

let cluster: Cluster
let folder: string
let running: Promise<void>
const stop = new AbortController()

beforeAll(async () => {
  if (all.length === 0) return
  folder = mkdtempSync(join(tmpdir(), 'homeostat-exec-webhooks-'))
  cluster = await Cluster.start()
  writeFileSync(join(folder, 'kubeconfig'), cluster.kubeconfig(), { mode: 0o600 })
  await cluster.client.create(Pod, {
    metadata: { namespace: 'default', name: 'shell' },
    spec: { containers: [{ name: 'main', image: 'busybox', command: ['sleep', '3600'] }] },
  })
  const manager = new Manager({ transport: cluster.transport, logger: silentLogger })
  running = manager.addWebhooks([commands], { name: 'exec' }).start({ signal: stop.signal })
}, 120_000)

afterAll(async () => {
  stop.abort()
  await running
  await cluster?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

function exec(caller: Caller, ...command: readonly string[]): Promise<Called> {
  return callKubectl(caller, join(folder, 'kubeconfig'), ['exec', 'shell', '--', ...command])
}

describe.skipIf(all.length === 0)('kubectl exec under a webhook', { timeout: 120_000 }, () => {
  it.each(all.map((caller) => [caller.name, caller] as const))(
    'of %s is denied, runs another command, or runs as it is',
    async (_, caller) => {
      const changed = async (): Promise<string> => (await exec(caller, 'whoami')).out
      // The Pod starts, and the manager makes itself known.
      await expect.poll(changed, { timeout: 60_000 }).toBe('changed by a webhook\n')
      const refused = await exec(caller, 'rm', '-r', '/tmp')
      expect(refused.code).not.toBe(0)
      expect(refused.errors).toContain(
        'admission webhook "exec.example.com" denied the request: shell keeps its files',
      )
      expect(await exec(caller, 'echo', 'as it is')).toMatchObject({ code: 0, out: 'as it is\n' })
    },
  )
})
