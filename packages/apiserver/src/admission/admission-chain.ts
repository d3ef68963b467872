import type { Admission, Operation, Proposal } from '../registry/admission.ts'
import type { Resource } from '../registry/resource.ts'
import { admissionRequest, type AdmissionRequest, type Writer } from './admission-request.ts'

/** May change the object of a write, warn its client, or reject the write. */
export type AdmissionHook = (request: AdmissionRequest) => void | Promise<void>

/**
 * A plugin that may change or reject writes. Each phase may wait, for an answer over the network say: no lock is held
 * meanwhile, and plugins are asked again when another write came first.
 */
export interface AdmissionPlugin {
  /** The resources that it looks at, as `<group>/<plural>`. Default: all. */
  readonly resources?: readonly string[]
  /** The operations that it looks at. Default: all. */
  readonly operations?: readonly Operation[]
  /** Whether `admit` leaves objects as they are. Default: false. */
  readonly readOnly?: boolean
  /**
   * Whether `admit` may leave unknown fields or missing defaults in objects, as code of users does. They are pruned and get
   * defaults again where it changed them. Default: false.
   */
  readonly leavesIncomplete?: boolean
  /** The mutating phase, before validation. */
  readonly admit?: AdmissionHook
  /** The validating phase, after validation and before the object is stored: it can only warn or reject. */
  readonly validate?: AdmissionHook
}

/** The hooks that look at one operation on one resource, in order. */
interface Plan {
  readonly changes: ReturnType<Admission['changes']>
  readonly admit: readonly AdmissionHook[]
  readonly validate: readonly AdmissionHook[]
}

/** The admission plugins in order: each sees what the ones before it made of the object. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[]
  readonly #plans = new WeakMap<Resource, Map<Operation, Plan>>()

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.#plugins = plugins
  }

  /** The plugins as the writes of one client see them. */
  boundTo(writer: Writer): Admission {
    return {
      changes: (proposal) => this.#planFor(proposal).changes,
      admit: (proposal) => call(this.#planFor(proposal).admit, proposal, writer),
      validate: (proposal) => call(this.#planFor(proposal).validate, proposal, writer),
    }
  }

  #planFor({ resource, operation }: Proposal): Plan {
    let plans = this.#plans.get(resource)
    if (!plans) this.#plans.set(resource, (plans = new Map()))
    let plan = plans.get(operation)
    if (!plan) plans.set(operation, (plan = planOf(this.#plugins, resource, operation)))
    return plan
  }
}

function planOf(all: readonly AdmissionPlugin[], { group, plural }: Resource, operation: Operation): Plan {
  const key = `${group}/${plural}`
  const plugins = all.filter(
    ({ resources, operations }) =>
      (resources?.includes(key) ?? true) && (operations?.includes(operation) ?? true),
  )
  const changing = plugins.filter(({ admit, readOnly }) => admit && !readOnly)
  const incomplete = changing.some(({ leavesIncomplete }) => leavesIncomplete)
  return {
    changes: incomplete ? 'anything' : changing.length > 0 ? 'complete' : 'nothing',
    admit: plugins.flatMap(({ admit }) => admit ?? []),
    validate: plugins.flatMap(({ validate }) => validate ?? []),
  }
}

/** Calls the hooks one after the other. A promise only where one of them waits. */
function call(hooks: readonly AdmissionHook[], proposal: Proposal, writer: Writer): void | Promise<void> {
  if (hooks.length === 0) return undefined
  const request = admissionRequest(proposal, writer)
  for (const [index, hook] of hooks.entries()) {
    const waiting = hook(request)
    if (waiting) return callRest(waiting, hooks.slice(index + 1), request)
  }
  return undefined
}

async function callRest(
  waiting: Promise<void>,
  hooks: readonly AdmissionHook[],
  request: AdmissionRequest,
): Promise<void> {
  await waiting
  for (const hook of hooks) await hook(request)
}
