import type { ApiRequest, ApiResponse } from '@homeostat/api'
import { nativePrinters } from '../../discovery/index.ts'
import { objectRules, type Registry } from '../../registry/index.ts'
import type { Exchange } from '../request/exchange.ts'
import { routeOf } from '../request/route.ts'
import type { Next, Step } from './step.ts'
import { needsYaml, protobufMessages, yamlLibrary } from '../../wire/index.ts'

const READS: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** Loads the modules of the server that the request needs, on the first request that does. */
export const loadModules: Step<Exchange> = (exchange, next, { registry }) => {
  const loading = missingModules(exchange.request, registry)
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
function missingModules(request: ApiRequest, registry: Registry): Promise<unknown> | undefined {
  const { accept } = request.headers
  const writes = !READS.includes(request.method)
  const converted = accept !== undefined && CONVERTED.test(accept)
  const missing = [
    writes ? objectRules.load() : undefined,
    !registry.kindsLoaded && (writes || converted || readsKind(request, registry))
      ? registry.loadKinds()
      : undefined,
    writes || accept?.includes('protobuf') ? protobufMessages.load() : undefined,
    converted ? nativePrinters.load() : undefined,
    needsYaml(request) ? yamlLibrary.load() : undefined,
  ].filter((part) => part !== undefined)
  return missing.length > 0 ? Promise.all(missing) : undefined
}

/**
 * Whether a read needs the strategy of its kind: for a field selector, a subresource, or a kind that is not stored.
 */
function readsKind(request: ApiRequest, { catalogue }: Registry): boolean {
  if (request.query.has('fieldSelector')) return true
  const route = routeOf(request.path)
  if (!route) return false
  const { group, version, plural, subresource } = route
  return subresource !== undefined || catalogue.find(group, version, plural)?.virtual === true
}

/** Matches every `accept` header that may ask for a table. */
const CONVERTED = /\bas\s*=/i

/**
 * Loads the modules that most servers need eventually. Under simulated time this happens at the start, so that runs
 * do not depend on what was loaded before.
 */
export async function loadAllParts(): Promise<void> {
  await Promise.all([objectRules.load(), protobufMessages.load(), nativePrinters.load()])
}
