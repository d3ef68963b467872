import {
  checkOptionNames,
  failure,
  HomeostatError,
  optionNames,
  type AnyKind,
  type ApiRequest,
  type ApiResponse,
} from '@homeostat/api'
import { wrapTransport, type Transport } from 'homeostat'
import { isOfKind, targetOf, writeVerbOf, type RequestTarget, type WriteVerb } from './request-target.ts'
import { WatchHolds, type WatchHold } from './watch-holds.ts'

/** Selects a write of the operator. Without any field, the next write of any object except an Event. */
export interface WriteMatch {
  readonly kind?: AnyKind | undefined
  readonly namespace?: string | undefined
  /** Never matches a `create`, whose request names no object. */
  readonly name?: string | undefined
  readonly verb?: WriteVerb | undefined
  /** Which of the matching writes, counted from 1. Default: 1. */
  readonly nth?: number | undefined
}

/** How a write fails. */
export interface WriteFailure extends WriteMatch {
  /** The HTTP code of the answer. Default: 500. */
  readonly code?: number | undefined
  /** Whether the server performs the write, and only its answer is lost. Default: false. */
  readonly answerLost?: boolean | undefined
}

const WRITE_MATCH = { kind: true, namespace: true, name: true, verb: true, nth: true } as const
const MATCH_OPTIONS = optionNames<WriteMatch>('faults.beforeWrite', WRITE_MATCH)
const FAILURE_OPTIONS = optionNames<WriteFailure>('faults.failWrite', {
  ...WRITE_MATCH,
  code: true,
  answerLost: true,
})

/** A fault that a test has planned. */
export interface Fault {
  /** Whether the fault has happened: a test that plans a fault should check this. */
  readonly happened: boolean
}

interface PlannedFault {
  happened: boolean
}

interface PlannedWrite extends PlannedFault {
  readonly match: WriteMatch
  left: number
  carryOut(request: ApiRequest, send: Transport['send']): Promise<ApiResponse>
}

interface PlannedList extends PlannedFault {
  readonly kind: AnyKind
  readonly resourceVersion: string
}

/**
 * Faults between the operator and the server, each at a point that the test chooses. They apply to the current
 * process of the operator and to later ones, and never to the test's own requests.
 */
export class Faults {
  readonly #versionOf: (kind: AnyKind) => Promise<string>
  readonly #holds = new WatchHolds()
  readonly #lists = new Set<PlannedList>()
  readonly #writes = new Set<PlannedWrite>()

  /** `versionOf` gives the version that a list of the kind has now. */
  constructor(versionOf: (kind: AnyKind) => Promise<string>) {
    this.#versionOf = versionOf
  }

  /**
   * Holds back the events of the kind's watches until it is released, so that the operator's cache is behind the
   * server. Lists are not held back: a watch that breaks off and lists again catches up.
   */
  holdWatch(kind: AnyKind): WatchHold {
    return this.#holds.hold(kind)
  }

  /**
   * Answers the next first list of the kind with the state at the time of this call, as a real server does from its
   * cache. Later changes come through the watch, so hold the watch as well if the operator should work with the old
   * state.
   */
  async staleList(kind: AnyKind): Promise<Fault> {
    const list = { kind, resourceVersion: await this.#versionOf(kind), happened: false }
    this.#lists.add(list)
    return list
  }

  /** Makes one write of the operator fail. */
  failWrite(options: WriteFailure = {}): Fault {
    checkOptionNames(options, FAILURE_OPTIONS)
    const { code = 500, answerLost = false } = options
    return this.#plan(options, async (request, send) => {
      if (!answerLost) return failure.response(code, 'a fault of the test')
      await send(request)
      throw new HomeostatError(
        'ANSWER_LOST',
        `a fault of the test: the answer to ${request.method} ${request.path} is lost`,
      )
    })
  }

  /**
   * Runs the action right before a write of the operator, after its reads, so that the action can write with the
   * test's client in between. The operator waits for it, so it must not wait for the operator with `settle`.
   */
  beforeWrite(match: WriteMatch, action: () => unknown): Fault {
    checkOptionNames(match, MATCH_OPTIONS)
    return this.#plan(match, async (request, send) => {
      await action()
      return send(request)
    })
  }

  /** The transport, with the faults applied to its requests. */
  wrap(inner: Transport): Transport {
    return wrapTransport(inner, (request) => this.#send(request, (sent) => inner.send(sent)))
  }

  #send(request: ApiRequest, send: Transport['send']): Promise<ApiResponse> {
    const verb = writeVerbOf(request)
    if (verb) {
      const write = this.#take(request, verb)
      return write ? write.carryOut(request, send) : send(request)
    }
    if (request.query.get('watch')) return this.#watch(request, send)
    return send(this.#stale(request))
  }

  async #watch(request: ApiRequest, send: Transport['send']): Promise<ApiResponse> {
    const target = targetOf(request)
    const response = await send(request)
    return target ? this.#holds.wrap(response, target, request.signal) : response
  }

  /** The fault that is planned for this write, if one is. */
  #take(request: ApiRequest, verb: WriteVerb): PlannedWrite | undefined {
    const target = this.#writes.size > 0 ? targetOf(request) : undefined
    if (!target) return undefined
    let taken: PlannedWrite | undefined
    for (const write of this.#writes) {
      if (!matches(write.match, target, verb)) continue
      write.left--
      if (write.left > 0 || taken) continue
      taken = write
      write.happened = true
      this.#writes.delete(write)
    }
    return taken
  }

  #stale(request: ApiRequest): ApiRequest {
    const target = this.#lists.size > 0 ? targetOf(request) : undefined
    if (!target || target.name !== undefined || request.query.has('continue')) return request
    const list = [...this.#lists].find(({ kind }) => isOfKind(target, kind))
    if (!list) return request
    this.#lists.delete(list)
    list.happened = true
    const query = new URLSearchParams(request.query)
    query.set('resourceVersion', list.resourceVersion)
    query.set('resourceVersionMatch', 'Exact')
    return { ...request, query }
  }

  #plan(match: WriteMatch, carryOut: PlannedWrite['carryOut']): Fault {
    const { nth = 1 } = match
    if (!Number.isInteger(nth) || nth < 1) {
      throw new HomeostatError(
        'FAULT_INVALID',
        `nth is ${nth}: give a whole number from 1, which is the first write`,
      )
    }
    const write: PlannedWrite = { match, left: nth, carryOut, happened: false }
    this.#writes.add(write)
    return write
  }
}

function matches(match: WriteMatch, target: RequestTarget, verb: WriteVerb): boolean {
  if (match.kind ? !isOfKind(target, match.kind) : target.plural === 'events') return false
  if (match.verb !== undefined && match.verb !== verb) return false
  if (match.namespace !== undefined && match.namespace !== target.namespace) return false
  return match.name === undefined || match.name === target.name
}
