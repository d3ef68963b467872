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
import { controllerManager } from '../../packages/cluster/src/controllers/index.ts'
import { httpsHandler } from '../conformance/https-handler.ts'
import { Recorder } from './recorder.ts'
import { NODE, nodeStatus } from './test-kubelet.ts'

/** An API with controllers of workloads, and nothing that would place or run Pods. */
export interface Stage extends AsyncDisposable {
  readonly send: ApiHandler
  readonly clock: Clock
  readonly recorder: Recorder
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
    await ApiServer.start({ clock, emptiesNamespaces: false, protectsVolumes: true }),
  )
  const transport = closing.use(directTransport(server.handler, { clock }))
  const client = createClient({ transport, clock, fieldManager: 'kube-controller-manager' })
  const manager = new Manager({ transport, clock, logger: silentLogger }).add(
    ...controllerManager({ kinds: client.kinds, certificateAuthority: CERTIFICATE }),
  )
  const stop = new AbortController()
  const running = manager.start({ signal: stop.signal })
  closing.defer(async () => {
    stop.abort()
    await running
  })
  await manager.synced
  await registerNode(server.handler, clock)
  const recorder = await Recorder.start(server.handler, clock)
  closing.defer(() => recorder.close())
  return assemble(
    { send: server.handler, clock, recorder, pass: (time) => clock.advance(time) },
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
  await registerNode(send, clock)
  closing.defer(() => callJson(send, 'DELETE', `/api/v1/nodes/${NODE}`).then(() => {}))
  const stop = new AbortController()
  const beating = beat(send, clock, stop.signal)
  closing.defer(async () => {
    stop.abort()
    await beating
  })
  const recorder = await Recorder.start(send, clock)
  closing.defer(() => recorder.close())
  return assemble({ send, clock, recorder, pass: (time) => clock.sleep(time) }, closing.move())
}

function assemble(
  parts: Pick<Stage, 'send' | 'clock' | 'recorder' | 'pass'>,
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

async function registerNode(send: ApiHandler, clock: Clock): Promise<void> {
  const body = { apiVersion: 'v1', kind: 'Node', metadata: { name: NODE } }
  const made = await callJson(send, 'POST', '/api/v1/nodes', { body })
  if (made.code !== 201 && made.code !== 409) {
    throw new HomeostatError('NO_NODE', `the node was not made: ${made.body.message}`)
  }
  const status = nodeStatus(timestamp(clock.now()))
  await callJson(send, 'PATCH', `/api/v1/nodes/${NODE}/status`, {
    body: { status },
    headers: { 'content-type': 'application/merge-patch+json' },
  })
}

const LEASES = '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases'

/** A node that says nothing for 40 seconds is taken for lost, and its Pods for not ready. */
async function beat(send: ApiHandler, clock: Clock, signal: AbortSignal): Promise<void> {
  const metadata = { name: NODE }
  await callJson(send, 'POST', LEASES, { body: { metadata, spec: { holderIdentity: NODE } } })
  while (!signal.aborted) {
    const renewTime = new Date(clock.now()).toISOString().replace('Z', '000Z')
    await callJson(send, 'PATCH', `${LEASES}/${NODE}`, {
      body: { spec: { renewTime, leaseDurationSeconds: 40 } },
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    await clock.sleep(8_000, { signal }).catch(() => undefined)
  }
  await callJson(send, 'DELETE', `${LEASES}/${NODE}`)
}
