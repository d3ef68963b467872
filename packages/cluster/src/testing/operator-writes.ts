import { formatKey, type ApiRequest, type ApiResponse } from '@homeostat/api'
import { describeCauses, wrapTransport, type ReconcileReport, type Transport } from 'homeostat'
import { changedFields } from './changed-fields.ts'
import { targetOf, writeVerbOf, type RequestTarget, type WriteVerb } from './faults/request-target.ts'

/** A request to write that the operator sent. */
interface Write {
  readonly target: RequestTarget
  readonly verb: WriteVerb
  readonly sender: string | undefined
  readonly reconcileID: string | undefined
  /** The Event that was sent, as JSON; undefined for other kinds. */
  readonly event: Uint8Array | undefined
  /** The object as it was stored before the request. */
  readonly before: unknown
  answer?: ApiResponse
}

/** Finds an object as it is stored now; `undefined` if it does not exist. */
type FindObject = (target: RequestTarget, name: string) => unknown

/** The content of an Event that a message shows, from both forms of Events. */
interface EventBody {
  readonly type?: string
  readonly reason?: string
  readonly note?: string
  readonly message?: string
  readonly regarding?: EventSubject
  readonly involvedObject?: EventSubject
}

interface EventSubject {
  readonly kind?: string
  readonly namespace?: string
  readonly name?: string
}

/** The requests to write that an operator sends, and which reconcile sent each. */
export class OperatorWrites {
  readonly #writes: Write[] = []
  readonly #find: FindObject
  /** Whether the content of writes is kept, so that they can be described with what they changed. It costs memory. */
  keepsContent = false

  constructor(find: FindObject) {
    this.#find = find
  }

  /** The number of writes so far. */
  get count(): number {
    return this.#writes.length
  }

  /** The transport, whose requests to write are noted. */
  wrap(inner: Transport): Transport {
    return wrapTransport(inner, (request) => {
      const write = this.#note(request)
      const sent = inner.send(request)
      if (write && this.keepsContent)
        sent.then(
          (answer) => (write.answer = answer),
          () => {},
        )
      return sent
    })
  }

  /**
   * Describes each write after the first `after` ones: what was written, by which reconcile, why that
   * reconcile ran, and what it changed.
   */
  describe(after: number, reports: readonly ReconcileReport[]): string[] {
    return this.#writes.slice(after).map((write) => {
      const { sender, reconcileID } = write
      const report = reconcileID && reports.findLast((one) => one.reconcileID === reconcileID)
      const lines = [textOf(write)]
      if (report) {
        const { controller, request, causes } = report
        lines.push(
          `by the controller ${controller}, which reconciled ${formatKey(request)}: ${describeCauses(causes)}`,
        )
      } else if (sender !== undefined) lines.push(`by ${sender}`)
      lines.push(...effectOf(write))
      return lines.join('\n    ')
    })
  }

  #note(request: ApiRequest): Write | undefined {
    const verb = writeVerbOf(request)
    const target = verb && targetOf(request)
    if (!target) return undefined
    const { name, plural } = target
    const write: Write = {
      target,
      verb,
      sender: request.sender,
      reconcileID: request.reconcile?.reconcileID,
      event: plural === 'events' ? request.body : undefined,
      before: this.keepsContent && name !== undefined ? this.#find(target, name) : undefined,
    }
    this.#writes.push(write)
    return write
  }
}

/** `create pods default/a`. */
function textOf({ target, verb, event }: Write): string {
  const { namespace, name, plural, subresource } = target
  const key = [namespace, name].filter(Boolean).join('/')
  return [verb, subresource ? `${plural}/${subresource}` : plural, key, eventOf(event)]
    .filter(Boolean)
    .join(' ')
}

/** The effect of a write: a line, or none where the text of the write says all. */
function effectOf({ verb, before, answer }: Write): string[] {
  if (!answer) return []
  if (answer.status >= 300) return [`the server refused it with ${answer.status}`]
  if (verb !== 'update' && verb !== 'patch') return []
  if (!before || !(answer.body instanceof Uint8Array)) return []
  const fields = changedFields(before, JSON.parse(new TextDecoder().decode(answer.body)))
  if (!fields) return []
  return [fields.length === 0 ? 'it changed nothing' : `it changed ${fields.join(', ')}`]
}

function eventOf(body: Uint8Array | undefined): string {
  if (!body) return ''
  const event = JSON.parse(new TextDecoder().decode(body)) as EventBody
  const { type = '', reason = '', note = event.message ?? '' } = event
  const { kind, namespace, name } = event.regarding ?? event.involvedObject ?? {}
  if (reason === '' && note === '') return ''
  const about = name === undefined ? '' : ` about the ${kind} ${[namespace, name].filter(Boolean).join('/')}`
  return `(${[type, reason].filter(Boolean).join(' ')}${about}: ${JSON.stringify(note)})`
}
