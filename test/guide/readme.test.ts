import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ApiServer } from '@homeostat/apiserver'
import { createClient, directTransport, SystemClock } from 'homeostat'
import { ConfigMap, Namespace } from 'homeostat/kinds'
import { expect, it } from 'vitest'
import { followOutput } from '../program-output.ts'

const root = resolve(import.meta.dirname, '../..')
/** Inside the workspace, so that the packages are found; ignored by git. */
const folder = join(root, '.homeostat', 'readme-program')
const soon = { timeout: 30_000, interval: 50 }

it('the controller of the README does what it says there', { timeout: 90_000 }, async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const code = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? ''
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'main.ts'), code)
  const clock = new SystemClock()
  const writes: string[] = []
  await using server = await ApiServer.start({
    onWrite: ({ verb, resource, name, userAgent }) =>
      void (userAgent?.startsWith('homeostat') && writes.push([verb, resource, name].join(' '))),
  })
  const client = createClient({ transport: directTransport(server.handler, { clock }), clock })
  const kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, (await server.listen()).kubeconfig(), { mode: 0o600 })
  const start = () => {
    const child = spawn(process.execPath, ['--conditions=source', 'main.ts'], {
      cwd: folder,
      env: { ...process.env, KUBECONFIG: kubeconfig },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const program = followOutput(child, 'the program of the README')
    return {
      ...program,
      async stop() {
        child.kill('SIGTERM')
        return program.exited
      },
    }
  }
  const first = start()
  try {
    await client.create(Namespace, { metadata: { name: 'team' } })
    const key = { namespace: 'team', name: 'welcome' }
    const uid = async () => (await client.get(ConfigMap, key))?.metadata.uid
    await expect.poll(uid, soon).toBeDefined()
    expect((await client.getOrThrow(ConfigMap, key)).data).toEqual({ text: 'Welcome to team!' })
    const before = await uid()
    await client.delete(ConfigMap, key)
    await expect.poll(async () => ![undefined, before].includes(await uid()), soon).toBe(true)
  } finally {
    expect(await first.stop()).toBe(0)
  }

  // Another process looks at every namespace, and has nothing to send.
  const sent = writes.length
  expect(sent).toBeGreaterThan(0)
  const second = start()
  try {
    await second.printed(/Namespace team was there at the start/)
  } finally {
    expect(await second.stop()).toBe(0)
    rmSync(folder, { recursive: true, force: true })
  }
  expect(writes.slice(sent)).toEqual([])
})
