import type { ApiRequest } from '@homeostat/api'
import { describeCauses, type ReconcileReport, type Transport } from 'homeostat'

const { FORCE_COLOR, NO_COLOR } = process.env
const colours = FORCE_COLOR ? FORCE_COLOR !== '0' : process.stdout.isTTY && !NO_COLOR
const paint = (code: number) => (text: string) => (colours ? `\u001b[${code}m${text}\u001b[0m` : text)
export const bold = paint(1)
export const dim = paint(2)
const red = paint(31)
const green = paint(32)
const cyan = paint(36)

/**
 * Tells what an operator does as it happens: for each reconcile why it ran, what it wrote and how it
 * ended. The writes are those that went over the operator's own transport.
 */
export class Story {
  readonly #controllers: ReadonlySet<string>
  #writes: string[] = []
  #told = 0

  /** The story of these controllers. What the manager does besides, such as keeping certificates, is not told. */
  constructor(controllers: readonly { readonly name: string }[]) {
    this.#controllers = new Set(controllers.map(({ name }) => name))
  }

  /** How many reconciles it has told of. */
  get told(): number {
    return this.#told
  }

  /** A transport that tells the story of the writes it carries. */
  listenTo(transport: Transport): Transport {
    return {
      server: transport.server,
      close: () => transport.close(),
      [Symbol.asyncDispose]: () => transport.close(),
      send: async (request) => {
        const response = await transport.send(request)
        const write = this.#controllers.has(request.sender ?? '') && describeWrite(request)
        if (write)
          this.#writes.push(response.status < 300 ? green(write) : red(`${write}: ${response.status}`))
        return response
      },
    }
  }

  /** One reconcile has ended. */
  tell(report: ReconcileReport): void {
    if (!this.#controllers.has(report.controller)) return
    this.#told++
    const { name, namespace } = report.request
    const writes = this.#writes.splice(0)
    const lines = [
      `${bold(`${report.controller} ${namespace}/${name}`)}  ${dim('because')} ${reasons(report.causes)}`,
      ...(writes.length > 0
        ? writes.map((write) => `  ${write}`)
        : [dim('  nothing to do: no request sent')]),
    ]
    if (report.error instanceof Error) lines.push(`  ${red(report.error.message)}`)
    const again = report.next
    if (again !== undefined && again > 0) lines.push(cyan(`  looks again in ${seconds(again)}`))
    console.log(lines.join('\n'))
  }
}

/** The first cause, and how many more there were: a story, not a protocol. */
function reasons(causes: ReconcileReport['causes']): string {
  const [first = '', ...more] = describeCauses(causes).split('; ')
  return more.length > 0 ? `${first} ${dim(`and ${more.length} more`)}` : first
}

function seconds(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.ceil(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(1)} s`
}

/** "applies deployments viewer-x"; nothing for a read, and nothing for events, which tell their own story. */
function describeWrite(request: ApiRequest): string | undefined {
  const verb = {
    POST: 'creates',
    PUT: 'updates',
    DELETE: 'deletes',
    PATCH: request.headers['content-type']?.includes('apply-patch') ? 'applies' : 'patches',
  }[request.method as string]
  if (!verb) return undefined
  const parts = request.path.split('/').filter(Boolean)
  const rest = parts.slice(
    parts.indexOf('namespaces') >= 0 ? parts.indexOf('namespaces') + 2 : parts[0] === 'api' ? 2 : 3,
  )
  const [resource, name, subresource] = rest
  if (!resource || resource === 'events') return undefined
  const object = name ?? nameIn(request.body)
  return `${verb} ${subresource ? `the ${subresource} of ` : ''}${resource} ${object}`
}

function nameIn(body: Uint8Array | undefined): string {
  const object = JSON.parse(new TextDecoder().decode(body)) as { metadata?: { name?: string } }
  return object.metadata?.name ?? ''
}
