import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ApiServer } from '@homeostat/apiserver'
import { projectFiles, writeProject } from 'create-homeostat'
import {
  createClient,
  customResourceDefinition,
  defineKind,
  directTransport,
  schema as s,
  SystemClock,
} from 'homeostat'
import { ConfigMap, CustomResourceDefinition } from 'homeostat/kinds'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { followOutput } from '../program-output.ts'

/** The operator of a new project, on each program that runs JavaScript, with the built packages. `npm test runtimes` runs it. */
const root = resolve(import.meta.dirname, '../..')
const installed = join(import.meta.dirname, 'node_modules')
const platform = `${process.platform}-${process.arch}`
const RUNTIMES: readonly (readonly [name: string, program: string, ...args: string[]])[] = [
  ['Node 24', process.execPath],
  ['Node 22', join(installed, `node-22-${platform}/bin/node`)],
  ['Bun', join(installed, `@oven/bun-${platform.replace('arm64', 'aarch64')}/bin/bun`)],
  [
    'Deno',
    join(installed, `@deno/${platform}${process.platform === 'linux' ? '-glibc' : ''}/deno`),
    'run',
    '--allow-all',
  ],
]

/** As in the project. */
const Page = defineKind({
  group: 'example.com',
  version: 'v1alpha1',
  kind: 'Page',
  spec: s.object({
    text: s.string().minLength(1),
    replicas: s.integer().min(1).max(10).default(1),
  }),
  status: s.object({ conditions: s.conditions() }),
})
const key = { namespace: 'default', name: 'hello' }

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-runtimes-'))
  const project = join(folder, 'pages')
  writeProject(
    project,
    projectFiles({ name: 'pages', group: 'example.com', kind: 'Page', owns: true, webhooks: true }),
  )
  mkdirSync(join(project, 'node_modules'))
  symlinkSync(join(root, 'packages/runtime'), join(project, 'node_modules/homeostat'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.skipIf(process.env['HOMEOSTAT_RUNTIMES'] !== '1')('an operator', { timeout: 300_000 }, () => {
  it.runIf(platform === 'linux-x64')('has all programs on the platform of CI', () => {
    expect(RUNTIMES.filter(([, program]) => !existsSync(program))).toEqual([])
  })

  it.each(RUNTIMES.filter(([, program]) => existsSync(program)))(
    'runs on %s',
    async (name, program, ...args) => {
      const clock = new SystemClock()
      await using server = await ApiServer.start({ clock })
      const kubeconfig = join(folder, 'kubeconfig')
      writeFileSync(kubeconfig, (await server.listen()).kubeconfig(), { mode: 0o600 })
      const client = createClient({ transport: directTransport(server.handler, { clock }), clock })
      await client.create(CustomResourceDefinition, customResourceDefinition(Page))

      const { NODE_OPTIONS: _, NODE_TEST_CONTEXT: __, VITEST: ___, ...env } = process.env
      const child = spawn(program, [...args, 'main.ts'], {
        cwd: join(folder, 'pages'),
        env: { ...env, KUBECONFIG: kubeconfig, NO_COLOR: '1' },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      try {
        const operator = followOutput(child, name)
        await operator.printed(/webhooks are served/)
        // The API server calls the webhook only once it knows its configuration.
        const blank = { metadata: { namespace: 'default', name: 'blank' }, spec: { text: ' ' } }
        const refusal = async () => {
          const problem = await client.create(Page, blank).catch((error: Error) => error.message)
          if (typeof problem === 'string') return problem
          await client.delete(Page, blank.metadata)
          return 'accepted'
        }
        await expect.poll(refusal).toContain('must have a word')

        // The first write, what the operator does after a change by others, and its status.
        await client.create(Page, { metadata: key, spec: { text: 'Hello' } })
        const text = async () => (await client.get(ConfigMap, key))?.data?.['index.html']
        await expect.poll(text).toContain('<h1>Hello</h1>')
        await client.patch(Page, key, { type: 'merge', body: { spec: { text: 'Changed' } } })
        await expect.poll(text).toContain('<h1>Changed</h1>')
        await client.delete(ConfigMap, key)
        await expect.poll(text).toContain('<h1>Changed</h1>')
        await expect
          .poll(async () => (await client.get(Page, key))?.status?.conditions?.[0]?.reason)
          .toBe('Starting')

        child.kill('SIGTERM')
        expect(await operator.ends(0)).toContain('the manager has stopped')
      } finally {
        child.kill('SIGKILL')
      }
    },
  )
})
