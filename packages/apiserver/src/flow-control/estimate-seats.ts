import type { ApiRequest } from '@homeostat/api'
import type { Attributes } from '../auth/index.ts'
import { collectionOf, type Registry } from '../registry/index.ts'

/** The bytes of a list that one seat stands for. */
const BYTES_PER_SEAT = 100_000
const MOST_SEATS = 10

/** The seats that a request takes: more than one for lists, by what they read, and for watches that begin with a list. */
export function estimateSeats(
  { query }: ApiRequest,
  { verb, resource, name }: Attributes,
  registry: Registry,
  mostSeats: number,
): number {
  if (!resource || name !== undefined || (verb !== 'list' && verb !== 'watch')) return 1
  if (verb === 'watch') {
    const revision = query.get('resourceVersion')
    if (revision && revision !== '0' && query.get('sendInitialEvents') !== 'true') return 1
  }
  const found = registry.catalogue.find(resource.group, resource.version, resource.plural)
  if (!found || found.virtual) return 1
  const { length, first, last } = registry.store.extent(collectionOf(found))
  if (!first || !last) return 1
  const limit = Number(query.get('limit')) || length
  // Objects of one kind have similar sizes, so that two of them are a sufficient sample.
  const size = (first.json.length + last.json.length) / 2
  const seats = Math.ceil((Math.min(limit, length) * size) / BYTES_PER_SEAT)
  return Math.max(1, Math.min(seats, mostSeats, MOST_SEATS))
}
