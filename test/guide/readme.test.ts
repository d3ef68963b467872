import { execFile, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { ApiServer } from '@homeostat/apiserver'
import { createClient, directTransport, SystemClock } from 'homeostat'
import { ConfigMap, Deployment, Event, Namespace } from 'homeostat/kinds'
import { expect, it } from 'vitest'
import { hasKubectl } from '../kubectl/has-kubectl.ts'
import { followOutput } from '../program-output.ts'

const root = resolve(import.meta.dirname, '../..')
/** Inside the workspace, so that the packages are found; ignored by git. */
const folder = join(root, '.homeostat', 'readme-program')
const soon = { timeout: 90_000, interval: 50 }
const key = { namespace: 'team', name: 'welcome' }

/** A server, and the README's program as a file that can be started on it. */
async function setUp() {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const code = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? ''
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'main.ts'), code)
  const clock = new SystemClock()
  const writes: string[] = []
  const server = await ApiServer.start({
    onWrite: ({ verb, resource, name, userAgent }) =>
      void (userAgent?.startsWith('homeostat') && writes.push([verb, resource, name].join(' '))),
  })
  const client = createClient({ transport: directTransport(server.handler, { clock }), clock })
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, (await server.listen()).kubeconfig(), { mode: 0o600 })
  const env = { ...process.env, KUBECONFIG: kubeconfig, HOME: folder }
  return {
    client,
    env,
    writes,
    start() {
      const child = spawn(process.execPath, ['--conditions=source', 'main.ts'], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const program = followOutput(child, 'the program of the README')
      return {
        ...program,
        async stop() {
          child.kill('SIGTERM')
          return program.ends(0)
        },
      }
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

it('the controller of the README does what it says there', { timeout: 240_000 }, async () => {
  await using test = await setUp()
  const { client, writes } = test
  const first = test.start()
  try {
    await client.create(Namespace, { metadata: { name: 'team' } })
    const uid = async () => (await client.get(ConfigMap, key))?.metadata.uid
    await expect.poll(uid, soon).toBeDefined()
    expect((await client.getOrThrow(ConfigMap, key)).data).toEqual({ text: 'Welcome to team!' })
    const before = await uid()
    await client.delete(ConfigMap, key)
    await expect.poll(async () => ![undefined, before].includes(await uid()), soon).toBe(true)
    // It is done with every namespace, not only with this one.
    const namespaces = (await client.list(Namespace)).length
    for (const kind of [ConfigMap, Deployment]) {
      const welcomes = async () =>
        (await client.list(kind)).filter(({ metadata }) => metadata.name === key.name).length
      await expect.poll(welcomes, soon).toBe(namespaces)
    }
  } finally {
    await first.stop()
  }

  // Another process looks at every namespace, and has nothing to send.
  const sent = writes.length
  expect(sent).toBeGreaterThan(0)
  const second = test.start()
  try {
    await second.printed(/Namespace team was there at the start/)
  } finally {
    await second.stop()
  }
  expect(writes.slice(sent)).toEqual([])
})

it.skipIf(!hasKubectl)(
  'the controller of the README heals an edit by kubectl patch, kubectl edit and kubectl scale',
  { timeout: 90_000 },
  async () => {
    await using test = await setUp()
    const { client, env } = test
    const kubectl = async (args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
      (await promisify(execFile)('kubectl', ['-n', 'team', ...args], { env: { ...env, ...more } })).stdout
    const replicas = async () => (await client.get(Deployment, key))?.spec.replicas
    const text = async () => (await client.get(ConfigMap, key))?.data?.['text']
    const program = test.start()
    let output: string
    try {
      await client.create(Namespace, { metadata: { name: 'team' } })
      await expect.poll(replicas, soon).toBe(1)

      const patch = ['patch', 'configmap', 'welcome', '--type=merge', '-p', '{"data":{"text":"Bye"}}']
      expect(await kubectl(patch)).toBe('configmap/welcome patched\n')
      await expect.poll(text, soon).toBe('Welcome to team!')

      const editor = join(folder, 'editor.sh')
      writeFileSync(editor, '#!/bin/sh\nsed -i "s/Welcome to/Goodbye from/" "$1"\n', { mode: 0o755 })
      const edited = await kubectl(['edit', 'configmap', 'welcome'], { KUBE_EDITOR: editor })
      expect(edited).toBe('configmap/welcome edited\n')
      await expect.poll(text, soon).toBe('Welcome to team!')

      const scaled = await kubectl(['scale', 'deployment', 'welcome', '--replicas=5'])
      expect(scaled).toBe('deployment.apps/welcome scaled\n')
      await expect.poll(replicas, soon).toBe(1)

      const managers = (await client.getOrThrow(Deployment, key)).metadata.managedFields ?? []
      const owner = managers.find(({ fieldsV1 }) => fieldsV1?.['f:spec']?.['f:replicas'])
      expect(owner).toMatchObject({ manager: 'welcome', operation: 'Apply' })
      expect(await client.list(Event)).toEqual([])
    } finally {
      output = await program.stop()
    }
    expect(output).not.toContain('reconcile failed')
  },
)
