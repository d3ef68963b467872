import {
  errorChain,
  HomeostatError,
  type AnyKind,
  type ApiRequest,
  type ApiResponse,
  type Status,
} from '@homeostat/api'
import {
  ApiError,
  isForbidden,
  wrapTransport,
  type Controller,
  type ReconcileReport,
  type Transport,
} from 'homeostat'
import { kindNames, rightToAdd } from './right-to-add.ts'

/** A request that the server refused because a right was missing. */
interface Refusal {
  readonly request: ApiRequest
  readonly status: Status
}

/** How many refusals a message lists. */
const TOLD = 10
/** How many refusals are kept: an operator that tries again without end meets the same ones. */
const KEPT = 1_000

/**
 * The requests of an operator that the server refused because the operator does not declare the right. A test fails
 * with the line to add, however the operator handles the refusal.
 */
export class RefusedRequests {
  readonly #onRefusal: () => void
  readonly #refusals: Refusal[] = []
  /** Which controllers were refused a kind, by its group and plural: reads of a cache are sent in no controller's name. */
  readonly #refused = new Map<string, Set<string>>()

  /** `onRefusal` is called when a right was missing. */
  constructor(onRefusal: () => void) {
    this.#onRefusal = onRefusal
  }

  /**
   * The transport, whose refusals are noted. `refresh` brings the rights up to date, and says whether they changed:
   * then the request is sent again.
   */
  wrap(inner: Transport, refresh: () => Promise<boolean>): Transport {
    return wrapTransport(inner, async (request) => {
      const response = await inner.send(request)
      if (response.status !== 403) return response
      if (await refresh()) return inner.send(request)
      const status = statusOf(response)
      if (!status || !rightToAdd(request, status, () => undefined)) return response
      if (this.#refusals.length < KEPT) this.#refusals.push({ request, status })
      this.#onRefusal()
      return response
    })
  }

  /** A reconcile has ended. If the server refused a request of it, its controller is the one that lacks the right. */
  add({ controller, error }: ReconcileReport): void {
    for (const each of errorChain(error)) {
      if (!(each instanceof ApiError) || !isForbidden(each)) continue
      const id = `${each.kind.group}/${each.kind.plural}`
      this.#refused.set(id, (this.#refused.get(id) ?? new Set()).add(controller))
    }
  }

  /** The report for a test about the refusals since the last call; undefined where no right was missing. */
  async take(
    controllers: readonly Controller[],
    kinds: readonly AnyKind[],
  ): Promise<HomeostatError | undefined> {
    const refusals = this.#refusals.splice(0)
    if (refusals.length === 0) return undefined
    const known = controllers.flatMap(({ watches, access }) => [
      ...watches.flatMap((watch) => ('kind' in watch ? watch.kind : [])),
      ...access.map(({ kind }) => kind),
    ])
    const names = await kindNames([...kinds, ...known])
    const lines = new Map<string, string>()
    for (const { request, status } of refusals) {
      const right = rightToAdd(request, status, names)
      if (!right) continue
      const sender = this.#senderOf(request, status, controllers)
      const line = sender.isRunnable ? (right.access ?? right.line) : right.line
      const id = `${sender.name} ${line}`
      if (!lines.has(id))
        lines.set(id, `  ${sender.name}: ${request.method} ${request.path}\n    add ${line}`)
    }
    if (lines.size === 0) return undefined
    const more = lines.size > TOLD ? [`  … and ${lines.size - TOLD} more`] : []
    return new HomeostatError(
      'RIGHT_NOT_DECLARED',
      [
        'the server refused requests of the operator, because no declared rule allows them:',
        ...[...lines.values()].slice(0, TOLD),
        ...more,
        "The rules of its role come from these declarations. To test without rules, start with rights: 'all'.",
      ].join('\n'),
    )
  }

  #senderOf(
    { sender }: ApiRequest,
    { details }: Status,
    controllers: readonly Controller[],
  ): { readonly name: string; readonly isRunnable: boolean } {
    const names = controllers.map(({ name }) => name)
    if (sender !== undefined && !names.includes(sender) && sender !== 'homeostat') {
      return { name: `the runnable ${sender}`, isRunnable: true }
    }
    if (sender !== undefined && names.includes(sender)) {
      return { name: `the controller ${sender}`, isRunnable: false }
    }
    const refused = [...(this.#refused.get(`${details?.group ?? ''}/${details?.kind ?? ''}`) ?? [])]
    const candidates = refused.length > 0 ? refused : names
    const [only = ''] = candidates
    if (candidates.length === 1) return { name: `the controller ${only}`, isRunnable: false }
    return { name: `one of the controllers ${candidates.join(', ')}`, isRunnable: false }
  }
}

function statusOf({ body }: ApiResponse): Status | undefined {
  if (!(body instanceof Uint8Array)) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(body)) as Status
  } catch {
    return undefined
  }
}
