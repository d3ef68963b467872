import type { Admission, Operation, Proposal, Resource } from '../registry/index.ts'
import type { ServerMetrics } from '../metrics/index.ts'
import { admissionRequest, type AdmissionRequest, type Writer } from './admission-request.ts'

/** May change the object of a write, warn its client, or reject the write. */
export type AdmissionHook = (request: AdmissionRequest) => void | Promise<void>

/**
 * A plugin that may change or reject writes. Each phase may wait, for example for an answer over the network. The
 * write holds no lock meanwhile, and calls the plugins again if another write came first.
 */
export interface AdmissionPlugin {
  /** The resources that it is called for, as `<group>/<plural>`. Default: all. */
  readonly resources?: readonly string[]
  /** The operations that it is called for. Default: all. */
  readonly operations?: readonly Operation[]
  /**
   * Whether it is also called for objects of another kind that a subresource accepts, such as a Scale, and for the
   * options of connections. Default: false.
   */
  readonly submissions?: boolean
  /** The operations in which `admit` may change objects. Default: all that it is called for. */
  readonly changes?: readonly Operation[]
  /**
   * Whether `admit` may leave unknown fields or missing defaults in objects, as code of users does. They are pruned and get
   * defaults again where it changed them. Default: false.
   */
  readonly leavesIncomplete?: boolean
  /** Whether it may change or reject writes now. If not, its last two phases are skipped. Default: always. */
  readonly isActive?: (proposal: Proposal) => boolean
  /** The mutating phase, before validation. */
  readonly admit?: AdmissionHook
  /** The validating phase, after validation and before the object is stored: it can only warn or reject. */
  readonly validate?: AdmissionHook
  /**
   * The last phase, in one step with storing the object, for plugins that must count exactly. It may reject the
   * write. The function that it returns is called once the object is stored. A dry run has no such phase.
   */
  readonly commit?: (request: AdmissionRequest) => (() => void) | undefined
}

/** The hooks for one operation on one resource, in order. */
interface Plan {
  /** The plugins that change objects only while they are active. */
  readonly sometimes: readonly AdmissionPlugin[]
  /** How the other plugins change objects. */
  readonly changes: ReturnType<Admission['changes']>
  readonly admit: readonly AdmissionHook[]
  readonly validate: readonly AdmissionPlugin[]
  readonly commit: readonly AdmissionPlugin[]
}

/** The admission plugins in order. Each sees the object as the ones before it left it. */
export class AdmissionChain {
  readonly #plugins: readonly AdmissionPlugin[]
  readonly #plans = new WeakMap<Resource, Map<Operation | `${Operation} of a submission`, Plan>>()

  readonly #metrics: ServerMetrics | undefined

  constructor(plugins: readonly AdmissionPlugin[], metrics?: ServerMetrics) {
    this.#plugins = plugins
    this.#metrics = metrics
  }

  /** The plugins for the writes of one client. */
  boundTo(writer: Writer): Admission {
    return {
      changes: (proposal) => changesOf(this.#planFor(proposal), proposal),
      admit: (proposal) =>
        this.#timed('admit', proposal, () => mutate(this.#planFor(proposal).admit, proposal, writer)),
      validate: (proposal) =>
        this.#timed('validate', proposal, () => validate(this.#planFor(proposal).validate, proposal, writer)),
      commit: (proposal) => commit(this.#planFor(proposal).commit, proposal, writer),
    }
  }

  /** Counts how long a phase of a write takes, and whether it rejects the write. */
  #timed(
    phase: 'admit' | 'validate',
    { operation }: Proposal,
    run: () => void | Promise<void>,
  ): void | Promise<void> {
    const metrics = this.#metrics
    if (!metrics) return run()
    const begin = metrics.seconds()
    const count = (rejected: 'true' | 'false'): void =>
      metrics.admission.of(operation, rejected, phase).observe(metrics.seconds() - begin)
    const rejected = (error: unknown): never => {
      count('true')
      throw error
    }
    try {
      const waiting = run()
      if (waiting) return waiting.then(() => count('false'), rejected)
    } catch (error) {
      return rejected(error)
    }
    return count('false')
  }

  #planFor({ resource, operation, submitted }: Proposal): Plan {
    let plans = this.#plans.get(resource)
    if (!plans) this.#plans.set(resource, (plans = new Map()))
    const key = submitted ? (`${operation} of a submission` as const) : operation
    let plan = plans.get(key)
    if (!plan) {
      const plugins = submitted ? this.#plugins.filter(({ submissions }) => submissions) : this.#plugins
      plans.set(key, (plan = planOf(plugins, resource, operation)))
    }
    return plan
  }
}

function planOf(all: readonly AdmissionPlugin[], { group, plural }: Resource, operation: Operation): Plan {
  const key = `${group}/${plural}`
  const plugins = all.filter(
    ({ resources, operations }) =>
      (resources?.includes(key) ?? true) && (operations?.includes(operation) ?? true),
  )
  const changing = plugins.filter(({ admit, changes }) => admit && (changes?.includes(operation) ?? true))
  return {
    sometimes: changing.filter((plugin) => plugin.isActive),
    changes: changesBy(changing.filter((plugin) => !plugin.isActive)),
    admit: plugins.flatMap(({ admit }) => admit ?? []),
    validate: plugins.filter(({ validate }) => validate),
    commit: plugins.filter(({ commit: last }) => last),
  }
}

function changesBy(plugins: readonly AdmissionPlugin[]): Plan['changes'] {
  if (plugins.some(({ leavesIncomplete }) => leavesIncomplete)) return 'anything'
  return plugins.length > 0 ? 'complete' : 'nothing'
}

function changesOf({ changes, sometimes }: Plan, proposal: Proposal): Plan['changes'] {
  if (changes === 'anything') return changes
  const active = changesBy(sometimes.filter((plugin) => isActive(plugin, proposal)))
  return active === 'nothing' ? changes : active
}

/** Calls the hooks of the mutating phase, and once more where one of them asks for that. */
function mutate(hooks: readonly AdmissionHook[], proposal: Proposal, writer: Writer): void | Promise<void> {
  if (hooks.length === 0) return undefined
  const request = admissionRequest(proposal, writer)
  const waiting = callAll(hooks, request)
  return waiting ? waiting.then(() => mutateAgain(hooks, request)) : mutateAgain(hooks, request)
}

function mutateAgain(hooks: readonly AdmissionHook[], request: AdmissionRequest): void | Promise<void> {
  if (!request.reinvocation?.isRequired) return undefined
  request.reinvocation.isUnderWay = true
  return callAll(hooks, request)
}

function validate(
  plugins: readonly AdmissionPlugin[],
  proposal: Proposal,
  writer: Writer,
): void | Promise<void> {
  const hooks = plugins
    .filter((plugin) => isActive(plugin, proposal))
    .flatMap((plugin) => plugin.validate ?? [])
  return hooks.length === 0 ? undefined : callAll(hooks, admissionRequest(proposal, writer))
}

function commit(
  plugins: readonly AdmissionPlugin[],
  proposal: Proposal,
  writer: Writer,
): (() => void) | undefined {
  const active = plugins.filter((plugin) => isActive(plugin, proposal))
  if (active.length === 0) return undefined
  const request = admissionRequest(proposal, writer)
  const stored = active.flatMap((plugin) => plugin.commit?.(request) ?? [])
  return stored.length === 0 ? undefined : () => stored.forEach((tell) => tell())
}

function isActive(plugin: AdmissionPlugin, proposal: Proposal): boolean {
  return plugin.isActive?.(proposal) ?? true
}

/** Calls the hooks one after the other. Returns a promise only where one of them waits. */
function callAll(hooks: readonly AdmissionHook[], request: AdmissionRequest): void | Promise<void> {
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
