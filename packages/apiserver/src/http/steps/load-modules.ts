import type { ApiRequest, ApiResponse } from '@homeostat/api'
import { tableForms } from '../../discovery/index.ts'
import { loadWrites, objectRules, ownWrites, type Registry } from '../../registry/index.ts'
import { lateActions } from '../actions/lazy-actions.ts'
import type { Exchange } from '../request/exchange.ts'
import { routeOf, type ResourceRoute } from '../request/route.ts'
import type { HandlerParts, Next, Step } from './step.ts'
import { needsYaml, protobuf, yamlLibrary } from '../../wire/index.ts'

const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** Loads the modules of the server that the request needs, on the first request that does. */
export const loadModules: Step<Exchange> = (exchange, next, server) => {
  const loading = missingModules(exchange.request, server)
  return loading ? after(loading, exchange, next) : next(exchange)
}

async function after(
  loading: Promise<unknown>,
  exchange: Exchange,
  next: Next<Exchange>,
): Promise<ApiResponse> {
  await loading
  return next(exchange)
}

/** Loads the modules that are missing; undefined where none is. */
function missingModules(
  request: ApiRequest,
  { registry, admission }: HandlerParts,
): Promise<unknown> | undefined {
  const { accept } = request.headers
  const writes = !READS.includes(request.method)
  const converted = accept !== undefined && CONVERTED.test(accept)
  const loaded = lateActions.loaded && admission.loaded && registry.kindsLoaded
  const route = writes || loaded ? undefined : routeOf(request.path)
  const acts = writes || route?.subresource !== undefined
  const missing = [
    acts ? lateActions.load() : undefined,
    acts ? admission.load() : undefined,
    writes ? loadWrites(registry) : undefined,
    acts || converted || (!loaded && readsKind(request, route, registry)) ? registry.loadKinds() : undefined,
    writes || accept?.includes('protobuf') ? protobuf.load() : undefined,
    converted ? tableForms.load() : undefined,
    needsYaml(request) ? yamlLibrary.load() : undefined,
  ].filter((part) => part !== undefined)
  return missing.length > 0 ? Promise.all(missing) : undefined
}

/** Whether a read needs the strategy of its kind: for a field selector, or a kind that is not stored. */
function readsKind(
  { query }: ApiRequest,
  route: ResourceRoute | undefined,
  { catalogue }: Registry,
): boolean {
  if (query.has('fieldSelector')) return true
  return route !== undefined && catalogue.find(route.group, route.version, route.plural)?.virtual === true
}

/** Matches every `accept` header that may ask for a table. */
const CONVERTED = /\bas\s*=/i

/**
 * Loads the modules that most servers need eventually. Under simulated time this happens at the start, so that runs
 * do not depend on what was loaded before.
 */
export async function loadAllParts(): Promise<void> {
  await Promise.all([
    lateActions.load(),
    ownWrites.load(),
    objectRules.load(),
    protobuf.load(),
    tableForms.load(),
  ])
}
