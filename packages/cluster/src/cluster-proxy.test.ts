import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { SimulatedClock, type ApiRequest } from '@homeostat/api'
import { Node, Pod, Service } from '@homeostat/api/kinds'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Cluster } from './cluster.ts'
import type { ContainerModule } from './images/index.ts'

const namespace = 'default'
const labels = { app: 'web' }

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.url === '/moved') {
    response.writeHead(302, { location: '/else?where=here' }).end()
    return
  }
  const body = await text(request)
  const { host, authorization, accept } = request.headers
  response.writeHead(418, { 'content-type': 'application/x-tea', 'x-own': 'yes' })
  response.end(
    JSON.stringify({ method: request.method, url: request.url, host, authorization, accept, body }),
  )
}

/** Answers over HTTP. What the system does for it takes no simulated time. */
const web: ContainerModule = async (container) => {
  const { address, signal, clock } = container
  const server = createServer((request, response) => void answer(request, response))
  const starting = clock.busy('the start of a server')
  await new Promise<void>((resolve) => server.listen(container.port(8080), address, resolve))
  starting.end()
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  using _ending = clock.busy('the end of a server')
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}

let cluster: Cluster
beforeAll(async () => {
  const clock = new SimulatedClock()
  cluster = await Cluster.start({ clock, port: false, images: { web: { module: web } } })
  const ports = [{ name: 'http', containerPort: 8080 }]
  await cluster.client.create(Pod, {
    metadata: { namespace, name: 'web', labels },
    spec: { containers: [{ name: 'web', image: 'web', ports }] },
  })
  await cluster.client.create(Service, {
    metadata: { namespace, name: 'web' },
    spec: { selector: labels, ports: [{ name: 'main', port: 80, targetPort: 'http' }] },
  })
  await clock.settle()
})
afterAll(() => cluster.close())

async function call(
  path: string,
  more: Partial<Pick<ApiRequest, 'method' | 'body'>> & { headers?: Record<string, string> } = {},
) {
  const url = new URL(path, 'http://server')
  const response = await cluster.handler({
    method: 'GET',
    path: url.pathname,
    query: url.searchParams,
    ...more,
    headers: { accept: 'application/json', ...more.headers },
  })
  const body = await new Response(response.body as never).text()
  return { status: response.status, headers: response.headers, body }
}

const below = `/api/v1/namespaces/${namespace}`

describe('a request to a proxy', () => {
  it.each([
    ['a Pod by its first port', 'pods/web'],
    ['a Pod by a port', 'pods/web:8080'],
    ['a Service by the name of its port', 'services/web:main'],
    ['a Service by the number of its port', 'services/http:web:80'],
  ])('reaches %s', async (_what, object) => {
    const { status, headers, body } = await call(`${below}/${object}/proxy/a/b%20c?q=1&q=2`)
    expect(status).toBe(418)
    expect(headers).toMatchObject({ 'content-type': 'application/x-tea', 'x-own': 'yes' })
    expect(JSON.parse(body)).toMatchObject({
      method: 'GET',
      url: '/a/b%20c?q=1&q=2',
      host: expect.stringMatching(/^10\.244\.\d+\.\d+:8080$/) as string,
      accept: 'application/json',
    })
  })

  it('passes on the method and the body, and no credentials', async () => {
    const { body } = await call(`${below}/services/web:main/proxy/submit`, {
      method: 'POST',
      body: new TextEncoder().encode('some text'),
      headers: {
        'content-type': 'text/plain',
        'impersonate-user': 'jane',
        'impersonate-group': 'system:masters',
      },
    })
    expect(JSON.parse(body)).toMatchObject({ method: 'POST', url: '/submit', body: 'some text' })
    expect(JSON.parse(body)).not.toHaveProperty('authorization')
  })

  it('rewrites redirections so that they lead through the proxy', async () => {
    const { status, headers } = await call(`${below}/services/web:main/proxy/moved`)
    expect(status).toBe(302)
    expect(headers['location']).toBe(`${below}/services/web:main/proxy/else?where=here`)
  })

  it('redirects the root to the path with a slash', async () => {
    const bare = await call(`${below}/services/web:main/proxy?q=1`)
    expect([bare.status, bare.headers['location']]).toEqual([301, `${below}/services/web:main/proxy/?q=1`])
    expect(JSON.parse((await call(`${below}/services/web:main/proxy/?q=1`)).body)).toMatchObject({
      url: '/?q=1',
    })
  })

  it('says that nothing listens on a port', async () => {
    const { status, body } = await call(`${below}/pods/web:9/proxy/`)
    expect(status).toBe(503)
    expect(JSON.parse(body)).toMatchObject({
      reason: 'ServiceUnavailable',
      message: expect.stringMatching(
        /^error trying to reach service: dial tcp 10\.244\.\d+\.\d+:9: connect: connection refused$/,
      ) as string,
    })
  })

  it('reaches the node, which serves its health and answers 404 for unknown paths', async () => {
    const [node] = await cluster.client.list(Node)
    const proxy = `/api/v1/nodes/${node?.metadata.name}/proxy`
    expect(await call(`${proxy}/healthz`)).toMatchObject({ status: 200, body: 'ok' })
    expect((await call(`${proxy}/nothing`)).status).toBe(404)
  })
})
