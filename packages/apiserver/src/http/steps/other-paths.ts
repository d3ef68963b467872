import { failure, type ApiResponse } from '@homeostat/api'
import { statusAnswer, textAnswer } from '../answer/answer.ts'
import { flowControlDump } from '../paths/flow-control-dump.ts'
import { healthAnswer } from '../paths/health.ts'
import { metricsAnswer } from '../paths/metrics.ts'
import { openIdAnswer } from '../paths/open-id.ts'
import { rootAnswer } from '../paths/root-paths.ts'
import type { Exchange } from '../request/exchange.ts'
import type { HandlerParts, Step } from './step.ts'

/** Serves the paths that name no resource. */
export const serveOtherPaths: Step<Exchange> = (exchange, next, server) =>
  exchange.route ? next(exchange) : otherPath(exchange, server)

async function otherPath({ request }: Exchange, server: HandlerParts): Promise<ApiResponse> {
  const { registry, serviceAccounts, metrics } = server
  const { store } = registry
  return (
    (await healthAnswer(request, store, metrics.health)) ??
    (await metricsAnswer(request, server)) ??
    flowControlDump(request, server) ??
    rootAnswer(request, server.discovery) ??
    (await openIdAnswer(request, serviceAccounts)) ??
    (await server.discovery.answer(request)) ??
    notFound(request.path, server)
  )
}

/** Native groups answer every path below them with a Status. */
function notFound(path: string, { registry }: HandlerParts): ApiResponse {
  const group = path.startsWith('/api/') ? '' : /^\/apis\/([^/]+)\//.exec(path)?.[1]
  return group !== undefined && registry.catalogue.isNativeGroup(group)
    ? statusAnswer(failure.pathNotFound())
    : textAnswer(404, '404 page not found\n')
}
