import { failure, type ApiRequest, type ApiResponse } from '@homeostat/api'
import { rawQueryOf, type Call, type KindAction, type PortConnection } from '../../http/index.ts'
import { Failure, failureWithoutReason } from '../../registry/index.ts'
import { connectOptions } from '../pod-runner/connect-options.ts'
import type { KubeletHandlers } from '../pod-runner/kubelet-handlers.ts'
import type { ProxyConnect } from '../pod-runner/proxy-connect.ts'
import { passedHeaders } from './passed-headers.ts'
import { proxyPaths } from './proxy-paths.ts'
import { nodeTarget, podTarget, serviceTarget, type ProxyTarget } from './proxy-target.ts'
import { unescapePath } from './url-text.ts'

/** All requests to `pods/<name>/proxy` and `services/<name>/proxy`, and to the paths below. */
export function proxyAction(kind: 'pod' | 'service', connect: ProxyConnect | undefined): KindAction {
  return async (call) => {
    if (call.route.namespace === undefined) throw new Failure(failure.pathNotFound())
    const options = kind === 'pod' ? 'PodProxyOptions' : 'ServiceProxyOptions'
    const { path } = await connectOptions(call, options, pathBelow(call))
    const target = kind === 'pod' ? podTarget(call) : serviceTarget(call)
    return pass(call, target, path, connect)
  }
}

/** All requests to `nodes/<name>/proxy`, and to the paths below. A kubelet of this process answers by itself. */
export function nodeProxyAction(
  connect: ProxyConnect | undefined,
  kubelets: KubeletHandlers | undefined,
): KindAction {
  return async (call) => {
    const { path } = await connectOptions(call, 'NodeProxyOptions', pathBelow(call))
    const target = nodeTarget(call, kubelets)
    if ('handler' in target) {
      if (isRoot(call.request, path)) return withSlash(call.request)
      return target.handler({ ...call.request, path: proxyPaths(call.request.path, path).target })
    }
    return pass(call, target, path, connect)
  }
}

/** The part of the request's path after `/proxy`, decoded. */
function pathBelow({ request, route }: Call): string {
  const before = route.namespace === undefined ? 6 : 8
  const segments = unescapePath(request.path).split('/')
  return segments.length <= before ? '' : `/${segments.slice(before).join('/')}`
}

function isRoot({ method, headers }: ApiRequest, path: string): boolean {
  return path === '' && (method === 'GET' || method === 'HEAD') && headers['upgrade'] === undefined
}

/** A page at the root of a proxy has relative links, which need the slash. */
function withSlash(request: ApiRequest): ApiResponse {
  const query = rawQueryOf(request)
  const location = `${request.path}/${query === '' ? '' : `?${query}`}`
  return { status: 301, headers: { location, 'cache-control': 'no-cache, private' }, body: new Uint8Array() }
}

async function pass(
  call: Call,
  target: ProxyTarget,
  path: string,
  connect: ProxyConnect | undefined,
): Promise<ApiResponse> {
  const { request } = call
  if (isRoot(request, path)) return withSlash(request)
  const connection = await connected(request, target, connect)
  // Imported late, so that a server without a proxy needs no modules of Node.
  const [{ passRequest, overConnection }, { proxiedAnswer }] = await Promise.all([
    import('./pass-request.ts'),
    import('./proxied-answer.ts'),
  ])
  const paths = proxyPaths(request.path, path)
  const upgrade = request.headers['upgrade']
  // A Kubernetes API server drops the query of a request for an upgrade.
  const query = upgrade === undefined ? rawQueryOf(request) : ''
  const compressed = request.headers['accept-encoding'] === undefined && upgrade === undefined
  const host = request.headers['host'] ?? hostOf(target)
  const headers = {
    ...passedHeaders(request),
    host,
    ...(upgrade === undefined ? { 'x-forwarded-uri': paths.forwarded } : { connection: 'Upgrade', upgrade }),
    ...(compressed && { 'accept-encoding': 'gzip' }),
    ...(request.body && { 'content-length': String(request.body.length) }),
  }
  try {
    const received = await passRequest({
      request,
      // Pods have self-signed certificates, which a Kubernetes API server does not check either.
      to: overConnection(
        connection,
        target.scheme === 'https' ? { host: target.address, rejectUnauthorized: false } : undefined,
      ),
      path: `${paths.target}${query === '' ? '' : `?${query}`}`,
      headers,
    })
    const links = { prefix: paths.prefix, targetHost: hostOf(target), requestHost: host }
    return await proxiedAnswer({ received, connection, request, compressed, links })
  } catch (error) {
    connection.close()
    request.signal?.throwIfAborted()
    throw error instanceof Failure ? error : unreachable(request, reasonOf(error))
  }
}

async function connected(
  request: ApiRequest,
  target: ProxyTarget,
  connect: ProxyConnect | undefined,
): Promise<PortConnection> {
  const dial = `dial tcp ${hostOf(target)}: connect:`
  if (!connect) throw unreachable(request, `${dial} no route to host`)
  try {
    return await connect(target.address, target.port, request.signal)
  } catch (error) {
    request.signal?.throwIfAborted()
    const reason = reasonOf(error)
    throw unreachable(request, reason === 'connection refused' ? `${dial} ${reason}` : reason)
  }
}

/** The message of a failed connection; a Kubernetes API server's own, where it has one. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? error.code : undefined
  if (code === 'ECONNREFUSED' || code === 'CONNECTION_REFUSED') return 'connection refused'
  if (code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'EPIPE') return 'EOF'
  return error.message
}

function unreachable({ headers }: ApiRequest, reason: string): Failure {
  if (headers['upgrade'] === undefined) {
    return new Failure(failure.serviceUnavailable(`error trying to reach service: ${reason}`))
  }
  return failureWithoutReason(`error dialing backend: ${reason}`)
}

function hostOf({ address, port }: ProxyTarget): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port}`
}
