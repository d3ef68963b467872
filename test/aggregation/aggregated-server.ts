import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CertificateAuthority } from '@homeostat/api/certificates'
import { create, exchange } from '../proxies/raw-exchange.ts'
import { REACHABLE, startReachableServer, type ReachableServer } from '../proxies/reachable-server.ts'

const VALIDITY = { notBefore: '2020-01-01T00:00:00Z', notAfter: '2099-12-31T23:59:59Z' }
const API_SERVICES = '/apis/apiregistration.k8s.io/v1/apiservices'

/** Starts a server that passes requests on to extension API servers at {@link REACHABLE}. */
export async function startAggregatedServer(): Promise<ReachableServer> {
  const folder = mkdtempSync(join(tmpdir(), 'homeostat-front-proxy-'))
  const authority = await CertificateAuthority.create('front-proxy-ca', VALIDITY)
  const { certificate, key } = await authority.forClient({ commonName: 'front-proxy-client' }, VALIDITY)
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const server = await startReachableServer([
    '--enable-aggregator-routing=true',
    `--requestheader-client-ca-file=${file('ca.crt', authority.certificate)}`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-username-headers=X-Remote-User',
    '--requestheader-uid-headers=X-Remote-Uid',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    `--proxy-client-cert-file=${file('client.crt', certificate)}`,
    `--proxy-client-key-file=${file('client.key', key)}`,
  ])
  const close = async (): Promise<void> => {
    await server[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true })
  }
  return { ...server, [Symbol.asyncDispose]: close }
}

/** Makes a Service in the namespace `default` that leads to a port of this machine. */
export async function createService(
  server: ReachableServer,
  name: string,
  port: number,
  options: { readonly ready?: boolean; readonly slice?: boolean; readonly addresses?: boolean } = {},
): Promise<void> {
  const { ready = true, slice = true, addresses = true } = options
  const ports = [{ name: 'https', port: 443, targetPort: port }]
  await create(server, '/api/v1/namespaces/default/services', { metadata: { name }, spec: { ports } })
  if (!slice) return
  await create(server, '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
    metadata: { name, labels: { 'kubernetes.io/service-name': name } },
    addressType: 'IPv4',
    endpoints: addresses ? [{ addresses: [REACHABLE], conditions: { ready } }] : [],
    ports: [{ name: 'https', port }],
  })
}

/** Makes an APIService, by the group that it is for; the Service has the first part of the group as its name. */
export async function createApiService(
  server: ReachableServer,
  group: string,
  spec: object,
  version = 'v1',
): Promise<void> {
  await create(server, API_SERVICES, {
    metadata: { name: `${version}.${group}` },
    spec: {
      group,
      version,
      groupPriorityMinimum: 1_500,
      versionPriority: 10,
      service: { namespace: 'default', name: group.split('.', 1)[0] },
      ...spec,
    },
  })
}

/** The condition of an APIService; undefined before the server has looked. */
export async function conditionOf(
  server: ReachableServer,
  name: string,
): Promise<Record<string, unknown> | undefined> {
  const { body } = await exchange(server, { path: `${API_SERVICES}/${name}` })
  const { status } = JSON.parse(body.toString()) as { status?: { conditions?: Record<string, unknown>[] } }
  return status?.conditions?.[0]
}
