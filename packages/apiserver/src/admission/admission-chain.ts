import type { Admission, Operation, Proposal, Resource } from '../registry/index.ts'
import type { AdmissionPhase, PluginPhase, ServerMetrics } from '../metrics/index.ts'
import { admissionRequest, type AdmissionRequest, type Writer } from './admission-request.ts'

/** May change the object of a write, warn its client, or reject the write. */
export type AdmissionHook = (request: AdmissionRequest) => void | Promise<void>

/**
 * A plugin that may change or reject writes. Each phase may wait, for example for an answer over the network. The
 * write holds no lock meanwhile, and calls the plugins again if another write came first.
 */
export interface AdmissionPlugin {
  /** How metrics count it. Default: not at all. */
  readonly counted?: CountedPlugin
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

/** A plugin of Kubernetes, as metrics count it: it is called for all resources, also those that do not concern it. */
export interface CountedPlugin {
  readonly name: string
  /** The operations in which it has the mutating phase. Default: none. */
  readonly admit?: readonly Operation[]
  /** The operations in which it has the validating phase. Default: none. */
  readonly validate?: readonly Operation[]
}

/** One plugin in one phase of a plan. */
interface Step {
  readonly plugin: AdmissionPlugin
  /** Undefined where the plugin is only counted. */
  readonly hook: AdmissionHook | undefined
  readonly counts: PluginPhase | undefined
}

/** The hooks for one operation on one resource, in order. */
interface Plan {
  /** The plugins that change objects only while they are active. */
  readonly sometimes: readonly AdmissionPlugin[]
  /** How the other plugins change objects. */
  readonly changes: ReturnType<Admission['changes']>
  readonly admit: readonly Step[]
  readonly validate: readonly Step[]
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
        this.#timed('admit', proposal, () =>
          mutate(new Steps(this.#planFor(proposal).admit, proposal, writer, this.#metrics)),
        ),
      validate: (proposal) =>
        this.#timed('validate', proposal, () =>
          new Steps(this.#planFor(proposal).validate, proposal, writer, this.#metrics).run(),
        ),
      commit: (proposal) => commit(this.#planFor(proposal).commit, proposal, writer),
    }
  }

  /** Counts how long a phase of a write takes, and whether it rejects the write. */
  #timed(
    phase: AdmissionPhase,
    { operation }: Proposal,
    run: () => void | Promise<void>,
  ): void | Promise<void> {
    const metrics = this.#metrics
    if (!metrics) return run()
    const begin = metrics.seconds()
    const count = (rejected: 'true' | 'false'): void =>
      metrics.admission.steps.of(operation, rejected, phase).observe(metrics.seconds() - begin)
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
      plans.set(key, (plan = planOf(this.#plugins, { resource, operation, submitted }, this.#metrics)))
    }
    return plan
  }
}

function planOf(
  all: readonly AdmissionPlugin[],
  { resource, operation, submitted }: Pick<Proposal, 'resource' | 'operation' | 'submitted'>,
  metrics: ServerMetrics | undefined,
): Plan {
  const key = `${resource.group}/${resource.plural}`
  const concerned = (plugin: AdmissionPlugin): boolean =>
    isFor(plugin, key, operation) && (!submitted || plugin.submissions === true)
  const plugins = all.filter(concerned)
  const stepsOf = (from: readonly AdmissionPlugin[], phase: AdmissionPhase): readonly Step[] =>
    from.flatMap((plugin) => {
      const hook = concerned(plugin) ? plugin[phase] : undefined
      const isCounted = plugin.counted?.[phase]?.includes(operation) ?? false
      const counts = isCounted
        ? metrics?.admission.plugin(plugin.counted?.name ?? '', operation, phase)
        : undefined
      return hook || counts ? [{ plugin, hook, counts }] : []
    })
  const changing = plugins.filter(({ admit, changes }) => admit && (changes?.includes(operation) ?? true))
  return {
    sometimes: changing.filter((plugin) => plugin.isActive),
    changes: changesBy(changing.filter((plugin) => !plugin.isActive)),
    admit: stepsOf(all, 'admit'),
    validate: stepsOf(all, 'validate'),
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
function mutate(steps: Steps): void | Promise<void> {
  const waiting = steps.run()
  return waiting ? waiting.then(() => mutateAgain(steps)) : mutateAgain(steps)
}

function mutateAgain(steps: Steps): void | Promise<void> {
  const { reinvocation } = steps
  if (!reinvocation?.isRequired) return undefined
  reinvocation.isUnderWay = true
  return steps.run()
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

/** Calls the hooks of one phase of a write, and counts what they take. */
class Steps {
  readonly #steps: readonly Step[]
  readonly #proposal: Proposal
  readonly #writer: Writer
  readonly #metrics: ServerMetrics | undefined
  #request: AdmissionRequest | undefined

  constructor(
    steps: readonly Step[],
    proposal: Proposal,
    writer: Writer,
    metrics: ServerMetrics | undefined,
  ) {
    this.#steps = steps
    this.#proposal = proposal
    this.#writer = writer
    this.#metrics = metrics
  }

  get reinvocation(): AdmissionRequest['reinvocation'] {
    return this.#request?.reinvocation
  }

  /** Calls the hooks one after the other, beginning with `from`. Returns a promise only where one of them waits. */
  run(from = 0): void | Promise<void> {
    for (let index = from; index < this.#steps.length; index++) {
      const step = this.#steps[index]
      const waiting = step && this.#call(step)
      if (waiting) return waiting.then(() => this.run(index + 1))
    }
    return undefined
  }

  #call({ plugin, hook, counts }: Step): void | Promise<void> {
    if (!hook || !isActive(plugin, this.#proposal)) return counts?.passed.observe(0)
    // Most writes concern no plugin. This one concerns a plugin, so that the request is needed.
    const request = (this.#request ??= admissionRequest(this.#proposal, this.#writer))
    return counts && this.#metrics ? timed(hook, request, counts, this.#metrics) : hook(request)
  }
}

function timed(
  hook: AdmissionHook,
  request: AdmissionRequest,
  { passed, rejected }: PluginPhase,
  metrics: ServerMetrics,
): void | Promise<void> {
  const begin = metrics.seconds()
  const failed = (error: unknown): never => {
    rejected().observe(metrics.seconds() - begin)
    throw error
  }
  try {
    const waiting = hook(request)
    if (waiting) return waiting.then(() => passed.observe(metrics.seconds() - begin), failed)
  } catch (error) {
    return failed(error)
  }
  return passed.observe(metrics.seconds() - begin)
}

function isFor({ resources, operations }: AdmissionPlugin, resource: string, operation: Operation): boolean {
  return (resources?.includes(resource) ?? true) && (operations?.includes(operation) ?? true)
}
