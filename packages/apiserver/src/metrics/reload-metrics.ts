import type { Exposition, Labels } from './exposition.ts'

/** A part of the server whose configuration can change while it runs. */
export type ReloadedPart = 'authentication' | 'authorization' | 'encryption'

const HELP = {
  authentication: {
    total:
      '[BETA] Total number of automatic reloads of authentication configuration split by status and apiserver identity.',
    last: '[BETA] Timestamp of the last automatic reload of authentication configuration split by status and apiserver identity.',
  },
  authorization: {
    total:
      '[BETA] Total number of automatic reloads of authorization configuration split by status and apiserver identity.',
    last: '[BETA] Timestamp of the last automatic reload of authorization configuration split by status and apiserver identity.',
  },
  encryption: {
    total:
      '[ALPHA] Total number of reload successes and failures of encryption configuration split by apiserver identity.',
    last: '[ALPHA] Timestamp of the last successful or failed automatic reload of encryption configuration split by apiserver identity.',
  },
} as const

/** How often one configuration changed. */
class PartReloads {
  readonly #now: () => number
  readonly #counts = new Map<'failure' | 'success', { count: number; last: number }>()
  hash = ''

  constructor(now: () => number) {
    this.#now = now
  }

  started(hash: string): void {
    this.hash = hash
  }

  succeeded(hash: string): void {
    this.hash = hash
    this.#count('success')
  }

  failed(): void {
    this.#count('failure')
  }

  write(to: Exposition, part: ReloadedPart, server: string): void {
    const prefix = `apiserver_${part}_config_controller`
    const identity = ['apiserver_id_hash', server] as const
    const total = to.family(`${prefix}_automatic_reloads_total`, 'counter', HELP[part].total)
    const last = to.family(`${prefix}_automatic_reload_last_timestamp_seconds`, 'gauge', HELP[part].last)
    for (const [status, counted] of [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const labels: Labels = [identity, ['status', status]]
      total('', labels, counted.count)
      last('', labels, counted.last)
    }
    const info = `[ALPHA] Information about the last applied ${part} configuration with hash as label, split by apiserver identity.`
    to.family(`${prefix}_last_config_info`, 'gauge', info)('', [identity, ['hash', this.hash]], 1)
  }

  #count(status: 'failure' | 'success'): void {
    const count = (this.#counts.get(status)?.count ?? 0) + 1
    this.#counts.set(status, { count, last: this.#now() / 1000 })
  }
}

/** How often the configurations of the server changed while it ran. Those that cannot change have no series. */
export class ReloadMetrics {
  readonly #now: () => number
  readonly #parts = new Map<ReloadedPart, PartReloads>()
  #server: string | undefined

  /** `now` is a time in milliseconds. */
  constructor(now: () => number) {
    this.#now = now
  }

  of(part: ReloadedPart): PartReloads {
    let counts = this.#parts.get(part)
    if (!counts) this.#parts.set(part, (counts = new PartReloads(this.#now)))
    return counts
  }

  write(to: Exposition): void {
    if (this.#parts.size === 0) return
    // Made late: a program's first random bytes load much of Node.
    const server = (this.#server ??= `sha256:${randomHex()}`)
    for (const [part, counts] of this.#parts) counts.write(to, part, server)
  }
}

/** Distinguishes servers, as the hash of kube-apiserver's identity does. */
function randomHex(): string {
  return [...crypto.getRandomValues(new Uint8Array(32))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
}
