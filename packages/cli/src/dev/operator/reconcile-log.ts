import type { ApiRequest } from '@homeostat/api'
import { describeCauses, wrapTransport, type ReconcileReport, type Transport } from 'homeostat'

/** A reconcile that has ended: why it ran, what it wrote, how it ended. */
export interface ReconcileSummary {
  /** The controller and the object: `notes default/sample`. */
  readonly subject: string
  /** The first cause, and how many more there were. */
  readonly cause: string
  readonly moreCauses: number
  readonly writes: readonly SummarizedWrite[]
  /** The message of the error with which it failed. */
  readonly error: string | undefined
  /** The time until the next reconcile, where the reconciler asked for one: `1.5 s`. */
  readonly next: string | undefined
}

interface SummarizedWrite {
  /** `applies deployments web`. */
  readonly what: string
  /** The code of an answer that refused the write. */
  readonly failedWith: number | undefined
}

/** Summarizes the reconciles of some controllers, with the requests that each has sent. */
export class ReconcileLog {
  readonly #controllers: ReadonlySet<string>
  readonly #writes = new Map<string, SummarizedWrite[]>()

  /** Leaves out other work of a manager, such as renewing certificates. */
  constructor(controllers: readonly { readonly name: string }[]) {
    this.#controllers = new Set(controllers.map(({ name }) => name))
  }

  /** A transport that records its writes. */
  observe(transport: Transport): Transport {
    return wrapTransport(transport, async (request) => {
      const response = await transport.send(request)
      const { reconcileID } = request.reconcile ?? {}
      const what = reconcileID === undefined ? undefined : describeWrite(request)
      if (what !== undefined && reconcileID !== undefined) {
        const writes = this.#writes.get(reconcileID) ?? []
        const failedWith = response.status < 300 ? undefined : response.status
        this.#writes.set(reconcileID, [...writes, { what, failedWith }])
      }
      return response
    })
  }

  /** The summary of a reconcile; undefined for one of another part of the manager. */
  summarize(report: ReconcileReport): ReconcileSummary | undefined {
    const { controller, request, causes, reconcileID, error, next } = report
    const writes = this.#writes.get(reconcileID) ?? []
    this.#writes.delete(reconcileID)
    if (!this.#controllers.has(controller)) return undefined
    const name = request.namespace === undefined ? request.name : `${request.namespace}/${request.name}`
    const [cause = '', ...more] = describeCauses(causes).split('; ')
    return {
      subject: `${controller} ${name}`,
      cause,
      moreCauses: more.length,
      writes,
      error: error === undefined || error instanceof Error ? error?.message : JSON.stringify(error),
      next: next === undefined || next <= 0 ? undefined : seconds(next),
    }
  }
}

/** The lines of a summary, for a terminal without colours or a program that adds its own. */
export function summaryLines(summary: ReconcileSummary): readonly string[] {
  const { subject, cause, moreCauses, writes, error, next } = summary
  const lines = [`${subject} because ${cause}${moreCauses > 0 ? ` and ${moreCauses} more` : ''}`]
  for (const { what, failedWith } of writes) {
    lines.push(failedWith === undefined ? what : `${what}: ${failedWith}`)
  }
  if (writes.length === 0 && error === undefined) lines.push('nothing to do')
  if (error !== undefined) lines.push(error)
  if (next !== undefined) lines.push(`looks again in ${next}`)
  return lines
}

function seconds(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.ceil(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`
}

/** "applies deployments web"; undefined for a read and for Events. */
function describeWrite({ method, path, headers, body }: ApiRequest): string | undefined {
  const verb = verbOf(method, headers['content-type'] ?? '')
  if (verb === undefined) return undefined
  const parts = path.split('/').filter(Boolean)
  const namespaced = parts.indexOf('namespaces')
  const start = namespaced >= 0 && parts.length > namespaced + 2 ? namespaced + 2 : parts[0] === 'api' ? 2 : 3
  const [resource, name, subresource] = parts.slice(start)
  if (resource === undefined || resource === 'events') return undefined
  return `${verb} ${subresource === undefined ? '' : `the ${subresource} of `}${resource} ${name ?? nameIn(body)}`
}

function verbOf(method: string, contentType: string): string | undefined {
  if (method === 'POST') return 'creates'
  if (method === 'PUT') return 'updates'
  if (method === 'DELETE') return 'deletes'
  if (method !== 'PATCH') return undefined
  return contentType.includes('apply-patch') ? 'applies' : 'patches'
}

function nameIn(body: Uint8Array | undefined): string {
  const object = JSON.parse(new TextDecoder().decode(body)) as { metadata?: { name?: string } }
  return object.metadata?.name ?? ''
}
