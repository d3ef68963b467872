import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from './test-server.ts'

let server: TestServer
const node = `n${crypto.randomUUID().slice(0, 8)}`
beforeAll(async () => {
  server = await startTestServer()
  await server.call('POST', '/api/v1/nodes', { body: { metadata: { name: node } } })
  await ask('POST', 'serviceaccounts', { metadata: { name: 'default' } })
  const containers = [{ name: 'c', image: 'i', ports: [{ containerPort: 80 }] }]
  const pod = { metadata: { name: 'p' }, spec: { containers, automountServiceAccountToken: false } }
  await server.until('the Pod is there', async () => (await ask('POST', 'pods', pod)).status === 201)
  const ports = [
    { name: 'http', port: 80 },
    { name: 'other', port: 81 },
  ]
  for (const name of ['s', 'empty', 'others'])
    await ask('POST', 'services', { metadata: { name }, spec: { ports } })
  await ask('POST', 'endpoints', { metadata: { name: 'empty' } })
  const subsets = [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ name: 'unknown', port: 1 }] }]
  await ask('POST', 'endpoints', { metadata: { name: 'others' }, subsets })
})
afterAll(async () => {
  await server.call('DELETE', `/api/v1/nodes/${node}`)
  await server.close()
})

function ask(method: 'GET' | 'POST' | 'DELETE' | 'PUT', path: string, body?: object) {
  return server.call(method, `/api/v1/namespaces/${server.namespace}/${path}`, { body })
}

describe('a proxy without anything that runs Pods', () => {
  it.each([
    ['pods/none/proxy/', 404, 'pods "none" not found'],
    ['pods/p/proxy/', 400, 'address not allowed'],
    ['pods/p/proxy', 400, 'address not allowed'],
    ['pods/ftp:p:80/proxy/', 400, 'invalid pod request "ftp:p:80"'],
    ['services/none/proxy/', 404, 'services "none" not found'],
    ['services/s:http/proxy/', 404, 'services "s" not found'],
    ['services/s:8080/proxy/', 503, 'no service port 8080 found for service "s"'],
    ['services/a:b:c:d/proxy/', 400, 'invalid service request "a:b:c:d"'],
    ['services/empty:http/proxy/', 503, 'no endpoints available for service "empty"'],
    ['services/others:http/proxy/', 503, 'no endpoints available for service "others:http"'],
    ['services/others/proxy/', 503, 'no endpoints available for service "others"'],
    ['services/others:80/proxy/', 503, 'no endpoints available for service "others:80"'],
    ['services/https:others:http/proxy/', 503, 'no endpoints available for service "https:others:http"'],
  ])('answers for %s', async (path, code, message) => {
    const { status, body } = await ask('GET', path)
    expect({ status, message: body.message as unknown }).toEqual({ status: code, message })
    const posted = await ask('POST', path, {})
    expect({ status: posted.status, message: posted.body.message as unknown }).toEqual({
      status: code,
      message,
    })
  })

  it.each([
    ['none', 404, 'nodes "none" not found'],
    [node, 500, 'no preferred addresses found; known addresses: []'],
    [`${node}:10250`, 500, 'no preferred addresses found; known addresses: []'],
    [`ftp:${node}:1`, 400, `invalid node request "ftp:${node}:1"`],
  ])('answers for the node %s', async (name, code, message) => {
    const { status, body } = await server.call('GET', `/api/v1/nodes/${name}/proxy/healthz`)
    expect({ status, message: body.message as unknown }).toEqual({ status: code, message })
  })

  it('is found in a namespace only', async () => {
    expect((await server.call('GET', '/api/v1/services/s:http/proxy/')).status).toBe(404)
  })
})
