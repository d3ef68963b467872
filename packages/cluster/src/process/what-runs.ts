import type { ApiHandler, Clock, Timer } from '@homeostat/api'
import { Pod, Service } from '@homeostat/api/kinds'
import { controller, Manager, silentLogger, type Controller, type Transport } from 'homeostat'
import { tableRow } from './table-row.ts'

/** Changes that come close together are shown as one. */
const PAUSE = 250
/** More than these at once are only counted. */
const MOST_LINES = 30

interface Shown {
  readonly resource: 'pods' | 'services'
  readonly namespace: string
  readonly name: string
}

/**
 * Shows Pods and Services as they change, in the columns of `kubectl get`. It prints a line when the shown
 * values of an object have changed, and never more often than a person can read. It only reads.
 */
export class WhatRuns {
  readonly #handler: ApiHandler
  readonly #clock: Clock
  readonly #say: (line: string) => void
  readonly #changed = new Map<string, Shown>()
  readonly #lines = new Map<string, string>()
  #timer: Timer | undefined
  #flushing: Promise<void> = Promise.resolve()

  constructor(options: { handler: ApiHandler; clock: Clock; say: (line: string) => void }) {
    this.#handler = options.handler
    this.#clock = options.clock
    this.#say = options.say
  }

  /** Shows until the signal aborts. */
  async show(transport: Transport, signal: AbortSignal): Promise<void> {
    const manager = new Manager({ transport, clock: this.#clock, logger: silentLogger }).add(
      this.#watcher('pods'),
      this.#watcher('services'),
    )
    await manager.start({ signal })
    this.#timer?.cancel()
    await this.#flushing
  }

  #watcher(resource: Shown['resource']): Controller {
    const reconcile = ({ namespace, name }: { namespace: string; name: string }): Promise<void> => {
      this.#changed.set(`${resource} ${namespace}/${name}`, { resource, namespace, name })
      this.#timer ??= this.#clock.schedule(PAUSE, () => {
        this.#timer = undefined
        this.#flushing = this.#flushing.then(() => this.#flush())
      })
      return Promise.resolve()
    }
    const named = controller(`show-${resource}`)
    return resource === 'pods' ? named.for(Pod).reconcile(reconcile) : named.for(Service).reconcile(reconcile)
  }

  async #flush(): Promise<void> {
    const changed = [...this.#changed]
    this.#changed.clear()
    const news: string[] = []
    for (const [key, shown] of changed) {
      const line = await this.#line(shown)
      if (line === this.#lines.get(key)) continue
      if (line === undefined) this.#lines.delete(key)
      else this.#lines.set(key, line)
      news.push(line ?? joined(shown, ['deleted']))
    }
    for (const line of news.slice(0, MOST_LINES)) this.#say(line)
    if (news.length > MOST_LINES) this.#say(`… and ${news.length - MOST_LINES} more changes`)
  }

  async #line(shown: Shown): Promise<string | undefined> {
    const { resource, namespace, name } = shown
    const row = await tableRow(this.#handler, `/api/v1/namespaces/${namespace}/${resource}/${name}`)
    if (!row) return undefined
    const columns =
      resource === 'pods'
        ? [row['Ready'], row['Status'], restarts(row['Restarts'])]
        : [row['Type'], row['Cluster-IP'], row['Port(s)']]
    return joined(shown, columns)
  }
}

/** Without the age, which changes with time. */
function restarts(cell: string | undefined): string {
  const count = cell?.split(' ')[0] ?? '0'
  return count === '0' ? '' : `${count} restart${count === '1' ? '' : 's'}`
}

function joined({ resource, namespace, name }: Shown, columns: readonly (string | undefined)[]): string {
  const kind = resource === 'pods' ? 'pod' : 'service'
  const cells = [
    namespace.padEnd(12),
    `${kind}/${name}`.padEnd(44),
    ...columns.map((text) => (text ?? '').padEnd(10)),
  ]
  return cells.join('  ').trimEnd()
}
