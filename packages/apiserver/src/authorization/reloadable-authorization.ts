import { HomeostatError, type Clock } from '@homeostat/api'
import type { Authorization, Authorizer } from '../auth/index.ts'
import type { OpenAuthorization } from './open-authorization.ts'

/** How long requests that wait for the webhooks of a former configuration may take. */
const LINGERING = 60_000

type Type = OpenAuthorization['types'] extends ReadonlySet<infer T> ? T : never

/** Authorizes by a configuration that can be replaced while requests come. */
export class ReloadableAuthorization implements Authorization, Disposable {
  readonly authorize: Authorizer = (user, attributes) => this.#current.authorize(user, attributes)
  readonly #open: (configuration: unknown) => Promise<OpenAuthorization>
  readonly #initial: ReadonlySet<Type>
  readonly #clock: Clock
  readonly #former = new Set<Disposable>()
  #current: OpenAuthorization
  #isClosed = false

  constructor(
    current: OpenAuthorization,
    open: (configuration: unknown) => Promise<OpenAuthorization>,
    clock: Clock,
  ) {
    this.#current = current
    this.#initial = current.types
    this.#open = open
    this.#clock = clock
  }

  rulesFor(...of: Parameters<Authorization['rulesFor']>): ReturnType<Authorization['rulesFor']> {
    return this.#current.rulesFor(...of)
  }

  /**
   * Authorizes by another configuration from now on. It must have the types of the first one, as in Kubernetes, and may add RBAC only
   * where the first one had it. Fails with `AUTHORIZATION_CONFIGURATION_INVALID`, or with `WEBHOOK_KUBECONFIG_INVALID`. After
   * a failure the former configuration stays in effect.
   */
  async replace(configuration: unknown): Promise<void> {
    const next = await this.#open(configuration)
    if (this.#isClosed) return next[Symbol.dispose]()
    const problem = typesProblem(this.#initial, next.types)
    if (problem !== undefined) {
      next[Symbol.dispose]()
      throw new HomeostatError(
        'AUTHORIZATION_CONFIGURATION_INVALID',
        `the AuthorizationConfiguration is invalid: ${problem}`,
      )
    }
    this.#retire(this.#current)
    this.#current = next
  }

  [Symbol.dispose](): void {
    this.#isClosed = true
    this.#current[Symbol.dispose]()
    for (const former of this.#former) former[Symbol.dispose]()
  }

  /** Closes the connections of a former configuration once its last requests have ended. */
  #retire(former: OpenAuthorization): void {
    const timer = this.#clock.schedule(LINGERING, () => {
      former[Symbol.dispose]()
      this.#former.delete(closing)
    })
    const closing: Disposable = {
      [Symbol.dispose]() {
        timer.cancel()
        former[Symbol.dispose]()
      },
    }
    this.#former.add(closing)
  }
}

function typesProblem(initial: ReadonlySet<Type>, next: ReadonlySet<Type>): string | undefined {
  const missing = [...initial].filter((type) => type !== 'Webhook' && !next.has(type)).sort()
  if (missing.length > 0) return `missing required types: [${missing.join(' ')}]`
  return next.has('RBAC') && !initial.has('RBAC')
    ? 'authorizer type RBAC is not allowed if it was not enabled at initial server startup'
    : undefined
}
