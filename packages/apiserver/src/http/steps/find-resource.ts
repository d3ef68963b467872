import { failure, type ApiResponse } from '@homeostat/api'
import { statusAnswer, textAnswer } from '../answer/answer.ts'
import type { Call } from '../request/call.ts'
import type { Exchange } from '../request/exchange.ts'
import type { HandlerParts } from './step.ts'

/** Finds the resource of the request. Answers 404 where it does not exist. */
export function findCall(exchange: Exchange, server: HandlerParts): Call | ApiResponse {
  const { request, route, verb, user, work, received, audit } = exchange
  const { registry, authorizer, admission } = server
  const { catalogue } = registry
  const resource = route && catalogue.find(route.group, route.version, route.plural)
  if (resource) {
    const warnings: string[] = []
    return {
      registry,
      authorizer,
      admission,
      request,
      received,
      work,
      route,
      verb,
      resource,
      user,
      audit,
      warnings,
    }
  }
  if (route && catalogue.isNativeGroup(route.group)) return statusAnswer(failure.pathNotFound())
  return textAnswer(404, '404 page not found\n')
}
