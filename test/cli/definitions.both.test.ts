import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SystemClock } from '@homeostat/api'
import { ApiServer } from '@homeostat/apiserver'
import { connect, loadConfig } from 'homeostat'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { parse } from 'yaml'
import { homeostat } from '../../packages/cli/src/process/homeostat.ts'
import { callJson } from '../json-call.ts'

/** `homeostat types` and `homeostat compat` with definitions from a URL and from a server. */
const crd = resolve(import.meta.dirname, '../../examples/vcap/manifests/crd.yaml')
const text = readFileSync(crd, 'utf8')
const definition = parse(text) as { metadata: { name: string }; spec: { group: string; scope: string } }
const { name } = definition.metadata

let folder: string
let kubeconfig: string
let server: ApiServer | undefined
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'homeostat-definitions-'))
  kubeconfig = join(folder, 'kubeconfig')
  if (process.env['HOMEOSTAT_TEST_SERVER'] === 'kubernetes') kubeconfig = inject('kubernetes').kubeconfig
  else {
    server = await ApiServer.start()
    writeFileSync(kubeconfig, (await server.listen()).kubeconfig(), { mode: 0o600 })
  }
  const { status } = await send('POST', '', definition)
  if (status !== 201 && status !== 409) throw new Error(`the definition was answered with ${status}`)
})
afterAll(async () => {
  await send('DELETE', `/${name}`)
  await server?.close()
  rmSync(folder, { recursive: true, force: true })
})

async function send(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<{ status: number }> {
  const transport = connect(loadConfig({ kubeconfig }), { clock: new SystemClock() })
  try {
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
    return await callJson((request) => transport.send(request), method, `${definitions}${path}`, { body })
  } finally {
    await transport.close()
  }
}

async function call(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ['', '']
  const io = {
    cwd: folder,
    env: {},
    isTerminal: false,
    out: (part: string) => void (out += part),
    err: (part: string) => void (err += part),
  }
  return { code: await homeostat(args, io), out, err }
}

describe('definitions of a cluster', () => {
  it('become the same module as those of a file', async () => {
    const live = await call('types', `--kubeconfig=${kubeconfig}`, name)
    expect([live.code, live.err]).toEqual([0, ''])
    expect(live.out).toBe((await call('types', crd)).out)
    expect((await call('types', `--kubeconfig=${kubeconfig}`, definition.spec.group)).out).toBe(live.out)
  })

  it('are what a change is compared with', async () => {
    const same = await call('compat', `--kubeconfig=${kubeconfig}`, crd)
    expect(same).toEqual({ code: 0, out: 'nothing changes for stored objects and clients\n', err: '' })
    writeFileSync(join(folder, 'changed.yaml'), text.replace('scope: Namespaced', 'scope: Cluster'))
    const changed = await call('compat', `--kubeconfig=${kubeconfig}`, 'changed.yaml')
    expect([changed.code, changed.out]).toEqual([1, expect.stringContaining('spec.scope')])
  })

  it('are named where one is missing', async () => {
    const { code, err } = await call('types', `--kubeconfig=${kubeconfig}`, 'gone.example.com')
    expect([code, err]).toEqual([1, expect.stringContaining('has no definition gone.example.com')])
    expect(err).toContain(name)
  })

  it('need a cluster that answers', async () => {
    const closed = join(folder, 'closed')
    writeFileSync(closed, readFileSync(kubeconfig, 'utf8').replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:1'), {
      mode: 0o600,
    })
    const { code, err } = await call('types', `--kubeconfig=${closed}`)
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/the definitions of https:\/\/127\.0\.0\.1:1 cannot be read/),
    ])
    expect((await call('types', '--context=gone', `--kubeconfig=${kubeconfig}`)).code).toBe(1)
  })
})

describe('definitions at a URL', () => {
  let pages: Server
  let base: string
  beforeAll(async () => {
    pages = createServer((request, response) => {
      if (request.url === '/crd.yaml') response.end(text)
      else if (request.url === '/moved') response.writeHead(302, { location: '/crd.yaml' }).end()
      else response.writeHead(404).end('no such page')
    })
    await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening))
    base = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
  })
  afterAll(() => void pages.close())

  it.each(['/crd.yaml', '/moved'])('become the same module as those of a file: %s', async (path) => {
    expect(await call('types', `${base}${path}`)).toEqual(await call('types', crd))
    expect((await call('compat', `${base}${path}`, crd)).code).toBe(0)
  })

  it('are refused with the reason where there are none', async () => {
    const missing = await call('types', `${base}/gone.yaml`)
    expect([missing.code, missing.err]).toEqual([
      1,
      expect.stringContaining(`${base}/gone.yaml cannot be read: the server answered 404`),
    ])
    const closed = await call('types', 'http://127.0.0.1:1/crd.yaml')
    expect([closed.code, closed.err]).toEqual([
      1,
      expect.stringContaining('http://127.0.0.1:1/crd.yaml cannot be read'),
    ])
  })
})

describe('openapi', () => {
  it('prints the document of a group in v3, and that of all groups in v2', async () => {
    const apps = await call('openapi', 'apps/v1', `--kubeconfig=${kubeconfig}`)
    expect(apps, apps.err).toMatchObject({ code: 0 })
    const document = JSON.parse(apps.out) as { openapi: string; paths: object }
    expect(document.openapi).toMatch(/^3\./)
    expect(document.paths).toHaveProperty(['/apis/apps/v1/namespaces/{namespace}/deployments/{name}'])
    const core = await call('openapi', 'v1', `--kubeconfig=${kubeconfig}`)
    expect(JSON.parse(core.out).paths).toHaveProperty(['/api/v1/namespaces/{namespace}/pods'])
    const file = join(folder, 'all.json')
    expect((await call('openapi', `--kubeconfig=${kubeconfig}`, `--out=${file}`)).out).toContain(file)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ swagger: '2.0' })
  })

  it('names what is served, for a group that is not', async () => {
    const { code, err } = await call('openapi', 'none.example.com/v1', `--kubeconfig=${kubeconfig}`)
    expect(code).toBe(1)
    expect(err).toContain('does not serve none.example.com/v1. It serves: ')
    expect(err).toContain('apps/v1')
  })
})
