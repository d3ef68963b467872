import { HomeostatError } from '@homeostat/api'
import type { ReloadedPart, ServerMetrics } from '../metrics/index.ts'
import { FollowedConfiguration } from './followed-configuration.ts'

const encoder = new TextEncoder()

/** A configuration that cannot take effect now, although it is valid. */
export class TemporaryProblem extends HomeostatError {
  override readonly name = 'TemporaryProblem'
}

/** Lets the parts of a server follow their configurations, and counts how often they changed. */
export class Reloads implements Disposable {
  readonly #metrics: ServerMetrics
  readonly #following: Disposable[] = []

  constructor(metrics: ServerMetrics) {
    this.#metrics = metrics
  }

  /** Calls `apply` with each later version of an option. An option that has only one version is ignored. */
  async follow(
    part: ReloadedPart,
    option: unknown,
    apply: (value: unknown) => Promise<void> | void | undefined,
  ): Promise<void> {
    if (!(option instanceof FollowedConfiguration)) return
    const counts = this.#metrics.reloads.of(part)
    counts.started(await hashOf(option.text))
    this.#following.push(
      option.follow(async (text, read) => {
        try {
          await apply(await read())
          counts.succeeded(await hashOf(text))
        } catch (error) {
          counts.failed()
          throw error
        }
      }),
    )
  }

  [Symbol.dispose](): void {
    for (const one of this.#following) one[Symbol.dispose]()
  }
}

async function hashOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
