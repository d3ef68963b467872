import { formatKey, type ApiRequest } from '@homeostat/api'
import { describeCauses, type ReconcileReport, type Transport } from 'homeostat'
import { targetOf, writeVerbOf } from './faults/request-target.ts'

/** A request to write that the operator sent. */
interface Write {
  readonly text: string
  readonly sender: string | undefined
  readonly reconcile: ApiRequest['reconcile']
}

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

  /** The number of writes so far. */
  get count(): number {
    return this.#writes.length
  }

  /** The transport, whose requests to write are noted. */
  wrap(inner: Transport): Transport {
    return {
      ...inner,
      send: (request) => {
        this.#note(request)
        return inner.send(request)
      },
    }
  }

  /** A line for each after the first so many: what was written, by which reconcile, and why that ran. */
  describe(after: number, reports: readonly ReconcileReport[]): string[] {
    return this.#writes.slice(after).map(({ text, sender, reconcile }) => {
      const report = reconcile && reports.findLast(({ reconcileID }) => reconcileID === reconcile.reconcileID)
      if (report) {
        const { controller, request, causes } = report
        return `${text}\n    by the controller ${controller}, which reconciled ${formatKey(request)}: ${describeCauses(causes)}`
      }
      return sender === undefined ? text : `${text}\n    by ${sender}`
    })
  }

  #note(request: ApiRequest): void {
    const verb = writeVerbOf(request)
    const target = verb && targetOf(request)
    if (!target) return
    const { namespace, name, plural, subresource } = target
    const key = [namespace, name].filter(Boolean).join('/')
    const event = plural === 'events' ? eventOf(request) : ''
    const text = [verb, subresource ? `${plural}/${subresource}` : plural, key, event]
      .filter(Boolean)
      .join(' ')
    this.#writes.push({ text, sender: request.sender, reconcile: request.reconcile })
  }
}

function eventOf({ body }: ApiRequest): string {
  if (!body) return ''
  const event = JSON.parse(new TextDecoder().decode(body)) as EventBody
  const { type = '', reason = '', note = event.message ?? '' } = event
  const { kind, namespace, name } = event.regarding ?? event.involvedObject ?? {}
  if (reason === '' && note === '') return ''
  const about = name === undefined ? '' : ` about the ${kind} ${[namespace, name].filter(Boolean).join('/')}`
  return `(${[type, reason].filter(Boolean).join(' ')}${about}: ${JSON.stringify(note)})`
}
