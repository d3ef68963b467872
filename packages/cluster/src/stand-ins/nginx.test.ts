import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ContainerBench } from '../../test/container-bench.ts'
import { byteRange } from './byte-range.ts'
import { nginx } from './nginx.ts'

let bench: ContainerBench
let site: string

beforeEach(() => {
  bench = new ContainerBench()
  site = mkdtempSync(join(tmpdir(), 'homeostat-site-'))
})

afterEach(async () => {
  await bench[Symbol.asyncDispose]()
  rmSync(site, { recursive: true })
})

const mounted = () => ({ containerMounts: [{ path: '/usr/share/nginx/html', source: site, readOnly: true }] })

/** Sends the path unchanged: `fetch` would normalize it. */
function statusOf(path: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ port: bench.port, host: '127.0.0.1', path }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
      .on('error', reject)
      .end()
  })
}

describe('nginx', () => {
  it('shows the welcome page where there is no other, and logs each request', async () => {
    await bench.start(nginx)
    const answer = await bench.fetch('/', { headers: { 'user-agent': 'a"b\tc' } })
    expect(answer.headers.get('content-type')).toBe('text/html')
    expect(await answer.text()).toContain('Welcome to nginx!')
    expect(bench.output).toMatch(
      /^127\.0\.0\.1 - - \[\d\d\/\w{3}\/\d{4}:\d\d:\d\d:\d\d \+0000\] "GET \/ HTTP\/1\.1" 200 \d+ "-" "a\\x22b\\x09c" "-"$/m,
    )
  })

  it('serves mounted files in their current version', async () => {
    writeFileSync(join(site, 'index.html'), 'first')
    mkdirSync(join(site, 'docs'))
    writeFileSync(join(site, 'docs/a b.json'), '{}')
    await bench.start(nginx, mounted())
    expect(await (await bench.fetch('/')).text()).toBe('first')
    writeFileSync(join(site, 'index.html'), 'second')
    expect(await (await bench.fetch('/index.html?x=1')).text()).toBe('second')
    const json = await bench.fetch('/docs/a%20b.json')
    expect([json.status, json.headers.get('content-type')]).toEqual([200, 'application/json'])
    const folder = await bench.fetch('/docs', { redirect: 'manual' })
    expect([folder.status, folder.headers.get('location')]).toEqual([301, '/docs/'])
    expect((await bench.fetch('/docs/')).status).toBe(403)
    expect((await bench.fetch('/none')).status).toBe(404)
    expect((await bench.fetch('/', { method: 'POST', body: 'x' })).status).toBe(405)
    expect((await bench.fetch('/', { method: 'HEAD' })).headers.get('content-length')).toBe('6')
  })

  it('answers with a range of bytes, and with 304 for an unchanged file', async () => {
    writeFileSync(join(site, 'a.txt'), '0123456789')
    await bench.start(nginx, mounted())
    const part = await bench.fetch('/a.txt', { headers: { range: 'bytes=2-4' } })
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      'bytes 2-4/10',
      '234',
    ])
    expect((await bench.fetch('/a.txt', { headers: { range: 'bytes=20-' } })).status).toBe(416)
    const tag = (await bench.fetch('/a.txt')).headers.get('etag') ?? ''
    expect((await bench.fetch('/a.txt', { headers: { 'if-none-match': tag } })).status).toBe(304)
  })

  it('does not lead out of the folder', async () => {
    writeFileSync(join(site, '../outside-of-the-site'), 'secret')
    symlinkSync('/etc/passwd', join(site, 'passwd'))
    await bench.start(nginx, mounted())
    for (const path of [
      '/../outside-of-the-site',
      '/%2e%2e/outside-of-the-site',
      '/..%2foutside-of-the-site',
      '/passwd',
      '/a%00b',
      '/%zz',
    ]) {
      expect(await statusOf(path), path).toBeGreaterThanOrEqual(400)
    }
    rmSync(join(site, '../outside-of-the-site'))
  })

  it('reports that it does not read configuration', async () => {
    const conf = { path: '/etc/nginx/conf.d', source: site, readOnly: true }
    await bench.start(nginx, { containerMounts: [conf] })
    expect(bench.output).toContain('/etc/nginx/conf.d is mounted, but configuration is not read here')
  })

  it('gives other commands to the shell', async () => {
    await bench.start(nginx, { command: ['sh', '-c', 'echo from the shell; exit 4'] })
    expect([bench.output, await bench.running]).toEqual(['from the shell\n', 4])
  })
})

describe('a range of bytes', () => {
  it.each([
    [undefined, undefined],
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=5-', { start: 5, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-30', { start: 0, end: 9 }],
    ['bytes=3-300', { start: 3, end: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=5-2', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,3-4', undefined],
    ['lines=1-2', undefined],
  ])('%s of ten is %o', (header, expected) => {
    expect(byteRange(header, 10)).toEqual(expected)
  })
})
