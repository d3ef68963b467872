import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemClock } from '@homeostat/api'
import { Endpoints, EndpointSlice, Service } from '@homeostat/api/kinds'
import { ApiServer } from '@homeostat/apiserver'
import { connect, createClient, loadConfig } from 'homeostat'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startControlPlane } from './kubernetes/control-plane.ts'

const KEY = { namespace: 'default', name: 'kubernetes' }

/** The Service `kubernetes` and what says where it leads, without what no two servers share. */
async function serviceOf(kubeconfig: string): Promise<string> {
  const clock = new SystemClock()
  await using transport = connect(loadConfig({ kubeconfig }), { clock })
  const client = createClient({ transport, clock, fieldManager: 'test' })
  const reads: (() => Promise<object | undefined>)[] = [
    () => client.get(Service, KEY),
    () => client.get(Endpoints, KEY),
    () => client.get(EndpointSlice, KEY),
  ]
  const objects: unknown[] = []
  // A real server writes them after it is ready.
  for (const read of reads) objects.push(await vi.waitUntil(read, { timeout: 60_000 }))
  return JSON.stringify(sorted(objects), undefined, 2)
    .replaceAll(/"(uid|resourceVersion|creationTimestamp|time)": ".*"/g, '"$1": "…"')
    .replaceAll(/"(\d+\.){3}\d+"/g, '"an address"')
    .replaceAll(/"(port|targetPort)": (?!443\b)\d+/g, '"$1": "a port"')
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]))
}

test(
  'the Service of the API, its Endpoints and its EndpointSlice are those of a real server',
  { timeout: 300_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'homeostat-service-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const kubeconfig = join(folder, 'kubeconfig')
    await using real = await startControlPlane({ endpointAddress: '192.0.2.1' })
    await using server = await ApiServer.start()
    await using port = await server.listen()
    writeFileSync(kubeconfig, port.kubeconfig(), { mode: 0o600 })
    expect(await serviceOf(kubeconfig)).toBe(await serviceOf(real.kubeconfig))
  },
)
