import { request } from 'node:https'
import { expect, test } from 'vitest'
import { startControlPlane } from './kubernetes/control-plane.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'

test(
  'a real server whose etcd is full serves reads and deletions, and says so to the others',
  { timeout: 300_000 },
  async () => {
    await using server = await startControlPlane({ quotaBytes: 6_000_000 })
    await server.settled()
    const call = (method: string, path: string, body?: object): Promise<{ code: number; body: any }> => {
      const { promise, resolve, reject } = Promise.withResolvers<{ code: number; body: any }>()
      const headers = { authorization: `Bearer ${server.token}`, 'content-type': 'application/json' }
      request(`${server.url}${path}`, { method, ca: server.certificateAuthority, headers }, (incoming) => {
        let text = ''
        incoming.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        incoming.on('end', () =>
          resolve({
            code: incoming.statusCode ?? 0,
            body: text.startsWith('{') ? JSON.parse(text) : text,
          }),
        )
      })
        .on('error', reject)
        .end(body && JSON.stringify(body))
      return promise
    }
    const FULL = {
      code: 500,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        message: 'etcdserver: mvcc: database space exceeded',
        code: 500,
      },
    }
    const data = { text: 'x'.repeat(300_000) }
    let answer: { code: number; body: any } | undefined
    for (let count = 0; count < 100 && answer?.code !== 500; count++) {
      const finalizers = count === 1 ? ['test.dev/hold'] : []
      answer = await call('POST', MAPS, { metadata: { name: `c${count}`, finalizers }, data })
    }
    expect(answer).toEqual(FULL)
    expect(await call('PUT', `${MAPS}/c0`, { metadata: { name: 'c0' } })).toEqual(FULL)
    expect((await call('GET', MAPS)).code).toBe(200)
    expect((await call('GET', '/readyz')).code).toBe(200)
    expect((await call('DELETE', `${MAPS}/c0`)).code).toBe(200)
    // Here ours goes further: it takes the update that begins the deletion.
    expect(await call('DELETE', `${MAPS}/c1`)).toEqual(FULL)
  },
)
