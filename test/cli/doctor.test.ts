import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { customResourceDefinition, SystemClock } from '@homeostat/api'
import { ApiServer } from '@homeostat/apiserver'
import { createClient, directTransport } from 'homeostat'
import { CustomResourceDefinition } from 'homeostat/kinds'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { VcapServicesConverter } from '@homeostat/example-vcap'
import { homeostat } from '../../packages/cli/src/process/homeostat.ts'
import { diagnose } from '../../packages/cli/src/doctor/diagnose.ts'
import type { Finding } from '../../packages/cli/src/doctor/finding.ts'

const example = resolve(import.meta.dirname, '../../examples/vcap')

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'homeostat-doctor-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const options = (kubeconfig: string, cwd = example) => ({ cwd, env: {}, nodeVersion: '24.1.0', kubeconfig })

async function findings(given: Parameters<typeof diagnose>[0]) {
  const found: Finding[] = []
  for await (const finding of diagnose(given)) found.push(finding)
  return found
}

/** A real server, whose kubeconfig the doctor reads. */
async function withServer(kubeconfig: string) {
  const clock = new SystemClock()
  const server = await ApiServer.start({ clock })
  writeFileSync(kubeconfig, (await server.listen()).kubeconfig(), { mode: 0o600 })
  const client = createClient({ transport: directTransport(server.handler, { clock }), clock })
  return { client, [Symbol.asyncDispose]: () => server.close() }
}

it('finds nothing wrong where all is well', async () => {
  const kubeconfig = join(folder, 'kubeconfig')
  await using server = await withServer(kubeconfig)
  await server.client.create(CustomResourceDefinition, customResourceDefinition(VcapServicesConverter))
  const found = await findings(options(kubeconfig))
  expect(found.map(({ what, ok }) => [what, ok])).toEqual([
    ['Node', true],
    ['operator', true],
    ['kubeconfig', true],
    ['API server', true],
    ['kinds', true],
    ['rights', true],
  ])
  expect(found.at(-1)?.detail).toMatch(/^all \d+ that the operator declares$/)
})

it('names the kinds that the server does not know, with the remedy', async () => {
  const kubeconfig = join(folder, 'kubeconfig')
  await using _ = await withServer(kubeconfig)
  expect(await findings(options(kubeconfig))).toContainEqual({
    what: 'kinds',
    ok: false,
    detail: 'the server does not know VcapServicesConverter (deployment.hsc.philips.com.cn/v1)',
    remedy: 'run homeostat manifests, then kubectl apply -f manifests/crd.yaml',
  })
})

it('names the rights that the user does not have', async () => {
  const kubeconfig = join(folder, 'kubeconfig')
  const clock = new SystemClock()
  await using server = await ApiServer.start({ clock })
  const text = (await server.listen()).kubeconfig()
  // As a user who may do nothing.
  writeFileSync(kubeconfig, text.replace(/^( +)token:/m, '$1as: a-guest\n$1token:'), { mode: 0o600 })
  const rights = (await findings(options(kubeconfig))).find(({ what }) => what === 'rights')
  expect(rights).toMatchObject({
    ok: false,
    remedy: expect.stringContaining('manifests/access.yaml') as unknown,
  })
  expect(rights?.detail).toMatch(/this user may not get vcapservicesconverters\.deployment.*and \d+ more$/)
})

it('says what to do where nothing answers, and where something else does', async () => {
  const kubeconfig = join(folder, 'kubeconfig')
  const listener = createServer((socket) => {
    socket.on('error', () => {})
    socket.end('SSH-2.0-other\r\n', () => socket.destroy())
  })
  const port = await new Promise<number>((resolvePort) =>
    listener.listen(0, '127.0.0.1', () => resolvePort((listener.address() as { port: number }).port)),
  )
  const write = (): void =>
    writeFileSync(
      kubeconfig,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'a',
        contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
        clusters: [{ name: 'a', cluster: { server: `https://127.0.0.1:${port}` } }],
        users: [{ name: 'a', user: {} }],
      }),
      { mode: 0o600 },
    )
  write()
  const other = (await findings(options(kubeconfig))).at(-1)
  expect(other).toMatchObject({ what: 'API server', ok: false, remedy: expect.any(String) as unknown })
  await new Promise((closed) => listener.close(closed))
  const nothing = (await findings(options(kubeconfig))).at(-1)
  expect(nothing).toMatchObject({ what: 'API server', ok: false })
  expect(nothing?.detail).toContain(String(port))
})

it('goes on with the cluster where the project has no operator, and ends where there is no kubeconfig', async () => {
  const found = await findings(options(join(folder, 'gone'), folder))
  expect(found.map(({ what, ok }) => [what, ok])).toEqual([
    ['Node', true],
    ['operator', false],
    ['kubeconfig', false],
  ])
  const old = await findings({ ...options(join(folder, 'gone')), nodeVersion: '20.11.1' })
  expect(old[0]).toEqual({
    what: 'Node',
    ok: false,
    detail: '20.11.1',
    remedy: 'install Node 22.19 or newer',
  })
})

it('is a command with exit code 1 and JSON', async () => {
  let out = ''
  const io = {
    cwd: folder,
    env: {},
    isTerminal: false,
    out: (text: string) => void (out += text),
    err: () => {},
  }
  expect(await homeostat(['doctor', `--kubeconfig=${join(folder, 'gone')}`, '--json'], io)).toBe(1)
  expect(JSON.parse(out)).toMatchObject({ ok: false, findings: [{ what: 'Node', ok: true }, {}, {}] })
  out = ''
  expect(await homeostat(['doctor', `--kubeconfig=${join(folder, 'gone')}`], io)).toBe(1)
  expect(out).toMatch(/^ok +Node: /)
  expect(out).toContain('wrong kubeconfig: ')
})
