import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
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

/** `kubectl port-forward` on a free port, until it is disposed. */
async function portForward(
  cluster: RunningCluster,
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
