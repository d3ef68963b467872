import { checkOptionNames, HomeostatError, optionNames, type AnyKind } from '@homeostat/api'
import type { ClusterConnection } from '../cluster/index.ts'
import type { Controller } from '../controller/index.ts'
import {
  checkManagerOptions,
  type ManagerOptions,
  type Runnable,
  type RunnableOptions,
  type WebhooksOptions,
} from '../manager/index.ts'
import type { HealthCheck } from '../pages/index.ts'
import type { Webhook } from '../webhook/index.ts'
import { operatorKinds } from './operator-kinds.ts'
import type { SampleObject } from './sample.ts'

/**
 * The manager options that an operator sets. Options that depend on the process, such as a transport or a clock,
 * are given to `run`.
 */
export type OperatorManagerOptions = Omit<
  ManagerOptions,
  'config' | 'transport' | 'clock' | 'logger' | 'onReconcile' | 'onCallbackFailure' | 'serveWebhooks'
>

/** Work that belongs to the process rather than to an object, with its name and how it runs. */
export interface OperatorRunnable extends RunnableOptions {
  /** The field manager of its writes: differs from the names of the controllers. */
  readonly name: string
  readonly run: Runnable
}

/** The parts of an operator. */
export interface OperatorOptions {
  /** Default: none. */
  readonly controllers?: readonly Controller[] | undefined
  /**
   * The operator's own kinds: its manifests define them. Several versions of a kind become one definition, which stores the
   * last of them unless a conversion names another. Default: the kinds made by `defineKind` that its controllers are `for`. The
   * versions of its conversions are added to them.
   */
  readonly kinds?: readonly AnyKind[] | undefined
  /** Webhooks, made with `admission`, `conversion` or `authentication`. Default: none. */
  readonly webhooks?: readonly Webhook[] | undefined
  /** Where the webhooks are served, and with which certificate. Default: the defaults of `manager.addWebhooks`. */
  readonly webhookServer?: WebhooksOptions | undefined
  /** Servers, pollers, work to do once: `{ name: 'server', run: serve, needLeaderElection: false }`. Default: none. */
  readonly runnables?: readonly OperatorRunnable[] | undefined
  /** Objects to try the operator with, in the order in which they are created: `sample(Kind, object)`. Default: none. */
  readonly samples?: readonly SampleObject[] | undefined
  /** Further clusters. They belong to one process: give a function that makes the operator. Default: none. */
  readonly clusters?: readonly ClusterConnection[] | undefined
  /** Checks of `/healthz` by name: if one fails, the kubelet restarts the container. Default: none. */
  readonly healthChecks?: Readonly<Record<string, HealthCheck>> | undefined
  /** Checks of `/readyz` by name: if one fails, the Pod gets no traffic. Default: none. */
  readonly readyChecks?: Readonly<Record<string, HealthCheck>> | undefined
  /** How its manager runs, on every cluster: its cache, its pages, options for all controllers. Default: nothing. */
  readonly manager?: OperatorManagerOptions | undefined
}

/**
 * An operator as a value: everything that it consists of. It does nothing until something runs it: `run` in production,
 * `OperatorTest` in a test, or a local cluster. Manifests are made from the same value.
 */
export interface Operator {
  /** Names its Lease, its account and its namespace. */
  readonly name: string
  readonly kinds: readonly AnyKind[]
  readonly controllers: readonly Controller[]
  readonly webhooks: readonly Webhook[]
  readonly webhookServer: WebhooksOptions | undefined
  readonly runnables: readonly OperatorRunnable[]
  readonly samples: readonly SampleObject[]
  readonly clusters: readonly ClusterConnection[]
  readonly healthChecks: Readonly<Record<string, HealthCheck>>
  readonly readyChecks: Readonly<Record<string, HealthCheck>>
  readonly manager: OperatorManagerOptions
}

/**
 * An operator, or a function that makes one. A function is called once for each process, so that state such as a connection
 * or a map belongs to that process.
 */
export type OperatorSource = Operator | (() => Operator | Promise<Operator>)

const OPTIONS = optionNames<OperatorOptions>(
  'operator',
  {
    controllers: true,
    kinds: true,
    webhooks: true,
    webhookServer: true,
    runnables: true,
    samples: true,
    clusters: true,
    healthChecks: true,
    readyChecks: true,
    manager: true,
  },
  {
    controller: 'use controllers: [controller]',
    leaderElection: 'use manager: { leaderElection }; in a Pod, run elects a leader without it',
    cache: 'use manager: { cache }',
  },
)
const RUNNABLE = optionNames<OperatorRunnable>('a runnable of operator', {
  name: true,
  run: true,
  needLeaderElection: true,
  access: true,
  rules: true,
})

/** Its namespace is `<name>-system`, which may have 63 characters. */
const LONGEST_NAME = 56
const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/
/** Marks values that `operator` created, even when two copies of this package are loaded. */
const OPERATOR = Symbol.for('homeostat.operator')

/**
 * Creates an operator. Throws a `HomeostatError` with code `OPERATOR_INVALID` for a name that no Kubernetes object
 * can have, and `CONTROLLER_NAME_TAKEN` where two controllers or runnables have the same name.
 */
export function operator(name: string, options: OperatorOptions): Operator {
  checkOptionNames(options, OPTIONS)
  if (name.length > LONGEST_NAME || !DNS_LABEL.test(name)) {
    throw new HomeostatError(
      'OPERATOR_INVALID',
      `an operator cannot be named ${JSON.stringify(name)}: its Lease, account and namespace get the name, so use at most ${LONGEST_NAME} lower-case letters, digits and hyphens, such as markdown-view`,
    )
  }
  const { controllers = [], webhooks = [], runnables = [], samples = [], clusters = [] } = options
  for (const runnable of runnables) checkOptionNames(runnable, RUNNABLE)
  if (options.manager) checkManagerOptions(options.manager)
  const taken = new Set<string>()
  for (const each of [...controllers, ...runnables]) {
    if (taken.has(each.name)) {
      throw new HomeostatError(
        'CONTROLLER_NAME_TAKEN',
        `two controllers or runnables of the operator ${name} are named ${each.name}: the name is the field manager of their writes, so rename one of them`,
      )
    }
    taken.add(each.name)
  }
  const made: Operator = {
    name,
    kinds: operatorKinds(options),
    controllers,
    webhooks,
    webhookServer: options.webhookServer,
    runnables,
    samples,
    clusters,
    healthChecks: options.healthChecks ?? {},
    readyChecks: options.readyChecks ?? {},
    manager: options.manager ?? {},
  }
  return Object.freeze(Object.defineProperty(made, OPERATOR, { value: true }))
}

/** Whether `operator` created the value. */
export function isOperator(value: unknown): value is Operator {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, OPERATOR)
}

/**
 * The operator itself, for one process: calls a function that makes it. Throws a `HomeostatError` with code `OPERATOR_INVALID`
 * for any other value.
 */
export async function resolveOperator(source: OperatorSource): Promise<Operator> {
  const value: unknown = typeof source === 'function' ? await source() : source
  if (isOperator(value)) return value
  throw new HomeostatError(
    'OPERATOR_INVALID',
    `expected an operator, but got ${describe(value)}: give what operator('name', { controllers }) returns, or a function that returns it`,
  )
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value)
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`
}
