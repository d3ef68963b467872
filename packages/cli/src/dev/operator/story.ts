import type { ApiRequest } from '@homeostat/api'
import { describeCauses, type ReconcileReport, type Transport } from 'homeostat'

/** The lines about reconciles: why each ran, what it wrote, how it ended. */
export class Story {
  readonly #controllers: ReadonlySet<string>
  readonly #writes = new Map<string, string[]>()

  /** The story of these controllers. What a manager does besides, such as keeping certificates, is not told. */
  constructor(controllers: readonly { readonly name: string }[]) {
    this.#controllers = new Set(controllers.map(({ name }) => name))
  }

  /** A transport whose writes become part of the story. */
  listenTo(transport: Transport): Transport {
    return {
      ...transport,
      server: transport.server,
      close: () => transport.close(),
      [Symbol.asyncDispose]: () => transport.close(),
      send: async (request) => {
        const response = await transport.send(request)
        const { reconcileID } = request.reconcile ?? {}
        const write = reconcileID === undefined ? undefined : describeWrite(request)
        if (write !== undefined && reconcileID !== undefined) {
          const writes = this.#writes.get(reconcileID) ?? []
          this.#writes.set(reconcileID, [
            ...writes,
            response.status < 300 ? write : `${write}: ${response.status}`,
          ])
        }
        return response
      },
    }
  }

  /** The lines about one reconcile; nothing for one of another part of the manager. */
  tell({ controller, request, causes, reconcileID, error, next }: ReconcileReport): readonly string[] {
    const writes = this.#writes.get(reconcileID) ?? []
    this.#writes.delete(reconcileID)
    if (!this.#controllers.has(controller)) return []
    const name = request.namespace === undefined ? request.name : `${request.namespace}/${request.name}`
    const lines = [`${controller} ${name} because ${reasons(causes)}`]
    if (writes.length > 0) lines.push(...writes)
    else if (error === undefined) lines.push('nothing to do')
    if (error !== undefined) lines.push(error instanceof Error ? error.message : JSON.stringify(error))
    if (next !== undefined && next > 0) lines.push(`looks again in ${seconds(next)}`)
    return lines
  }
}

/** The first cause, and how many more there were. */
function reasons(causes: ReconcileReport['causes']): string {
  const [first = '', ...more] = describeCauses(causes).split('; ')
  return more.length > 0 ? `${first} and ${more.length} more` : first
}

function seconds(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.ceil(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`
}

/** "applies deployments web"; nothing for a read, nor for events, which tell their own story. */
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
