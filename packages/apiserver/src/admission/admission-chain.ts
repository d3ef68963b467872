import type { Admit } from '../registry/write/admission.ts'
import type { Resource } from '../registry/resource.ts'
import { admissionRequest, type AdmissionRequest, type Writer } from './admission-request.ts'

/** Has a say in writes: it may change the object, warn, or refuse. */
export type AdmissionHook = (request: AdmissionRequest) => void | Promise<void>

/** A hook of the server's own, for some resources. */
export interface AdmissionPlugin {
  /** The resources that it looks at, as `<group>/<plural>`. Default: all. */
  readonly resources?: readonly string[]
  /** Whether `admit` leaves objects as they are. Default: false. */
  readonly readOnly?: boolean
  /** Before the rules of the kind are looked at. */
  readonly admit?: AdmissionHook
  /** After them, right before the object is stored: it can only warn or refuse. */
  readonly validate?: (request: AdmissionRequest) => void
}

/** The plugins that have a say in writes, one after the other: each sees what those before it have made of the object. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[]

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins
  }

  /** What is asked about writes of a resource by one writer; undefined where nobody cares. */
  for(resource: Resource, writer: Writer): Admit | undefined {
    const key = `${resource.group}/${resource.plural}`
    const plugins = this.#plugins.filter(
      ({ resources }) => resources === undefined || resources.includes(key),
    )
    if (plugins.length === 0) return undefined
    return {
      changes: plugins.some(({ admit, readOnly }) => admit && !readOnly),
      async admit(proposal) {
        const request = admissionRequest(proposal, writer)
        for (const { admit } of plugins) await admit?.(request)
      },
      validate(proposal) {
        const request = admissionRequest(proposal, writer)
        for (const { validate } of plugins) validate?.(request)
      },
    }
  }
}
