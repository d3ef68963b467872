import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pod } from '@homeostat/api/kinds'
import { Cluster, type Container } from '@homeostat/cluster'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hasBrowser, openBrowser } from '../browser.ts'
import { hasKubectl } from '../kubectl/has-kubectl.ts'
import { runCluster, type RunningCluster } from './run-cluster.ts'

const MANIFEST = `
apiVersion: v1
kind: ConfigMap
metadata: {name: book}
data: {README.md: "# Hello from a Pod"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: book}
spec:
  selector: {matchLabels: {app: book}}
  template:
    metadata: {labels: {app: book}}
    spec:
      containers:
      - name: mdbook
        image: peaceiris/mdbook
        command: [mdbook]
        args: [serve, --hostname, 0.0.0.0]
        ports: [{name: http, containerPort: 3000}]
        readinessProbe: {httpGet: {path: /, port: http}}
        volumeMounts: [{name: book, mountPath: /book/src}]
      volumes: [{name: book, configMap: {name: book}}]
---
apiVersion: v1
kind: Service
metadata: {name: book}
spec: {selector: {app: book}, ports: [{port: 80, targetPort: http}]}
`

describe.skipIf(!hasKubectl || !hasBrowser)('kubectl port-forward', { timeout: 240_000 }, () => {
  it('leads a browser to a page of a Pod, by its Service', async () => {
    await using cluster = runCluster()
    await cluster.printed(/Ctrl-C/)
    writeFileSync(join(cluster.folder, 'book.yaml'), MANIFEST)
    await cluster.kubectl('apply', '-f', join(cluster.folder, 'book.yaml'))
    await cluster.kubectl('rollout', 'status', 'deployment/book', '--timeout=60s')
    await using forward = await portForward(cluster, 'svc/book', ':80')
    await using browser = await openBrowser()
    const page = await browser.context.newPage()
    await page.goto(`http://127.0.0.1:${forward.port}/`)
    await page.getByRole('heading', { name: 'Hello from a Pod' }).waitFor()
    expect(await page.title()).toContain('Hello from a Pod')
  })
})

describe.skipIf(!hasKubectl || process.platform !== 'linux')(
  'kubectl port-forward to 127.0.0.1',
  { timeout: 240_000 },
  () => {
    it('reaches a Pod that listens there, and no program of the machine that does', async () => {
      using other = await listening()
      const port = await freePort()
      await using cluster = runCluster(['--image', 'own/local=sh ./local.sh'])
      // As a program that knows nothing of the cluster does: Node itself is led to the Pod's address.
      writeFileSync(
        join(cluster.folder, 'local.sh'),
        `unset NODE_OPTIONS; exec node ${cluster.folder}/local.mjs`,
      )
      writeFileSync(
        join(cluster.folder, 'local.mjs'),
        `import { createServer } from 'node:http'
         createServer((_, answer) => answer.end('local')).listen(${port}, '127.0.0.1', () => console.log('listens'))`,
      )
      await cluster.printed(/Ctrl-C/)
      await cluster.kubectl('run', 'local', '--image=own/local', '--restart=Never')
      await cluster.kubectl('wait', 'pod/local', '--for=condition=Ready', '--timeout=60s')
      while (!(await cluster.kubectl('logs', 'local')).includes('listens'));
      await using forward = await portForward(cluster, 'pod/local', `:${port}`)
      const answer = await fetch(`http://127.0.0.1:${forward.port}/`)
      expect(await answer.text()).toBe('local')
      await using refused = await portForward(cluster, 'pod/local', `:${other.port}`)
      await expect(fetch(`http://127.0.0.1:${refused.port}/`)).rejects.toThrow('fetch failed')
      expect(other.connections()).toBe(0)
    })
  },
)

describe.skipIf(!hasKubectl)('kubectl port-forward to 127.0.0.1', { timeout: 240_000 }, () => {
  it('reaches a module that listens there, and no other server of the same process', async () => {
    using other = await listening()
    const listens = Promise.withResolvers<number>()
    const module = async ({ signal }: Container): Promise<void> => {
      const server = createHttpServer((_, answer) => answer.end('module')).listen(0, '127.0.0.1')
      await once(server, 'listening')
      listens.resolve((server.address() as AddressInfo).port)
      await once(signal, 'abort')
      server.close()
      server.closeAllConnections()
    }
    await using cluster = await Cluster.start({ images: { local: { module } } })
    const folder = mkdtempSync(join(tmpdir(), 'homeostat-forward-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
    await cluster.client.create(Pod, {
      metadata: { namespace: 'default', name: 'local' },
      spec: { containers: [{ name: 'local', image: 'local' }] },
    })
    const port = await listens.promise
    await using forward = await portForward({ kubeconfig, folder }, 'pod/local', `:${port}`)
    const answer = await fetch(`http://127.0.0.1:${forward.port}/`)
    expect(await answer.text()).toBe('module')
    await using refused = await portForward({ kubeconfig, folder }, 'pod/local', `:${other.port}`)
    await expect(fetch(`http://127.0.0.1:${refused.port}/`)).rejects.toThrow('fetch failed')
    expect(other.connections()).toBe(0)
  })
})

/** A program of the machine that listens on 127.0.0.1. */
async function listening(): Promise<Disposable & { readonly port: number; connections(): number }> {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, connections: () => connections, [Symbol.dispose]: () => void server.close() }
}

async function freePort(): Promise<number> {
  using server = await listening()
  return server.port
}

/** `kubectl port-forward` on a free port, until it is disposed. */
async function portForward(
  cluster: Pick<RunningCluster, 'kubeconfig' | 'folder'>,
  ...args: string[]
): Promise<AsyncDisposable & { readonly port: string }> {
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfig, HOME: cluster.folder }
  const child = spawn('kubectl', ['port-forward', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  let output = ''
  const port = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        const found = /Forwarding from 127\.0\.0\.1:(\d+)/.exec(output)?.[1]
        if (found) resolve(found)
      })
    }
    void closed.then(() => reject(new Error(`kubectl port-forward ended: ${output}`)))
  })
  return {
    port: await port,
    [Symbol.asyncDispose]: async () => {
      child.kill()
      await closed
    },
  }
}
