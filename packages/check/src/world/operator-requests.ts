import {
  failure,
  firstCodePlace,
  HomeostatError,
  ValueBytes,
  type ApiRequest,
  type ApiResponse,
  type Clock,
} from '@homeostat/api'
import { wrapTransport, type Transport } from 'homeostat'
import type { ObjectReference, Step } from '../stories/index.ts'

/** A request that the operator sent. */
export interface SentRequest {
  /** The step of the story during which it was sent, counted from 0; -1 while the operator started. */
  readonly step: number
  readonly method: ApiRequest['method']
  readonly path: string
  /** Whether it follows changes: then its answer does not end. */
  readonly isWatch: boolean
  /** The controller that sent it, and the reconcile. */
  readonly sender: string | undefined
  readonly reconcile: string | undefined
  /** The HTTP code of the answer; `undefined` where none came. */
  readonly code: number | undefined
  /** Where it was sent from, for {@link lineOf}; `undefined` where traces are not kept. */
  readonly trace: Error | undefined
}

/** An object that the operator wrote. */
export interface WrittenObject extends ObjectReference {
  /** Whether the operator created it. */
  readonly created: boolean
  /** The object that the operator sent when it created it under a fixed name: without the fields that the server filled in. */
  readonly sent?: unknown
}

type Fault = Extract<Step, { step: 'crash' | 'fail' | 'slow' }>

/** How late a slow request is, in simulated milliseconds. */
const SLOW = 30_000

/** The number of writes of one object by the operator, without time passing, that counts as endless. */
const MOST_WRITES = 60

interface ArmedFault {
  readonly fault: Fault
  left: number
}

/** The operator's process, as faults end it. */
export interface CheckedProcess {
  /** Ends it, until the story starts it again. */
  kill(): void
  /** Ends it and starts a new one. */
  crash(): Promise<void>
}

/** A transport between the operator and the server. It records requests, and makes those fail that a story names. */
export class OperatorRequests {
  #sent: SentRequest[] = []
  readonly #written = new Map<string, WrittenObject>()
  /** Where objects are served that the operator is known to have written: a further update says nothing new. */
  readonly #updated = new Set<string>()
  readonly #process: CheckedProcess
  readonly #clock: () => Clock
  readonly #keepsTraces: boolean
  #armed: ArmedFault[] = []
  #crashing: Promise<void>[] = []
  /** How often each object was written at the present moment. */
  readonly #counts = new Map<string, number>()
  #moment = 0
  #endless: HomeostatError | undefined
  /** The step that is played. */
  step = -1
  /** How many faults of the story happened. */
  faults = 0

  constructor(process: CheckedProcess, clock: () => Clock, keepsTraces: boolean) {
    this.#process = process
    this.#clock = clock
    this.#keepsTraces = keepsTraces
  }

  get sent(): readonly SentRequest[] {
    return this.#sent
  }

  get written(): readonly WrittenObject[] {
    return [...this.#written.values()]
  }

  /** Forgets the requests so far, and faults that did not happen. The written objects stay known. */
  reset(): void {
    this.#sent = []
    this.#armed = []
    this.#endless = undefined
    this.#counts.clear()
    this.faults = 0
  }

  /** Throws where the operator was ended because its writes did not end. */
  throwEndless(): void {
    if (this.#endless) throw this.#endless
  }

  /** Makes one of the next requests fail. */
  arm(fault: Fault): void {
    this.#armed.push({ fault, left: fault.request })
  }

  /** Whether a later request will end the process, which then stays down. */
  get willKill(): boolean {
    return this.#armed.some(({ fault }) => fault.step === 'crash' && fault.staysDown)
  }

  /** Resolves when the processes that follow on crashes have started. */
  async whenRestarted(): Promise<void> {
    await Promise.all(this.#crashing.splice(0))
  }

  wrap(inner: Transport): Transport {
    return wrapTransport(inner, (request) => this.#send(request, inner))
  }

  async #send(request: ApiRequest, inner: Transport): Promise<ApiResponse> {
    const { method, path, sender, reconcile } = request
    const isWrite = method !== 'GET' && method !== 'HEAD'
    const isAside = isWrite && /\/(events|leases)(\/|$)/.test(path)
    if (isAside) return inner.send(request)
    const sent = this.#sent
    const index = sent.length
    const noted: SentRequest = {
      step: this.step,
      method,
      path,
      isWatch: request.query.has('watch'),
      sender,
      reconcile: reconcile?.reconcileID,
      code: undefined,
      trace: this.#keepsTraces && (isWrite || reconcile) ? new Error('sent') : undefined,
    }
    sent.push(noted)
    const fault = this.#take()
    const response = fault ? await this.#carryOut(fault, request, inner) : await inner.send(request)
    sent[index] = { ...noted, code: response.status }
    if (isWrite) {
      this.#noteWrite(request, response)
      if (response.status < 300) this.#countWrite(request)
    }
    return response
  }

  /** Ends an operator whose writes do not end. Waiting for the server to give up takes many times as long. */
  #countWrite({ method, path }: ApiRequest): void {
    const now = this.#clock().monotonic()
    if (now !== this.#moment) this.#counts.clear()
    this.#moment = now
    const count = (this.#counts.get(path) ?? 0) + 1
    this.#counts.set(path, count)
    if (count < MOST_WRITES || this.#endless) return
    this.#endless = new HomeostatError(
      'ENDLESS_REQUESTS',
      `the operator never comes to rest: it has written ${path} ${count} times while the clock stood still, the last time by ${method}`,
    )
    this.#process.kill()
  }

  #take(): Fault | undefined {
    let due: Fault | undefined
    for (const armed of this.#armed) if (--armed.left === 0) due ??= armed.fault
    this.#armed = this.#armed.filter(({ left }) => left > 0)
    return due
  }

  async #carryOut(fault: Fault, request: ApiRequest, inner: Transport): Promise<ApiResponse> {
    this.faults++
    if (fault.step === 'slow') {
      using _ = request.waiting?.pause()
      await this.#clock().sleep(SLOW)
      return inner.send(request)
    }
    if (fault.step === 'crash') {
      // A watch has no effect that could be lost.
      const isCarriedOut = fault.moment === 'after' && !request.query.has('watch')
      if (isCarriedOut) this.#noteWrite(request, await drained(await inner.send(request)))
      if (fault.staysDown) this.#process.kill()
      else this.#crashing.push(this.#process.crash())
      return inner.send(request) // The process is dead by now, and so is its connection.
    }
    if (typeof fault.failure === 'number') {
      return failure.response(fault.failure, `the check lets this request fail with code ${fault.failure}`)
    }
    if (fault.failure === 'answer lost' && !request.query.has('watch'))
      this.#noteWrite(request, await drained(await inner.send(request)))
    throw new HomeostatError(
      'CONNECTION_LOST',
      `the connection broke off at ${request.method} ${request.path}`,
    )
  }

  #noteWrite(request: ApiRequest, { status, body }: ApiResponse): void {
    if (status >= 300 || !(body instanceof Uint8Array)) return
    const isUpdate = status === 200 && (request.method === 'PUT' || request.method === 'PATCH')
    if (isUpdate && this.#updated.has(request.path)) return
    const { apiVersion, kind, metadata } = (ValueBytes.valueIn(body) ?? jsonOf(body)) as {
      apiVersion?: string
      kind?: string
      metadata?: { name?: string; namespace?: string }
    }
    if (apiVersion === undefined || kind === undefined || kind === 'Status' || !metadata?.name) return
    const reference = { apiVersion, kind, namespace: metadata.namespace, name: metadata.name }
    const key = JSON.stringify([kind, metadata.namespace, metadata.name])
    const before = this.#written.get(key)
    const created = status === 201 || (before?.created ?? false)
    const sent = request.method === 'POST' && status === 201 ? jsonOf(request.body) : before?.sent
    this.#written.set(key, { ...reference, created, sent })
    if (isUpdate) this.#updated.add(request.path)
  }
}

const decoder = new TextDecoder()

function jsonOf(body: Uint8Array | undefined): unknown {
  return body && JSON.parse(decoder.decode(body))
}

/** The answer, after its stream was ended. */
async function drained(response: ApiResponse): Promise<ApiResponse> {
  if (!(response.body instanceof Uint8Array)) await response.body[Symbol.asyncIterator]().return?.()
  return response
}

/** The first line of the operator's own code in a trace: `controller.ts:31:22`. */
export function lineOf({ trace }: Pick<SentRequest, 'trace'>): string | undefined {
  return firstCodePlace(trace?.stack)
}
