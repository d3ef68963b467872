import { HomeostatError } from '@homeostat/api'
import type { Logger } from '../telemetry/index.ts'
import type { PageAnswer, PageRequest } from './page.ts'

/** A health check: it fails by throwing or rejecting. */
export type HealthCheck = () => void | Promise<void>

const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/

/**
 * Named checks and the page that shows them, like the pages of an API server: 200 when all pass, otherwise 500.
 * `?verbose` lists the checks, `?exclude=name` leaves one out, and `/name` below the page runs only one. The reason
 * of a failure is in the log only, since every client can read the page.
 */
export class HealthChecks {
  readonly #page: string
  readonly #checks = new Map<string, HealthCheck>()

  /** `page` is its name in messages, such as `readyz`. */
  constructor(page: string) {
    this.#page = page
  }

  /**
   * Throws a `HomeostatError` with code `HEALTH_CHECK_INVALID` for a name that is in use or cannot be part of a path.
   */
  add(name: string, check: HealthCheck): void {
    if (!NAME.test(name) || this.#checks.has(name)) {
      const why = this.#checks.has(name)
        ? 'is taken'
        : 'cannot be part of a path: use letters, digits, -, _ and .'
      throw new HomeostatError(
        'HEALTH_CHECK_INVALID',
        `the name ${JSON.stringify(name)} of a check for ${this.#page} ${why}`,
      )
    }
    this.#checks.set(name, check)
  }

  async answer({ below, query }: Pick<PageRequest, 'below' | 'query'>, logger: Logger): Promise<PageAnswer> {
    if (below !== '' && !this.#checks.has(below)) {
      return {
        status: 404,
        body: `There is no check ${below}: the checks are ${this.#names().join(', ')}.\n`,
      }
    }
    const excluded = new Set(query.getAll('exclude'))
    const wanted = below === '' ? this.#names() : [below]
    const lines = await Promise.all(
      wanted.map(async (name) => {
        if (excluded.delete(name)) return `[+]${name} excluded: ok\n`
        try {
          await this.#checks.get(name)?.()
          return `[+]${name} ok\n`
        } catch (error) {
          logger.warn({ error, check: name, page: this.#page }, 'a health check failed')
          return `[-]${name} failed: the log says why\n`
        }
      }),
    )
    const unknown = [...excluded].map((name) => `warn: there is no check ${name} to exclude\n`)
    const failed = lines.some((line) => line.startsWith('[-]'))
    const all = [...lines, ...unknown].join('')
    if (failed) return { status: 500, body: `${all}${this.#page} check failed\n` }
    return { status: 200, body: query.has('verbose') ? `${all}${this.#page} check passed\n` : 'ok' }
  }

  #names(): string[] {
    return [...this.#checks.keys()]
  }
}
