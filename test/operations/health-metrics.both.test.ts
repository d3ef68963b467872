import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ANONYMOUS } from '../conformance/anonymous.ts'
import { lines, recorded, startOperated, type OperatedServer } from './operated-server.ts'

let server: OperatedServer
beforeAll(async () => {
  server = await startOperated([])
  // A check has no series before it was made.
  for (const root of ['livez', 'readyz', 'healthz']) await server.ask('GET', `/${root}`)
})
afterAll(() => server?.[Symbol.asyncDispose]())

const read = () => server.ask('GET', '/metrics/slis')

/** The number of each series of successful checks, and the last result of each check. */
function counts(text: string): Map<string, number> {
  const found = text.split('\n').filter((line) => line.startsWith('kubernetes_') && !line.includes('"error"'))
  return new Map(
    found.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )
}

describe('the metrics of health checks', () => {
  test('count the checks that were made, not those left out nor single ones', async () => {
    const before = counts((await read()).text)
    await server.ask('GET', '/livez')
    await server.ask('GET', '/livez?exclude=etcd&verbose')
    await server.ask('GET', '/healthz/etcd')
    await server.ask('GET', '/readyz?exclude=ping')
    const after = counts((await read()).text)
    const changes = [...after].map(([name, value]) => [
      name,
      name.startsWith('kubernetes_healthcheck{') ? value : value - (before.get(name) ?? 0),
    ])
    await expect(lines(Object.fromEntries(changes))).toMatchFileSnapshot(recorded('health-metrics'))
  })

  test('have the families and the headers of kube-apiserver', async () => {
    const { text, headers } = await read()
    const families = text.split('\n').filter((line) => line.startsWith('#'))
    const told = { families, type: headers['content-type'], cache: headers['cache-control'] }
    await expect(lines(told)).toMatchFileSnapshot(recorded('health-metrics-families'))
    const start = Number(/^process_start_time_seconds (.*)$/m.exec(text)?.[1])
    expect(Math.abs(start - Number(headers['process-start-time-unix']))).toBeLessThan(10)
    expect(Math.abs(start - Date.now() / 1000)).toBeLessThan(3600)
  })

  test.for([
    ['anonymous clients', { authorization: ANONYMOUS }],
    ['the group of monitors', { 'impersonate-user': 'jane', 'impersonate-group': 'system:monitoring' }],
  ] as const)('are read by %s as far as roles allow it', async ([who, headers]) => {
    const { status, text } = await server.ask('GET', '/metrics/slis', { headers })
    const told = { status, body: status === 200 ? '' : JSON.parse(text) }
    await expect(lines(told)).toMatchFileSnapshot(recorded(`health-metrics-for-${who.replaceAll(' ', '-')}`))
  })
})
