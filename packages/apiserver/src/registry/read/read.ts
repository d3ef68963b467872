import { failure, type Status } from '@homeostat/api'
import { RevisionExpired, type Stored, type StorePage } from '../../storage/index.ts'
import { causesOf, forbiddenValue, unsupportedValue } from '../../schema/index.ts'
import { formatContinue, parseContinue } from './continue-token.ts'
import { Failure, failureWithoutReason } from '../resource/failure.ts'
import { collectionOf, keyIn, type Registry } from '../state/registry.ts'
import type { Selection } from './selection.ts'
import type { Place, Target } from '../request/target.ts'

/** Options of a list. */
export interface ListOptions {
  readonly selection: Selection
  readonly limit?: number | undefined
  readonly continue?: string | undefined
  readonly resourceVersion?: string | undefined
  readonly resourceVersionMatch?: string | undefined
}

/** A list, or a page of one. */
export interface Listed {
  readonly entries: readonly Stored[]
  readonly revision: number
  /** The token for the next page; undefined at the end. */
  readonly continue?: string | undefined
  /** The number of objects after this page, where that is known. */
  readonly remaining?: number | undefined
}

/** The object's entry as it is stored; fails with `NotFound` when there is none. */
export function get(registry: Registry, target: Target, resourceVersion?: string): Stored {
  const wanted = watchedVersion(resourceVersion)
  if (wanted !== undefined) refuseFuture(registry, wanted)
  const stored = registry.get(target.resource, keyIn(target.resource, target.namespace, target.name))
  if (!stored) throw new Failure(failure.notFound(target.resource, target.name))
  return stored
}

/**
 * The objects of a namespace or of all, sorted by namespace and name. The pages of a list show one revision. Returns
 * a promise only where a webhook has to convert some of them.
 */
export function list(registry: Registry, place: Place, options: ListOptions): Listed | Promise<Listed> {
  checkOptions(options)
  const continuation = options.continue ? parseContinue(options.continue) : undefined
  const revision = continuation
    ? continuation.revision >= 0
      ? continuation.revision
      : registry.store.revision
    : exactRevision(registry, options)
  const shown = revision ?? registry.store.revision
  const range = { collection: collectionOf(place.resource), prefix: prefixOf(place) }
  const after = continuation?.after
  // A client that accepts any version gets the whole list at once.
  const limit = (options.resourceVersion === '0' ? 0 : options.limit) || Infinity
  const { selection } = options
  if (selection.all) {
    const page = readStore(after, () => registry.store.page(range, { after, limit }, revision))
    const piece = { ...pieceOf(page, shown), remaining: page.remaining || undefined }
    const readable = registry.conversions.read(piece.entries, place)
    if (!(readable instanceof Promise)) return { ...piece, entries: readable }
    return readable.then((converted) => ({ ...piece, entries: converted }))
  }
  // Selectors apply to the requested version.
  const { entries } = readStore(after, () => registry.store.page(range, { after, limit: Infinity }, revision))
  const readable = registry.conversions.read(entries, place)
  const select = (objects: readonly Stored[]): Listed => {
    const selected = objects.filter((entry) => selection.matches(entry))
    return pieceOf(
      { entries: selected.slice(0, limit), remaining: Math.max(0, selected.length - limit) },
      shown,
    )
  }
  return readable instanceof Promise ? readable.then(select) : select(readable)
}

/** A page of a list, with the token for the next page where there is one. */
function pieceOf({ entries, remaining }: StorePage, shown: number): Listed {
  if (remaining === 0) return { entries, revision: shown }
  const after = entries.at(-1)?.key ?? ''
  return { entries, revision: shown, continue: formatContinue({ revision: shown, after }) }
}

/** The key prefix of a namespace. */
export function prefixOf(place: Place): string {
  return place.namespace ? `${place.namespace}/` : ''
}

/** The exact revision to show; undefined for the latest. */
function exactRevision(registry: Registry, options: ListOptions): number | undefined {
  const version = listedVersion(options.resourceVersion)
  if (version === undefined || version === 0) return undefined
  refuseFuture(registry, version)
  const exact = options.resourceVersionMatch === 'Exact' || (!options.resourceVersionMatch && options.limit)
  return exact ? version : undefined
}

/** Reads the store, and fails as the API does where the revision is too old: for a page with a token for the rest. */
function readStore(after: string | undefined, read: () => StorePage): StorePage {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RevisionExpired)) throw error
    if (after === undefined)
      throw new Failure(failure.expired(`The resourceVersion for the provided list is too old.`))
    const status = failure.expired(
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    )
    throw new Failure({ ...status, metadata: { continue: formatContinue({ revision: -1, after }) } })
  }
}

/** Fails for a revision in the future, which the client must have got from another server. */
function refuseFuture(registry: Registry, revision: number): void {
  const status = futureFailure(registry, revision)
  if (status) throw new Failure(status)
}

/** The failure for a revision in the future; undefined for others. */
export function futureFailure(registry: Registry, revision: number): Status | undefined {
  const { revision: current } = registry.store
  return revision <= current ? undefined : failure.resourceVersionTooLarge(revision, current)
}

/** The resourceVersion of a list as a number; undefined when it is absent. Fails with `BadRequest` on anything else. */
function listedVersion(version: string | undefined): number | undefined {
  if (version === undefined || version === '' || VERSION.test(version)) return watchedVersion(version)
  throw new Failure(failure.badRequest(`invalid resource version: ${unreadable(version)}`))
}

/** The resourceVersion of a watch or of one object, where the API's failure has no reason. */
export function watchedVersion(version: string | undefined): number | undefined {
  if (version === undefined || version === '') return undefined
  if (VERSION.test(version)) return Number(version)
  throw failureWithoutReason(unreadable(version))
}

const VERSION = /^\d{1,15}$/

function unreadable(version: string): string {
  const text = JSON.stringify(version)
  return `resourceVersion: Invalid value: ${text}: strconv.ParseUint: parsing ${text}: invalid syntax`
}

function checkOptions(options: ListOptions): void {
  const { resourceVersionMatch: match } = options
  const field = 'resourceVersionMatch'
  const problems = []
  if (match) {
    if (!options.resourceVersion) {
      problems.push(
        forbiddenValue(field, 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
      )
    }
    if (options.continue) {
      problems.push(forbiddenValue(field, 'resourceVersionMatch is forbidden when continue is provided'))
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      problems.push(unsupportedValue(field, match, ['Exact', 'NotOlderThan', '']))
    }
    if (match === 'Exact' && options.resourceVersion === '0') {
      problems.push(
        forbiddenValue(field, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
      )
    }
  }
  if (problems.length > 0) refuseOptions(problems)
  if (options.continue && options.resourceVersion && options.resourceVersion !== '0') {
    throw new Failure(failure.badRequest('specifying resource version is not allowed when using continue'))
  }
}

/** Throws the errors of the options of a list or a watch. */
export function refuseOptions(problems: Parameters<typeof causesOf>[0]): never {
  throw new Failure(failure.invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', causesOf(problems)))
}
