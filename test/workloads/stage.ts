import {
  HomeostatError,
  SimulatedClock,
  SystemClock,
  timestamp,
  type ApiHandler,
  type Clock,
} from '@homeostat/api'
import { ApiServer } from '@homeostat/apiserver'
import { callJson } from '@homeostat/apiserver/testing'
import { createClient, directTransport, loadConfig, Manager, silentLogger } from 'homeostat'
import { controllerManager, openApiSchemas } from '../../packages/cluster/src/controllers/index.ts'
import { httpsHandler } from '../conformance/https-handler.ts'
import { Recorder } from './recorder.ts'
import { nodeStatus } from './test-kubelet.ts'

/** An API with controllers of workloads, and nothing that would place or run Pods. */
export interface Stage extends AsyncDisposable {
  readonly send: ApiHandler
  readonly clock: Clock
  readonly recorder: Recorder
  /** The node that Pods are on. */
  readonly node: string
  /** Lets time pass. */
  pass(milliseconds: number): Promise<void>
  /** An address that no Pod has yet. */
  nextPodIP(): string
}

const CERTIFICATE = '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n'

/** Our server with our controllers, in this process and under simulated time. */
export async function ourStage(): Promise<Stage> {
  const clock = new SimulatedClock()
  await using closing = new AsyncDisposableStack()
  const server = closing.use(
    await ApiServer.start({ clock, finalizeNamespaces: false, protectsVolumes: true }),
  )
  const transport = closing.use(directTransport(server.handler, { clock }))
  const client = createClient({ transport, clock, fieldManager: 'kube-controller-manager' })
  const manager = new Manager({ transport, clock, logger: silentLogger }).add(
    ...controllerManager({
      kinds: client.kinds,
      findSchema: openApiSchemas(transport),
      certificateAuthority: CERTIFICATE,
    }),
  )
  const stop = new AbortController()
  const running = manager.start({ signal: stop.signal })
  closing.defer(async () => {
    stop.abort()
    await running
  })
  await manager.synced
  const node = 'workload-node'
  await registerNode(server.handler, node, clock)
  const recorder = await Recorder.start(server.handler, clock)
  closing.defer(() => recorder.close())
  return assemble(
    { send: server.handler, clock, recorder, node, pass: (time) => clock.advance(time) },
    closing.move(),
  )
}

/** A real cluster, under the machine's time. Its node keeps saying that it is alive. */
export async function kubernetesStage(kubeconfig: string): Promise<Stage> {
  const clock = new SystemClock()
  await using closing = new AsyncDisposableStack()
  const { server, token = '', tls } = loadConfig({ kubeconfig })
  const { send, close } = httpsHandler({ url: server, token, ca: tls.ca ?? '' })
  closing.defer(close)
  // Another run may be under way.
  const node = `workload-node-${crypto.randomUUID().slice(0, 8)}`
  await registerNode(send, node, clock)
  closing.defer(async () => {
    await callJson(send, 'DELETE', `/api/v1/nodes/${node}`)
  })
  const stop = new AbortController()
  const beating = beat(send, node, clock, stop.signal)
  closing.defer(async () => {
    stop.abort()
    await beating
  })
  const recorder = await Recorder.start(send, clock)
  closing.defer(() => recorder.close())
  return assemble({ send, clock, recorder, node, pass: (time) => clock.sleep(time) }, closing.move())
}

/** Whether nodes of the cluster run Pods of their own accord, so that no scenario could say what becomes of them. */
export async function runsPods(kubeconfig: string): Promise<boolean> {
  const { server, token = '', tls } = loadConfig({ kubeconfig })
  const { send, close } = httpsHandler({ url: server, token, ca: tls.ca ?? '' })
  try {
    const { body } = await callJson(send, 'GET', '/api/v1/nodes')
    return (body.items as any[]).some(({ status }) => status.nodeInfo?.kubeletVersion)
  } finally {
    close()
  }
}

function assemble(
  parts: Pick<Stage, 'send' | 'clock' | 'recorder' | 'node' | 'pass'>,
  closing: AsyncDisposableStack,
): Stage {
  let addresses = 0
  return {
    ...parts,
    nextPodIP() {
      addresses++
      return `10.244.${addresses >> 8}.${addresses & 255}`
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

async function registerNode(send: ApiHandler, name: string, clock: Clock): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Node', metadata: { name } }
  const made = await callJson(send, 'POST', '/api/v1/nodes', { body })
  if (made.code !== 201) {
    throw new HomeostatError('NO_NODE', `the node was not made: ${made.body.message}`)
  }
  const status = nodeStatus(timestamp(clock.now()))
  await callJson(send, 'PATCH', `/api/v1/nodes/${name}/status`, {
    body: { status },
    headers: { 'content-type': 'application/merge-patch+json' },
  })
}

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'

/** A node that says nothing for 40 seconds is taken for lost, and its Pods for not ready. */
async function beat(send: ApiHandler, node: string, clock: Clock, signal: AbortSignal): Promise<void> {
  const metadata = { name: node }
  await callJson(send, 'POST', LEASES, { body: { metadata, spec: { holderIdentity: node } } })
  while (!signal.aborted) {
    const renewTime = new Date(clock.now()).toISOString().replace('Z', '000Z')
    await callJson(send, 'PATCH', `${LEASES}/${node}`, {
      body: { spec: { renewTime, leaseDurationSeconds: 40 } },
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    await clock.sleep(8_000, { signal }).catch(() => undefined)
  }
  await callJson(send, 'DELETE', `${LEASES}/${node}`)
}
