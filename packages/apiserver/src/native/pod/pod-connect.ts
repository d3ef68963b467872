import { failure } from '@homeostat/api'
import {
  type AttachRequest,
  attributesOf,
  type Call,
  type KindAction,
  type StreamSession,
  targetOf,
  type UpgradeAnswer,
} from '../../http/index.ts'
import { Failure, get, keyIn, served, type ServerObject, specOf } from '../../registry/index.ts'
import { listOf, objectOf, textOf } from '../../schema/index.ts'
import { connectOptions, type ConnectOptions } from '../pod-runner/connect-options.ts'
import type { PodStreams } from '../pod-runner/pod-streams.ts'

const KINDS = {
  exec: 'PodExecOptions',
  attach: 'PodAttachOptions',
  portforward: 'PodPortForwardOptions',
} as const

/** GET and POST of `pods/<name>/exec`, `attach` and `portforward`. Failures are answered before the upgrade. */
export function podConnectAction(
  kind: 'exec' | 'attach' | 'portforward',
  podStreams: PodStreams | undefined,
): KindAction {
  return async (call) => {
    const { method } = call.request
    if (method !== 'GET' && method !== 'POST') throw new Failure(failure.methodNotAllowed())
    await checkMayCreate(call)
    const options = await connectOptions(call, KINDS[kind])
    const pod = served(get(call.registry, targetOf(call)), call.resource)
    const container = kind === 'portforward' ? '' : containerOf(pod, options.container)
    checkNode(call, pod)
    if (!isUpgradeRequest(call)) throw new Failure(failure.badRequest('Upgrade request required'))
    if (!podStreams) {
      const message = `there is no ${kind}: this API server runs without nodes. Start a Cluster to run Pods`
      throw new Failure(failure.serviceUnavailable(message))
    }
    const session = await sessionOf(call, kind, { ...options, container }, podStreams)
    return { status: 101, headers: {}, body: new Uint8Array(), session } satisfies UpgradeAnswer
  }
}

async function sessionOf(
  call: Call,
  kind: 'exec' | 'attach' | 'portforward',
  options: ConnectOptions,
  podStreams: PodStreams,
): Promise<StreamSession> {
  const { clock } = call.registry
  const pod = { namespace: call.route.namespace ?? '', name: call.route.name ?? '' }
  if (kind === 'portforward') {
    const connect = await podStreams.portForward(pod)
    return { kind: 'ports', request: pod, ports: options.ports, connect, clock }
  }
  const { container, command, stdin, stdout, stderr, tty } = options
  // A terminal shows both in one stream.
  const request: AttachRequest = { ...pod, container, stdin, stdout, stderr: stderr && !tty, tty }
  if (!request.stdin && !request.stdout && !request.stderr) {
    throw new Failure(failure.badRequest('you must specify at least 1 of stdin, stdout, stderr'))
  }
  if (kind === 'attach') {
    const run = await podStreams.attach(request)
    return { kind: 'command', request, run, failed: 'error attaching to container', clock }
  }
  if (command.length === 0) throw new Failure(failure.badRequest('you must specify at least 1 command word'))
  const run = await podStreams.exec({ ...request, command })
  return { kind: 'command', request, run, failed: 'error executing command in container', clock }
}

/** A browser opens a WebSocket by GET, but such a request needs the right to create. */
async function checkMayCreate(call: Call): Promise<void> {
  if (call.request.method === 'POST') return
  const attributes = attributesOf(call.request, call.route, 'create')
  const { allowed, reason } = await call.authorizer(call.user, attributes)
  if (!allowed) throw new Failure(failure.forbidden(call.resource, call.route.name ?? '', reason))
}

function checkNode(call: Call, pod: ServerObject): void {
  const { nodeName } = specOf(pod)
  if (!nodeName) {
    const message = `pod ${pod.metadata.name} does not have a host assigned`
    throw new Failure(failure.badRequest(message))
  }
  const nodes = call.registry.catalogue.find('', 'v1', 'nodes')
  const name = textOf(nodeName)
  if (nodes && call.registry.get(nodes, keyIn(nodes, undefined, name))) return
  // A Kubernetes API server names the kind that the request asked for.
  throw new Failure(failure.notFound(call.resource, name))
}

function isUpgradeRequest({ request: { headers } }: Call): boolean {
  return (headers['connection'] ?? '').toLowerCase().includes('upgrade') && Boolean(headers['upgrade'])
}

/** The requested container, or the only one. */
function containerOf(pod: ServerObject, asked: string): string {
  const spec = specOf(pod)
  const { name = '' } = pod.metadata
  const names = (field: string): string[] => listOf(spec[field]).map((one) => String(objectOf(one)['name']))
  const containers = names('containers')
  const all = [...names('initContainers'), ...containers, ...names('ephemeralContainers')]
  if (asked) {
    if (all.includes(asked)) return asked
    throw new Failure(failure.badRequest(`container ${asked} is not valid for pod ${name}`))
  }
  const [only] = containers
  if (only !== undefined && containers.length === 1) return only
  throw new Failure(
    failure.badRequest(
      `a container name must be specified for pod ${name}, choose one of: [${all.join(' ')}]`,
    ),
  )
}
