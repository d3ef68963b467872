import type { Clock } from '@homeostat/api'
import { resolveImage, type Image, type ImageMap } from '../../images/index.ts'
import { BackOff } from './back-off.ts'
import type { PodEvent } from './pod-context.ts'

/** The result of resolving an image: what runs for it, or why the container waits and when to retry. */
export type Pulled =
  | { readonly image: Image }
  | {
      readonly waiting: { readonly reason: string; readonly message: string }
      readonly retryAfter: number
    }

/**
 * How long a failed pull is shown as an error (`ErrImagePull`) before it is shown as a wait (`ImagePullBackOff`).
 */
const ERROR_SHOWN = 1_000
/** `[host/]path[:tag][@digest]`; only the host may have capital letters. */
const REFERENCE =
  /^(?:[a-zA-Z0-9][-.a-zA-Z0-9]*(?::\d+)?\/)?[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*(?::\w[-.\w]{0,127})?(?:@[a-zA-Z][a-zA-Z0-9]*(?:[-_+.][a-zA-Z][a-zA-Z0-9]*)*:[0-9a-fA-F]{32,})?$/
/** When to look again for an image that may not be pulled. */
const NEVER_RETRY = 60_000

/**
 * Finds what runs for a container's image, and reports it as the pull of an image. An image that nothing is
 * mapped to cannot be pulled; it is tried again after 10 s, 20 s, … at most 5 min.
 */
export class ImagePull {
  readonly #name: string
  readonly #policy: string
  readonly #images: ImageMap
  readonly #clock: Clock
  readonly #event: (event: PodEvent) => void
  readonly #backOff = new BackOff()
  #failedAt: number | undefined
  #told: string | undefined

  constructor(options: {
    readonly name: string
    readonly policy?: string | undefined
    readonly images: ImageMap
    readonly clock: Clock
    readonly event: (event: PodEvent) => void
  }) {
    this.#name = options.name
    this.#policy = options.policy ?? 'IfNotPresent'
    this.#images = options.images
    this.#clock = options.clock
    this.#event = options.event
  }

  next(): Pulled {
    const image = resolveImage(this.#images, this.#name)
    if (!image && !REFERENCE.test(this.#name)) return this.#invalid()
    if (!image) return this.#policy === 'Never' ? this.#neverPulled() : this.#failed(this.#howToMap())
    const problem = 'problem' in image ? image.problem?.() : undefined
    if (problem !== undefined) return this.#failed(problem)
    const shown = JSON.stringify(this.#name)
    if (this.#policy === 'Always') {
      this.#tell('Normal', 'Pulling', `Pulling image ${shown}`)
      const message = `Successfully pulled image ${shown} in 0s (0s including waiting). Image size: 0 bytes.`
      this.#tell('Normal', 'Pulled', message)
    } else {
      const message = `Container image ${shown} already present on machine and can be accessed by the pod`
      this.#tell('Normal', 'Pulled', message)
    }
    return { image }
  }

  #invalid(): Pulled {
    const shown = JSON.stringify(this.#name)
    const message = `Failed to apply default image tag ${shown}: couldn't parse image name ${shown}: invalid reference format`
    if (this.#told !== message) {
      this.#tell('Warning', 'InspectFailed', message)
      this.#tell('Warning', 'Failed', 'Error: InvalidImageName')
    }
    this.#told = message
    return { waiting: { reason: 'InvalidImageName', message }, retryAfter: NEVER_RETRY }
  }

  #neverPulled(): Pulled {
    const message = `Container image ${JSON.stringify(this.#name)} is not present with pull policy of Never`
    if (this.#told !== message) {
      this.#tell('Warning', 'ErrImageNeverPull', message)
      this.#tell('Warning', 'Failed', 'Error: ErrImageNeverPull')
    }
    this.#told = message
    return { waiting: { reason: 'ErrImageNeverPull', message }, retryAfter: NEVER_RETRY }
  }

  #howToMap(): string {
    const name = withoutTag(this.#name)
    return `nothing is mapped to it: start the cluster with --image="${name}=COMMAND", or with images: { ${JSON.stringify(name)}: … } in code`
  }

  #failed(remedy: string): Pulled {
    const now = this.#clock.now()
    const shown = JSON.stringify(this.#name)
    const message = `failed to pull image ${shown}: ${remedy}`
    const wait = this.#failedAt === undefined ? 0 : this.#backOff.remaining(now, this.#failedAt)
    if (this.#failedAt === undefined || wait === 0) {
      this.#backOff.next(now)
      this.#failedAt = now
      this.#told = undefined
      this.#tell('Normal', 'Pulling', `Pulling image ${shown}`)
      this.#tell('Warning', 'Failed', `Failed to pull image ${shown}: ${remedy}`)
      this.#tell('Warning', 'Failed', 'Error: ErrImagePull')
      return { waiting: { reason: 'ErrImagePull', message }, retryAfter: ERROR_SHOWN }
    }
    if (now - this.#failedAt < ERROR_SHOWN) {
      return {
        waiting: { reason: 'ErrImagePull', message },
        retryAfter: ERROR_SHOWN - (now - this.#failedAt),
      }
    }
    const backingOff = `Back-off pulling image ${shown}`
    if (this.#told !== backingOff) {
      this.#tell('Normal', 'BackOff', backingOff)
      this.#tell('Warning', 'Failed', 'Error: ImagePullBackOff')
    }
    this.#told = backingOff
    return {
      waiting: { reason: 'ImagePullBackOff', message: `${backingOff}: ErrImagePull: ${message}` },
      retryAfter: wait,
    }
  }

  #tell(type: PodEvent['type'], reason: string, message: string): void {
    this.#event({ type, reason, message })
  }
}

function withoutTag(image: string): string {
  return image.replace(/@[^@/]*$/, '').replace(/:[^:/]*$/, '')
}
