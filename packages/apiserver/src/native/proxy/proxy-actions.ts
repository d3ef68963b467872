import { failure, type ApiRequest, type ApiResponse } from '@homeostat/api'
import type { Call, KindAction, PortConnection } from '../../http/index.ts'
import { Failure } from '../../registry/index.ts'
import { connectOptions } from '../pod-runner/connect-options.ts'
import type { ProxyConnect } from '../pod-runner/proxy-connect.ts'
import { checkNodeTarget, podTarget, serviceTarget, type ProxyTarget } from './proxy-target.ts'

/** All requests to `pods/<name>/proxy` and `services/<name>/proxy`, and to the paths below. */
export function proxyAction(kind: 'pod' | 'service', connect: ProxyConnect | undefined): KindAction {
  return async (call) => {
    if (call.route.namespace === undefined) throw new Failure(failure.pathNotFound())
    const options = kind === 'pod' ? 'PodProxyOptions' : 'ServiceProxyOptions'
    const { path } = await connectOptions(call, options, pathBelow(call))
    const target = kind === 'pod' ? podTarget(call) : serviceTarget(call)
    const { request } = call
    if (path === '' && (request.method === 'GET' || request.method === 'HEAD')) return withSlash(request)
    if (request.headers['upgrade'] !== undefined) {
      throw unreachable('this API server does not pass on requests that upgrade their connection')
    }
    if (!connect) throw unreachable('this API server stands alone: nothing runs Pods')
    return pass(call, target, path, connect)
  }
}

/** All requests to `nodes/<name>/proxy`. */
export const nodeProxyAction: KindAction = async (call) => {
  await connectOptions(call, 'NodeProxyOptions', pathBelow(call))
  checkNodeTarget(call)
  throw unreachable('no kubelet of this API server listens')
}

function unreachable(why: string): Failure {
  return new Failure(failure.serviceUnavailable(`error trying to reach service: ${why}`))
}

/** What follows `/proxy` in the path of the request, as it was sent. */
function pathBelow({ request, route }: Call): string {
  const before = route.namespace === undefined ? 6 : 8
  const segments = request.path.split('/')
  return segments.length <= before ? '' : `/${segments.slice(before).join('/')}`
}

/** A page at the root of a proxy has relative links, which need the slash. */
function withSlash({ path, query }: ApiRequest): ApiResponse {
  const text = query.toString()
  const location = `${path}/${text === '' ? '' : `?${text}`}`
  return { status: 301, headers: { location }, body: new Uint8Array() }
}

async function pass(
  call: Call,
  target: ProxyTarget,
  path: string,
  connect: ProxyConnect,
): Promise<ApiResponse> {
  const { request } = call
  let connection: PortConnection
  try {
    connection = await connect(target.address, target.port, request.signal)
  } catch (error) {
    request.signal?.throwIfAborted()
    throw unreachable(error instanceof Error ? error.message : String(error))
  }
  // Only here, so that a server without a proxy needs nothing of Node.
  const { passRequest } = await import('./pass-request.ts')
  const prefix = request.path.slice(0, request.path.length - pathBelow(call).length)
  try {
    return await passRequest({ request, target, path, prefix, connection })
  } catch (error) {
    connection.close()
    request.signal?.throwIfAborted()
    throw unreachable(error instanceof Error ? error.message : String(error))
  }
}
