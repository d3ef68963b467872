import { SystemClock, type ApiHandler } from '@homeostat/api'
import { ApiServer } from '@homeostat/apiserver'
import { connect, loadConfig } from 'homeostat'
import { expect, test } from 'vitest'
import { callJson } from '../json-call.ts'
import { startControlPlane } from '../kubernetes/control-plane.ts'

/** For documentation (RFC 5737). A kube-apiserver has no endpoints for an address of the loopback interface. */
const ADDRESS = '192.0.2.1'
const PATHS = [
  '/api/v1/namespaces/default/services/kubernetes',
  '/api/v1/namespaces/default/endpoints/kubernetes',
  '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes',
]

/** The Service kubernetes and its endpoints, with a word for what differs between any two servers. */
async function published(handler: ApiHandler): Promise<unknown[]> {
  const objects: unknown[] = []
  for (const path of PATHS) {
    // A kube-apiserver writes them when it already answers.
    await expect
      .poll(async () => (await callJson(handler, 'GET', path)).status, { timeout: 90_000 })
      .toBe(200)
    const { body } = await callJson(handler, 'GET', path)
    const different = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'time', 'targetPort'])
    objects.push(
      JSON.parse(
        JSON.stringify(body, (key, value: unknown) => {
          if (different.has(key)) return typeof value
          // The port of the Service is the same everywhere.
          return key === 'port' && value !== 443 ? 'the open port' : value
        }),
      ),
    )
  }
  return objects
}

test('the Service kubernetes and its endpoints are those of a kube-apiserver with the same address', async () => {
  await using real = await startControlPlane({ endpointAddress: ADDRESS })
  const transport = connect(loadConfig({ kubeconfig: real.kubeconfig }), { clock: new SystemClock() })
  await using ours = await ApiServer.start({ advertiseAddress: ADDRESS })
  await ours.listen()
  try {
    const expected = await published((request) => transport.send(request))
    expect(JSON.stringify(expected)).toContain(ADDRESS)
    expect(await published(ours.handler)).toEqual(expected)
  } finally {
    await transport.close()
  }
}, 300_000)
