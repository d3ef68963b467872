import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemClock } from '@homeostat/api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FolderFiles } from '@homeostat/shell'
import type { Container } from '../images/index.ts'
import { mdbook } from './mdbook.ts'

let folder: string
let stop: AbortController
let running: Promise<number>
let address: string
let output: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'homeostat-mdbook-'))
  stop = new AbortController()
  output = ''
})

afterEach(async () => {
  stop.abort()
  await running
  await rm(folder, { recursive: true })
})

/** Starts on a free port: `port()` is where a container learns the real one. */
async function start(overrides: Partial<Container> = {}): Promise<void> {
  let listening: (() => void) | undefined
  const started = new Promise<void>((resolve) => (listening = resolve))
  const writer = {
    write(text: string | Uint8Array) {
      output += text.toString()
      address = /http:\/\/\S+/.exec(output)?.[0] ?? ''
      listening?.()
    },
  }
  running = mdbook({
    pod: { namespace: 'default', name: 'viewer', uid: 'u' },
    name: 'mdbook',
    command: ['mdbook'],
    args: ['serve', '--hostname', '0.0.0.0'],
    env: {},
    mounts: { '/book/src': folder },
    files: new FolderFiles({ root: folder, mounts: [] }),
    hostname: 'viewer',
    connect: () => Promise.reject(new Error('there is no network here')),
    address: '127.0.0.1',
    port: (port) => 40_000 + port + (process.pid % 10_000),
    signal: stop.signal,
    killed: stop.signal,
    stdout: writer,
    stderr: writer,
    clock: new SystemClock(),
    ...overrides,
  })
  await Promise.race([started, running])
}

async function get(path: string): Promise<{ status: number; body: string; headers: Headers }> {
  const response = await fetch(address + path)
  return { status: response.status, body: await response.text(), headers: response.headers }
}

/** Sends a path that `fetch` would tidy up first. */
function getRaw(path: string): Promise<number | undefined> {
  const { hostname, port } = new URL(address)
  return new Promise((resolve, reject) => {
    request({ hostname, port, path }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode))
    })
      .on('error', reject)
      .end()
  })
}

describe('the mdbook image', () => {
  it('renders the README at the root and every chapter at its name', async () => {
    await writeFile(join(folder, 'README.md'), '# Hello\n\nworld')
    await writeFile(join(folder, 'second.md'), '# Second')
    await start()
    const root = await get('/')
    expect(root.status).toBe(200)
    expect(root.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(root.body).toContain('<h1 id="hello">Hello</h1>')
    expect(root.body).toContain('<a href="/second.html">Second</a>')
    expect((await get('/second.html')).body).toContain('<h1 id="second">Second</h1>')
    expect((await get('/second.md')).body).toContain('<h1 id="second">Second</h1>')
    expect((await get('/third.html')).status).toBe(404)
  })

  it('takes chapters, their order and titles from SUMMARY.md', async () => {
    await mkdir(join(folder, 'part'))
    await writeFile(
      join(folder, 'SUMMARY.md'),
      '# Summary\n\n- [Start](b.md)\n  - [Deeper](./part/c.md)\n- [None](x.md)',
    )
    await writeFile(join(folder, 'a.md'), '# Not listed')
    await writeFile(join(folder, 'b.md'), '# B')
    await writeFile(join(folder, 'part', 'c.md'), '# C')
    await start()
    const { body } = await get('/')
    expect(body).toContain('<h1 id="b">B</h1>')
    expect(/<nav>.*<\/nav>/s.exec(body)?.[0]).toBe(
      '<nav><a href="/b.html" aria-current="page">Start</a>\n<a href="/part/c.html">&emsp;Deeper</a></nav>',
    )
    expect((await get('/part/c.html')).body).toContain('<h1 id="c">C</h1>')
    expect((await get('/a.html')).body).toContain('Not listed')
  })

  it('shows an edit on the next request, and its version tells open pages', async () => {
    await writeFile(join(folder, 'README.md'), 'before')
    await start()
    const before = await get('/')
    const version = await get('/-/version')
    expect(before.body).toContain(`data-version="${version.body}"`)
    await writeFile(join(folder, 'README.md'), 'after')
    expect((await get('/')).body).toContain('<p>after</p>')
    expect((await get('/-/version')).body).not.toBe(version.body)
  })

  it('lets a browser run its own script only', async () => {
    await writeFile(join(folder, 'README.md'), '<script>alert(1)</script>')
    await start()
    const { body, headers } = await get('/')
    expect(body.match(/<script>/g)).toHaveLength(1)
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toMatch(/script-src 'sha256-[^']+'/)
    expect(policy).not.toContain('unsafe')
  })

  it('serves images of the book and nothing outside of it', async () => {
    await writeFile(join(folder, 'README.md'), '![x](x.png)')
    await writeFile(join(folder, 'x.png'), 'PNG')
    await symlink('/etc/hostname', join(folder, 'host.txt'))
    await symlink('/etc/hostname', join(folder, 'host.md'))
    await start()
    expect(await get('/x.png')).toMatchObject({ status: 200, body: 'PNG' })
    expect((await get('/host.txt')).status).toBe(404)
    expect((await get('/host.md')).status).toBe(404)
    for (const path of [
      '/../../etc/hostname',
      '/..%2f..%2fetc%2fhostname',
      '/%00',
      '/%',
      '//etc/hostname',
      '/...md',
    ]) {
      expect([path, await getRaw(path)]).toEqual([path, 404])
    }
  })

  it.each([
    ['README.md', `# a${' '.repeat(200_000)}b`],
    ['README.md', `# ${'#'.repeat(200_000)}b`],
    ['SUMMARY.md', `${' '.repeat(200_000)}[a](`],
    ['SUMMARY.md', '[a]('.repeat(50_000)],
  ])('answers soon, whatever stands in %s', async (file, text) => {
    await writeFile(join(folder, file), text)
    await start()
    expect((await get('/')).status).toBe(200)
  })

  it('finds the titles of chapters', async () => {
    await writeFile(join(folder, 'SUMMARY.md'), '- [One](<./one.md>)\n  * [Two]( two.md )\n[Three](three.md)')
    for (const name of ['one', 'two', 'three']) await writeFile(join(folder, `${name}.md`), `# ${name} #  \n`)
    await start()
    const { body } = await get('/')
    for (const title of ['One', 'Two', 'Three']) expect(body).toContain(`${title}</a>`)
    await rm(join(folder, 'SUMMARY.md'))
    expect((await get('/')).body).toContain('>one</a>')
  })

  it('serves a page for an empty book, so that a probe finds it alive', async () => {
    await start()
    expect(await get('/')).toMatchObject({ status: 200, body: expect.stringContaining('An empty book') })
  })

  it('listens on the address of the Pod, whatever host name is asked for', async () => {
    await start({ address: '127.0.0.9' })
    expect(output).toContain('http://127.0.0.9:')
    expect((await get('/')).status).toBe(200)
    await expect(fetch(address.replace('127.0.0.9', '127.0.0.1'))).rejects.toThrow('fetch failed')
  })

  it('takes the port from its arguments, and refuses an invalid one', async () => {
    await start({ args: ['serve', '-p', '3001'] })
    expect(new URL(address).port).toBe(String(43_001 + (process.pid % 10_000)))
    stop.abort()
    await running
    for (const port of ['0', '70000', 'x', '']) {
      await expect(
        mdbook({ args: ['serve', `--port=${port}`], command: [] } as unknown as Container),
      ).rejects.toThrow('is not a port')
    }
  })

  it('ends with connections open when it must stop', async () => {
    await start()
    const open = request(address)
    open.on('error', () => undefined)
    stop.abort()
    expect(await running).toBe(0)
    open.destroy()
  })
})
