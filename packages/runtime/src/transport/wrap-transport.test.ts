import { SimulatedClock } from '@homeostat/api'
import { ConfigMap } from '@homeostat/api/kinds'
import { context, trace } from '@opentelemetry/api'
import { describe, expect, it, vi } from 'vitest'
import { json, ScriptedApi } from '../../test/scripted-api.ts'
import { createClient } from '../client/create-client.ts'
import { leadingTransport } from '../election/leading-transport.ts'
import { recordRules } from '../rules/record-rules.ts'
import { silentLogger } from '../telemetry/create-logger.ts'
import { MetricsRegistry } from '../telemetry/metrics.ts'
import { countedTransport } from './counted-transport.ts'
import { directTransport } from './direct-transport.ts'
import { tracedTransport } from './traced-transport.ts'
import type { Transport } from './transport.ts'

const clock = new SimulatedClock()
const election = { assertLeads() {}, lostSignal: new AbortController().signal }

describe.each<[string, (transport: Transport) => Transport]>([
  ['that counts', (transport) => countedTransport(transport, new MetricsRegistry())],
  ['that traces', (transport) => tracedTransport(transport, { trace, context }, clock)],
  ['that writes only while this process leads', (transport) => leadingTransport(transport, election)],
  ['that records rules', recordRules],
  ['of several layers', (transport) => recordRules(countedTransport(transport, new MetricsRegistry()))],
])('a transport %s', (_, wrap) => {
  it('shares the memory of the server with the transport that it wraps', async () => {
    const warn = vi.fn<(...line: unknown[]) => void>()
    const resources = [{ name: 'widgets', kind: 'Widget', namespaced: true, verbs: ['get'] }]
    const api = new ScriptedApi().otherwise(({ path }) =>
      json(path.endsWith('/v1') ? { resources } : { items: [], metadata: {} }, 200, {
        warning: '299 - "v1 is old"',
      }),
    )
    const transport = directTransport(api.handler, { clock })
    const clients = [transport, wrap(transport), wrap(transport)].map((each) =>
      createClient({ transport: each, clock, logger: { ...silentLogger, warn } }),
    )
    for (const client of clients) {
      await client.list(ConfigMap)
      await client.kinds.find('example.com/v1', 'Widget')
    }
    expect(warn).toHaveBeenCalledTimes(1)
    expect(api.requests.filter(({ path }) => path === '/apis/example.com/v1')).toHaveLength(1)
  })

  it('has the address of the transport that it wraps, and closes that transport', async () => {
    const transport = directTransport(new ScriptedApi().otherwise(json({})).handler, { clock })
    const wrapped = wrap(transport)
    expect([wrapped.server, wrapped.inProcess]).toEqual(['in-process', true])
    await wrapped.close()
    const request = { method: 'GET', path: '/', query: new URLSearchParams(), headers: {} } as const
    await expect(transport.send(request)).rejects.toMatchObject({ code: 'TRANSPORT_CLOSED' })
  })
})
