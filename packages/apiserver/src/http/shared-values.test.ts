import { ValueBytes, type ApiRequest, type ApiResponse } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import { TestEnvironment } from '../testing/index.ts'

const MAPS = '/api/v1/namespaces/default/configmaps'
const JOBS = '/apis/batch/v1/namespaces/default/jobs'

/** Sends a request as a caller in this process, or as another one. */
function send(
  env: TestEnvironment,
  method: ApiRequest['method'],
  path: string,
  rest: Partial<ApiRequest> & { sent?: object } = {},
): Promise<ApiResponse> {
  const { sent, ...others } = rest
  return env.handler({
    method,
    path,
    query: new URLSearchParams(),
    headers: { 'content-type': 'application/json' },
    body: sent && new TextEncoder().encode(JSON.stringify(sent)),
    inProcess: true,
    ...others,
  })
}

function valueIn({ body }: ApiResponse): unknown {
  if (!(body instanceof Uint8Array)) throw new TypeError('the body is a stream')
  return ValueBytes.valueIn(body)
}

const map = { metadata: { name: 'a' }, data: { key: 'value' } }

describe('a caller in this process', () => {
  it('gets the stored value, frozen, with the bytes', async () => {
    await using env = await TestEnvironment.start()
    const created = await send(env, 'POST', MAPS, { sent: map })
    const read = await send(env, 'GET', `${MAPS}/a`)
    expect(valueIn(read)).toBe(valueIn(created))
    expect(valueIn(read)).toSatisfy(Object.isFrozen)
    expect(valueIn(read)).toStrictEqual(JSON.parse(new TextDecoder().decode(read.body as Uint8Array)))
  })

  it('may change the bytes of an answer, and other callers do not notice', async () => {
    await using env = await TestEnvironment.start()
    await send(env, 'POST', MAPS, { sent: map })
    const first = await send(env, 'GET', `${MAPS}/a`)
    ;(first.body as Uint8Array).fill(0)
    const { body } = await env.call('GET', `${MAPS}/a`)
    expect(body).toMatchObject(map)
  })

  it.each([
    [
      'metadata only',
      { headers: { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' } },
    ],
    ['an indented answer', { query: new URLSearchParams({ pretty: 'true' }) }],
    ['a request from elsewhere', { inProcess: false }],
  ])('gets no value with %s', async (_, rest) => {
    await using env = await TestEnvironment.start()
    await send(env, 'POST', MAPS, { sent: map })
    expect(valueIn(await send(env, 'GET', `${MAPS}/a`, rest))).toBeUndefined()
  })

  it('gets no value that JavaScript would round when it parses the bytes', async () => {
    await using env = await TestEnvironment.start()
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'x' }] } }
    const job = (seconds: string): Uint8Array =>
      new TextEncoder().encode(
        JSON.stringify({
          metadata: { name: `j${seconds}` },
          spec: { template, activeDeadlineSeconds: 0 },
        }).replace('"activeDeadlineSeconds":0', `"activeDeadlineSeconds":${seconds}`),
      )
    const long = await send(env, 'POST', JOBS, { body: job('9223372036854775807') })
    expect([long.status, valueIn(long)]).toEqual([201, undefined])
    expect(valueIn(await send(env, 'POST', JOBS, { body: job('30') }))).toMatchObject({ kind: 'Job' })
  })

  it('gets the events of a watch as references to what is stored', async () => {
    await using env = await TestEnvironment.start()
    const query = new URLSearchParams({ watch: 'true', resourceVersion: '0' })
    await send(env, 'POST', MAPS, { sent: map })
    const { body } = await send(env, 'GET', MAPS, { query })
    const chunks = (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
    const chunk = (await chunks.next()).value as Uint8Array
    const events = ValueBytes.eventsIn(chunk)
    const lines = new TextDecoder().decode(chunk).trim().split('\n')
    expect(events?.map(({ type, kept }) => ({ type, object: kept.value }))).toEqual(
      lines.map((line) => JSON.parse(line) as object),
    )
    await chunks.return?.()
  })
})
