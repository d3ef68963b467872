import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ApiServer } from '@homeostat/apiserver'
import { createClient, directTransport, SystemClock } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import { afterEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { followOutput } from '../program-output.ts'

const root = resolve(import.meta.dirname, '../..')
const program = join(root, 'packages/cli/bin/homeostat.mjs')

const folders: string[] = []
const children: (() => unknown)[] = []
afterEach(() => {
  for (const kill of children.splice(0)) kill()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function makeFolder(parent: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(parent, { recursive: true })
  const folder = mkdtempSync(join(parent, 'run-'))
  folders.push(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** Where the packages of the workspace are found; ignored by git. */
const inside = join(root, '.homeostat')

function start(cwd: string, ...args: string[]) {
  const { NODE_TEST_CONTEXT: _, VITEST: __, KUBECONFIG: ___, ...env } = process.env
  const child = spawn(process.execPath, ['--conditions=source', program, ...args], {
    cwd,
    env: { ...env, NO_COLOR: '1', CI: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  children.push(() => child.kill('SIGKILL'))
  return { child, ...followOutput(child, `homeostat ${args[0]}`) }
}

const OPERATOR = `
import { controller, operator } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
const stamp = controller('stamp').for(ConfigMap).writes(ConfigMap, 'apply').reconcile(async (key, { client }) => {
  const map = await client.get(ConfigMap, key)
  if (map?.metadata.labels?.wanted) await client.apply(ConfigMap, { metadata: key, data: { stamped: 'yes' } })
})
export default operator('stamp', { controllers: [stamp] })
`

describe('homeostat run', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'runs the operator on the context that it is given, until %s',
    async (signal) => {
      await using server = await ApiServer.start()
      const kubeconfig = (await server.listen()).kubeconfig()
      const { 'current-context': context } = parse(kubeconfig) as { 'current-context': string }
      const folder = makeFolder(inside, { 'operator.ts': OPERATOR, kubeconfig })
      const run = start(folder, 'run', `--kubeconfig=${join(folder, 'kubeconfig')}`, `--context=${context}`)
      const clock = new SystemClock()
      const client = createClient({ transport: directTransport(server.handler, { clock }), clock })
      const key = { namespace: 'default', name: 'paper' }
      await client.create(ConfigMap, { metadata: { ...key, labels: { wanted: 'yes' } } })
      await expect
        .poll(async () => (await client.get(ConfigMap, key))?.data, { timeout: 90_000 })
        .toEqual({ stamped: 'yes' })
      run.child.kill(signal)
      await run.ends(0)
    },
  )

  it('says which contexts there are, where the given one is not', async () => {
    const folder = makeFolder(inside, {
      'operator.ts': OPERATOR,
      kubeconfig: 'apiVersion: v1\nkind: Config\n',
    })
    const run = start(folder, 'run', `--kubeconfig=${join(folder, 'kubeconfig')}`, '--context=staging')
    const output = await run.ends(1)
    expect(output).toContain('staging')
    expect(output).not.toContain('    at ')
  })
})

describe('homeostat test', () => {
  const config = `export default { test: { include: ['*.check.ts'] } }\n`
  const vitest = (value: number): string =>
    `import { expect, it } from 'vitest'\nit('is one', () => { expect(${value}).toBe(1) })\n`

  it.each([
    [1, 0],
    [2, 1],
  ])('runs vitest where the project has it, and ends as it does: %d gives %d', async (value, expected) => {
    const folder = makeFolder(inside, { 'vitest.config.ts': config, 'one.check.ts': vitest(value) })
    const test = start(folder, 'test')
    expect(await test.ends(expected)).toMatch(expected === 0 ? /1 passed/ : /1 failed/)
  })

  it('passes arguments on', async () => {
    const files = { 'vitest.config.ts': config, 'one.check.ts': vitest(1), 'two.check.ts': vitest(2) }
    const test = start(makeFolder(inside, files), 'test', '--', 'one.check.ts')
    expect(await test.ends(0)).toMatch(/1 passed/)
  })

  it.each([
    [1, 0],
    [2, 1],
  ])('runs the tests by Node where there is no vitest: %d gives %d', async (value, expected) => {
    const text = `import { test } from 'node:test'\nimport assert from 'node:assert'\ntest('is one', () => assert.equal(${value}, 1))\n`
    const test = start(makeFolder(tmpdir(), { 'one.test.mjs': text }), 'test')
    const output = await test.ends(expected)
    expect(output).toContain('vitest is not installed here')
    expect(output).toMatch(expected === 0 ? /pass 1/ : /fail 1/)
  })

  const hanging = `const { writeFileSync } = await import('node:fs')
    writeFileSync('started', String(process.pid))
    await new Promise((resolve) => setTimeout(resolve, 600_000))`
  it.skipIf(process.platform === 'win32').each([
    [
      'vitest',
      {
        'vitest.config.ts': config,
        'one.check.ts': `import { it } from 'vitest'\nit('hangs', async () => { ${hanging} }, 600_000)\n`,
      },
    ],
    [
      'Node',
      { 'one.test.mjs': `import { test } from 'node:test'\ntest('hangs', async () => { ${hanging} })\n` },
    ],
  ])('ends with 130 at Ctrl-C, and leaves no process of %s behind', async (runner, files) => {
    const folder = makeFolder(runner === 'Node' ? tmpdir() : inside, files)
    const test = start(folder, 'test')
    const started = join(folder, 'started')
    await expect
      .poll(() => existsSync(started) && readFileSync(started, 'utf8'), { timeout: 90_000 })
      .toMatch(/^\d+$/)
    const runnerProcess = Number(readFileSync(started, 'utf8'))
    test.child.kill('SIGINT')
    await test.ends(130)
    await expect.poll(() => isAlive(runnerProcess), { timeout: 30_000 }).toBe(false)
  })
})

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
