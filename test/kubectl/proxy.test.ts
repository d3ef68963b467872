import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cluster, type ContainerModule } from '@homeostat/cluster'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { followOutput } from '../program-output.ts'
import { callers, callKubectl, startKubectl } from './call-kubectl.ts'

const [caller] = callers()

/** Answers over HTTP, and sends back what it gets over WebSocket. */
const webServer: ContainerModule = async (container) => {
  const server = createServer((incoming, response) => {
    if (incoming.url !== '/page') return void incoming.pipe(response)
    response.setHeader('content-type', 'text/html').end('<a href="/other">')
  })
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => socket.send(`got ${data.toString()}`)),
  )
  await once(server.listen(container.port(80), container.address), 'listening')
  await new Promise((resolve) => container.signal.addEventListener('abort', resolve, { once: true }))
  sockets.close()
  server.close()
  server.closeAllConnections()
}

const OBJECTS = `
apiVersion: v1
kind: Pod
metadata: { name: web, labels: { app: web } }
spec:
  containers:
  - { name: web, image: web-server, ports: [{ containerPort: 80 }] }
  - { name: shell, image: busybox, command: [sleep, "3600"] }
---
apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ name: http, port: 8080, targetPort: 80 }] }
`

describe.skipIf(!caller)('kubectl proxy', () => {
  let cluster: Cluster
  let folder: string
  let base: string
  let proxy: ReturnType<typeof startKubectl>

  beforeAll(async () => {
    if (!caller) return
    folder = mkdtempSync(join(tmpdir(), 'homeostat-proxy-'))
    cluster = await Cluster.start({ images: { 'web-server': { module: webServer } } })
    const kubeconfig = join(folder, 'kubeconfig')
    writeFileSync(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
    await callKubectl(caller, kubeconfig, ['apply', '-f', '-'], OBJECTS)
    const ready = ['wait', '--for=condition=Ready', 'pod/web', '--timeout=120s']
    await callKubectl(caller, kubeconfig, ready)
    // By default kubectl itself refuses to pass on exec.
    proxy = startKubectl(caller, kubeconfig, ['proxy', '--port=0', '--reject-paths=^$'])
    const [, address] = await followOutput(proxy, 'kubectl proxy').printed(/serve on (127\.0\.0\.1:\d+)/)
    base = `http://${address}`
  }, 240_000)
  afterAll(async () => {
    proxy?.kill()
    await cluster?.close()
    if (folder) rmSync(folder, { recursive: true, force: true })
  })

  const CORE = '/api/v1/namespaces/default'

  it('carries requests to the API', async () => {
    const answer = await ask('GET', `${CORE}/pods/web`)
    expect(JSON.parse(answer.text)).toMatchObject({ kind: 'Pod', metadata: { name: 'web' } })
    const created = await ask('POST', `${CORE}/configmaps`, '{"metadata":{"name":"made"}}')
    expect(created.status).toBe(201)
  })

  it('carries a watch', async () => {
    const asked = request(`${base}${CORE}/pods?watch=true`).end()
    const [response] = (await once(asked, 'response')) as [AsyncIterable<Buffer>]
    let text = ''
    for await (const chunk of response) {
      text += String(chunk)
      if (text.includes('\n')) break
    }
    expect(JSON.parse(text.split('\n', 1)[0] ?? '')).toMatchObject({ type: 'ADDED', object: { kind: 'Pod' } })
    asked.destroy()
  })

  it('reaches a Pod and a Service', async () => {
    expect(await ask('POST', `${CORE}/pods/web:80/proxy/echo`, 'to the Pod')).toMatchObject({
      text: 'to the Pod',
    })
    expect(await ask('PUT', `${CORE}/services/web:http/proxy/x`, 'to it')).toMatchObject({ text: 'to it' })
    const page = await ask('GET', `${CORE}/services/web:8080/proxy/page`)
    expect(page.text).toBe(`<a href="${CORE}/services/web:8080/proxy/other">`)
    const refused = await ask('GET', `${CORE}/pods/web:81/proxy/`)
    expect(refused.status).toBe(503)
    expect(refused.text).toMatch(
      /error trying to reach service: dial tcp 10\.244\.\d+\.\d+:81: connect: connection refused/,
    )
  })

  it('carries a WebSocket to a Pod', async () => {
    const socket = new WebSocket(`${base.replace('http:', 'ws:')}${CORE}/pods/web/proxy/socket`)
    await once(socket, 'open')
    socket.send('hello')
    expect(String((await once(socket, 'message'))[0])).toBe('got hello')
    socket.close()
    await once(socket, 'close')
  })

  it('carries exec over a WebSocket', async () => {
    const query = 'container=shell&command=echo&command=from+within&stdout=true'
    const url = `${base.replace('http:', 'ws:')}${CORE}/pods/web/exec?${query}`
    const socket = new WebSocket(url, ['v5.channel.k8s.io'])
    let output = ''
    socket.on('message', (data: Buffer) => (output += data[0] === 1 ? data.subarray(1).toString() : ''))
    await once(socket, 'close')
    expect(output).toBe('from within\n')
  })

  async function ask(method: string, path: string, body?: string) {
    const asked = request(`${base}${path}`, {
      method,
      headers: body ? { 'content-type': 'application/json' } : {},
    })
    asked.end(body)
    const [response] = (await once(asked, 'response')) as [AsyncIterable<Buffer> & { statusCode: number }]
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk)
    return { status: response.statusCode, text: Buffer.concat(chunks).toString() }
  }
})
