import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cluster, type ContainerModule } from '@homeostat/cluster'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callers, callKubectl, startKubectl, TerminalCall, type Called, type Caller } from './call-kubectl.ts'

const all = callers()
if (all.length === 0 && process.env['CI']) throw new Error('CI needs kubectl on the PATH')

const PODS = `
apiVersion: v1
kind: Pod
metadata: { name: talker, labels: { app: talk } }
spec:
  restartPolicy: Never
  initContainers:
  - { name: first, image: busybox, command: [sh, -c, "echo from the first"] }
  containers:
  - { name: one, image: busybox, command: [sh, -c, "echo one 1; echo one 2; echo one 3; sleep 3600"] }
  - { name: two, image: busybox, command: [sh, -c, "echo two 1 >&2; sleep 3600"] }
---
apiVersion: v1
kind: Pod
metadata: { name: other, labels: { app: talk } }
spec:
  containers:
  - { name: one, image: busybox, command: [sh, -c, "echo other 1; sleep 3600"] }
---
apiVersion: v1
kind: Pod
metadata: { name: crash }
spec:
  containers:
  - { name: main, image: busybox, command: [sh, -c, "echo run; sleep 1; exit 3"] }
---
apiVersion: v1
kind: Pod
metadata: { name: shell }
spec:
  containers:
  - { name: main, image: busybox, stdin: true, command: [sh, -c, "echo ready; while read line; do echo got $line; done; sleep 3600"] }
---
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
      - { name: web, image: web-server, ports: [{ containerPort: 80, name: http }] }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 8080, targetPort: http }] }
`

/** Answers every request over HTTP. */
const webServer: ContainerModule = async (container) => {
  const { address, signal } = container
  const server = createServer((request, response) => response.end(`you asked for ${request.url}`))
  await once(server.listen(container.port(80), address), 'listening')
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  server.close()
  server.closeAllConnections()
}

let cluster: Cluster
let folder: string
let kubeconfig: string

beforeAll(async () => {
  if (all.length === 0) return
  folder = mkdtempSync(join(tmpdir(), 'homeostat-streams-'))
  cluster = await Cluster.start({ images: { 'web-server': { module: webServer } } })
  kubeconfig = join(folder, 'kubeconfig')
  writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
  const run = async (args: string, input?: string): Promise<void> => {
    const { code, out, errors } = await callKubectl(all[0]!, kubeconfig, args.split(' '), input)
    if (code !== 0) throw new Error(`kubectl ${args}: ${out}${errors}`)
  }
  await run('apply -f -', PODS)
  await run('wait --for=condition=Ready pod/talker pod/other pod/shell --timeout=120s')
  await run('wait --for=condition=Available deployment/web --timeout=120s')
}, 120_000)

afterAll(async () => {
  await cluster?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

describe.skipIf(all.length === 0)('kubectl get --raw', () => {
  it('reaches a Service and a Pod through the proxy', { timeout: 120_000 }, async () => {
    const raw = (path: string) =>
      callKubectl(all[0]!, kubeconfig, ['get', '--raw', `/api/v1/namespaces/default/${path}`])
    expect(await raw('services/web:8080/proxy/page?a=b')).toMatchObject({ out: 'you asked for /page?a=b' })
    const pods = ['get', 'pods', '-l', 'app=web', '-o', 'name']
    const { out: name } = await callKubectl(all[0]!, kubeconfig, pods)
    expect(await raw(`${name.trim().replace('pod/', 'pods/')}/proxy/`)).toMatchObject({
      out: 'you asked for /',
    })
    expect((await raw('services/none/proxy/')).errors).toContain('services "none" not found')
  })
})

describe.skipIf(all.length === 0)('kubectl logs', () => {
  const logs = async (args: string): Promise<string> => {
    const { out, errors } = await callKubectl(all[0]!, kubeconfig, ['logs', ...args.split(' ')])
    return out + errors
  }

  it('shows one container, a part of its lines, or all of them', { timeout: 120_000 }, async () => {
    // A container without a probe is ready once it runs, before it has written.
    await expect.poll(() => logs('talker -c one')).toBe('one 1\none 2\none 3\n')
    await expect.poll(() => logs('talker -c two')).toBe('two 1\n')
    await expect.poll(() => logs('other')).toBe('other 1\n')
    expect(await logs('talker -c first')).toBe('from the first\n')
    expect(await logs('talker -c one --tail=1')).toBe('one 3\n')
    expect(await logs('talker -c one --limit-bytes=8')).toBe('one 1\non')
    expect(await logs('talker -c one --since=1h --tail=2')).toBe('one 2\none 3\n')
    expect(await logs('talker -c one --since-time=2200-01-01T00:00:00Z')).toBe('')
    expect(await logs('talker -c one --timestamps --tail=1')).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z one 3\n$/,
    )
    expect((await logs('talker --all-containers')).split('\n').toSorted()).toEqual([
      '',
      'from the first',
      'one 1',
      'one 2',
      'one 3',
      'two 1',
    ])
    expect((await logs('talker --all-containers --prefix --tail=1')).split('\n').toSorted()).toEqual([
      '',
      '[pod/talker/first] from the first',
      '[pod/talker/one] one 3',
      '[pod/talker/two] two 1',
    ])
    expect((await logs('-l app=talk -c one --prefix --tail=1')).split('\n').toSorted()).toEqual([
      '',
      '[pod/other/one] other 1',
      '[pod/talker/one] one 3',
    ])
    expect(await logs('talker')).toContain('Defaulted container "one" out of: one, two, first (init)')
    expect(await logs('talker -c none')).toContain('container none is not valid for pod talker')
  })

  it('shows the run before', { timeout: 120_000 }, async () => {
    expect(await logs('talker -c one -p')).toContain(
      'previous terminated container "one" in pod "talker" not found',
    )
    await expect.poll(() => logs('crash -p'), { timeout: 60_000, interval: 500 }).toBe('run\n')
  })

  it('follows what comes', { timeout: 120_000 }, async () => {
    const child = startKubectl(all[0]!, kubeconfig, ['logs', '-f', 'shell'])
    const attached = startKubectl(all[0]!, kubeconfig, ['attach', '-i', 'shell'])
    let shown = ''
    child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()))
    await expect.poll(() => shown, { timeout: 60_000 }).toBe('ready\n')
    attached.stdin.write('a line\n')
    await expect.poll(() => shown, { timeout: 60_000 }).toBe('ready\ngot a line\n')
    attached.kill()
    child.kill()
    await Promise.all([once(child, 'close'), once(attached, 'close')])
  })
})

/** The length of the line by which the container says that it waits. */
const READY = 'ready\n'.length
const FLOOD = `
apiVersion: v1
kind: Pod
metadata: { name: flood }
spec:
  restartPolicy: Never
  containers:
  - { name: main, image: busybox, command: [sh, -c, "echo ready; until [ -e /go ]; do sleep 0.1; done; yes ${'x'.repeat(99)} | head -c 80000000"] }
`

describe.skipIf(all.length === 0)('a container that floods its log', () => {
  it(
    'is followed whole, is not held in memory, and does not delay other requests',
    { timeout: 120_000 },
    async () => {
      const call = (args: string, input?: string): Promise<Called> =>
        callKubectl(all[0]!, kubeconfig, args.split(' '), input)
      await call('apply -f -', FLOOD)
      await call('wait --for=jsonpath={.status.containerStatuses[0].state.running} pod/flood --timeout=60s')
      const child = startKubectl(all[0]!, kubeconfig, ['logs', '-f', 'flood'])
      let bytes = 0
      let most = 0
      child.stdout.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        const { heapUsed, arrayBuffers } = process.memoryUsage()
        most = Math.max(most, heapUsed + arrayBuffers)
      })
      const { heapUsed, arrayBuffers } = process.memoryUsage()
      // Begins only now: what was written long before is rotated away.
      await expect.poll(() => bytes, { timeout: 60_000 }).toBe(READY)
      expect(await call('exec flood -- touch /go')).toMatchObject({ code: 0 })
      expect(await call('exec shell -- echo still here')).toMatchObject({ code: 0, out: 'still here\n' })
      expect(bytes, 'the flood is over before it could delay a request').toBeLessThan(80_000_000)
      await once(child, 'close')
      expect(bytes).toBe(READY + 80_000_000)
      expect(most - heapUsed - arrayBuffers).toBeLessThan(150_000_000)
    },
  )
})

describe.skipIf(all.length === 0).each(all)('kubectl $name', (caller: Caller) => {
  const call = (args: readonly string[], input?: string | Buffer): Promise<Called> =>
    callKubectl(caller, kubeconfig, args, input)

  it('runs commands in a container', { timeout: 120_000 }, async () => {
    expect(await call(['exec', 'shell', '--', 'echo', 'hello', 'there'])).toEqual({
      code: 0,
      out: 'hello there\n',
      errors: '',
    })
    expect(await call(['exec', 'shell', '--', 'sh', '-c', 'echo out; echo err >&2; exit 9'])).toEqual({
      code: 9,
      out: 'out\n',
      errors: 'err\ncommand terminated with exit code 9\n',
    })
    expect(
      await call(['exec', '-i', 'shell', '--', 'sh', '-c', 'cat | wc -c'], 'x'.repeat(5_000)),
    ).toMatchObject({ code: 0, out: '5000\n' })
    const unknown = await call(['exec', 'shell', '--', '/usr/sbin/nothing-of-this-name'])
    expect(unknown.code).toBe(1)
    expect(unknown.errors).toContain('error executing command in container')
  })

  it('has a shell on a terminal', { timeout: 120_000 }, async () => {
    const terminal = new TerminalCall(caller, kubeconfig, ['exec', '-it', 'shell', '--', 'sh'])
    await terminal.shows('# ')
    terminal.type('echo $((20 + 22))\r')
    await terminal.shows('42\r\n')
    await terminal.shows('# ')
    terminal.type('sleep 1000\r')
    await terminal.shows('sleep 1000')
    terminal.type('\x03')
    await terminal.shows('# ')
    terminal.type('exit 5\r')
    expect(await terminal.ended).toBe(5)
  })

  it('runs a Pod of its own on a terminal', { timeout: 120_000 }, async () => {
    const name = `run-${all.indexOf(caller)}`
    const args = ['run', '-it', '--rm', '--restart=Never', '--image=busybox', name, '--', 'sh']
    const terminal = new TerminalCall(caller, kubeconfig, args)
    terminal.type('\r')
    await terminal.shows('# ')
    terminal.type('stty size\r')
    await terminal.shows('37 101')
    await terminal.shows('# ')
    terminal.type('exit 4\r')
    const shown = await terminal.shows(`pod default/${name} terminated (Error)`)
    expect(shown).not.toContain("couldn't attach")
    expect(await terminal.ended).toBe(4)
  })

  it('copies files both ways', { timeout: 120_000 }, async () => {
    const from = mkdtempSync(join(folder, 'copy-'))
    const data = randomBytes(5_000_000)
    mkdirSync(join(from, 'tree', 'deep'), { recursive: true })
    writeFileSync(join(from, 'tree', 'deep', 'data'), data)
    writeFileSync(join(from, 'tree', 'small file'), 'small')
    expect(await call(['cp', join(from, 'tree'), 'shell:/copied'])).toMatchObject({ code: 0, errors: '' })
    const { out } = await call(['exec', 'shell', '--', 'sha256sum', '/copied/deep/data'])
    expect(out.split(' ')[0]).toBe(createHash('sha256').update(data).digest('hex'))
    expect(await call(['cp', 'shell:/copied', join(from, 'back')])).toMatchObject({ code: 0 })
    expect(readFileSync(join(from, 'back', 'deep', 'data')).equals(data)).toBe(true)
    expect(readFileSync(join(from, 'back', 'small file'), 'utf8')).toBe('small')
    await call(['exec', 'shell', '--', 'rm', '-r', '/copied'])
  })

  it.each(['pod', 'deployment/web', 'service/web'])(
    'forwards a port of a %s',
    { timeout: 120_000 },
    async (target) => {
      const name =
        target === 'pod' ? (await call(['get', 'pods', '-l', 'app=web', '-o', 'name'])).out.trim() : target
      const remote = target === 'service/web' ? 8080 : 80
      const child = startKubectl(caller, kubeconfig, ['port-forward', name, `:${remote}`])
      let text = ''
      const port = await new Promise<string>((resolve) => {
        child.stdout.on('data', (chunk: Buffer) => {
          text += chunk.toString()
          const found = /Forwarding from 127\.0\.0\.1:(\d+)/.exec(text)
          if (found) resolve(found[1]!)
        })
      })
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => fetch(`http://127.0.0.1:${port}/page`)),
      )
      for (const answer of answers) expect(await answer.text()).toBe('you asked for /page')
      child.kill()
      await once(child, 'close')
    },
  )
})
