import { apiVersionOf, type AnyKind, type Clock, type SimulatedClock } from '@homeostat/api'
import { OperatorTest, startSurroundings, type PodBehaviour } from '@homeostat/cluster/testing'
import {
  Activity,
  HomeostatError,
  wrapTransport,
  type Controller,
  type Operator,
  type Transport,
} from 'homeostat'
import * as kinds from 'homeostat/kinds'
import { DisturbedTransport } from '../../../packages/cli/src/dev/operator/disturbed-transport.ts'
import { Gate } from '../../../packages/cli/src/dev/operator/gate.ts'
import { namesOf } from '../../../packages/dashboard/src/objects/index.ts'
import { OperatorRecording, type ShownOperator } from '../../../packages/dashboard/src/operator-recording.ts'
import {
  OPERATOR_ACTIONS,
  type ApiState,
  type OperatorAction,
} from '../../../packages/dashboard/src/recording/index.ts'
import { act, type ActionAnswer } from '../../../packages/dashboard/src/server/actions.ts'

/** How long a write of the operator takes, in milliseconds of simulated time, so that the timeline shows one after the other. */
const WRITE_DURATION = 20
/** The same for the controllers around it, so that the tree is seen to grow. */
const CLUSTER_WRITE_DURATION = 250

/** Workloads get their Pods whatever the operator makes. */
const WORKLOADS = [kinds.Deployment, kinds.ReplicaSet, kinds.StatefulSet, kinds.Job, kinds.CronJob, kinds.Pod]

/** What a user does to the processes of the operator. */
interface Disturbed {
  api: ApiState
  isPaused: boolean
  readonly transports: Set<DisturbedTransport>
  /** Where reconciles wait while the operator is paused. */
  readonly gate: Gate
}

/**
 * An API server, the operator and what a cluster would do around it, under simulated time. What happens is recorded as the page of an
 * operator shows it.
 */
export class World implements AsyncDisposable {
  readonly recording: OperatorRecording
  readonly #test: OperatorTest
  readonly #shown: ShownOperator
  readonly #around = new AbortController()
  readonly #disturbed: Disturbed
  #pods: PodBehaviour = 'ready'

  /** Starts the operator and applies its samples. The function makes an operator for each process. */
  static async start(source: () => Promise<Operator>): Promise<World> {
    const operator = await source()
    let first: Operator | undefined = operator
    const activity = new Activity()
    const gate = new Gate({ isClosed: false, onHeld: () => {} })
    const disturbed: Disturbed = { api: 'normal', isPaused: false, transports: new Set(), gate }
    const test = await OperatorTest.start(
      async () => {
        const made = first ?? (await source())
        first = undefined
        return guardedBy(gate, made)
      },
      {
        logs: false,
        manager: { activity },
        transport: (inner, { clock }) => {
          const transport = new DisturbedTransport(inner, clock)
          transport.state = disturbed.api
          disturbed.transports.add(transport)
          return slowWrites(
            wrapTransport(inner, (request) => transport.send(request)),
            clock,
            WRITE_DURATION,
          )
        },
      },
    )
    const world = new World(test, operator, activity, disturbed)
    try {
      await world.#applySamples(operator)
      return world
    } catch (error) {
      await world[Symbol.asyncDispose]()
      throw error
    }
  }

  private constructor(test: OperatorTest, operator: Operator, activity: Activity, disturbed: Disturbed) {
    this.#test = test
    this.#disturbed = disturbed
    const { clock } = test
    this.recording = new OperatorRecording({ transport: test.transport, clock })
    const { controllers } = operator
    this.#shown = {
      name: operator.name,
      kinds: controllers.flatMap(({ kind }) =>
        kind ? [{ apiVersion: apiVersionOf(kind), kind: kind.kind }] : [],
      ),
      owned: namesOf(controllers),
      controllers: controllers.map(({ name }) => name),
      actions: OPERATOR_ACTIONS,
    }
    this.recording.operatorStarted(this.#shown)
    this.recording.follow(activity)
    startSurroundings(test.environment, {
      kinds: [...kindsOf(operator), ...WORKLOADS],
      pods: () => this.#pods,
      signal: this.#around.signal,
      transport: (inner) => slowWrites(inner, clock, CLUSTER_WRITE_DURATION),
    })
  }

  get clock(): SimulatedClock {
    return this.#test.clock
  }

  /** How Pods behave from now on. Those that exist are looked at again when something changes. */
  set pods(behaviour: PodBehaviour) {
    this.#pods = behaviour
  }

  /** Lets time pass, and all work that falls due meanwhile. */
  async advance(milliseconds: number): Promise<void> {
    await this.#test.advance(milliseconds)
  }

  /** Does what the page asks for: changes an object, or does something to the operator. */
  async act(action: string, body: object): Promise<ActionAnswer> {
    const { client } = this.recording
    const viewer = {
      canWrite: true,
      isAllowed: () => Promise.resolve(true),
      withClient: <T>(use: (given: typeof client) => Promise<T>): Promise<T> => use(client),
    }
    return act(action, body, { viewer, operator: (name) => this.#disturb(name) })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#around.abort()
    this.#test.kill()
    await this.recording[Symbol.asyncDispose]()
    await this.#test.close().catch(() => {})
  }

  async #disturb(action: OperatorAction): Promise<void> {
    if (action === 'crash' || action === 'restart') {
      this.recording.operatorEnded()
      await (action === 'crash' ? this.#test.crash() : this.#restart())
      this.recording.operatorStarted(this.#shown)
      return
    }
    const { gate, transports } = this.#disturbed
    if (action === 'step') {
      gate.step()
      return
    }
    if (action === 'pause' || action === 'resume') {
      this.#disturbed.isPaused = action === 'pause'
      if (action === 'pause') gate.close()
      else gate.open()
    } else {
      const api = action.slice('api-'.length) as ApiState
      this.#disturbed.api = api
      for (const transport of transports) transport.state = api
    }
    const { isPaused, api } = this.#disturbed
    this.recording.operatorDisturbed({ isPaused, api })
  }

  async #restart(): Promise<void> {
    try {
      await this.#test.restart()
    } catch (error) {
      // An API that is slow or failing answers the first lists later: the operator is synced in time.
      if (!(error instanceof HomeostatError) || error.code !== 'OPERATOR_NOT_SYNCED') throw error
    }
  }

  async #applySamples({ samples, name }: Operator): Promise<void> {
    const { client } = this.#test
    for (const sample of samples) {
      const kind = await client.kinds.find(sample.apiVersion, sample.kind)
      if (!kind) {
        throw new HomeostatError(
          'KIND_NOT_SERVED',
          `the sample ${sample.kind} ${sample.metadata.name ?? ''} of the operator ${name} is of ${sample.apiVersion}, which the server does not serve: add the kind to the operator's kinds`,
        )
      }
      await client.apply(kind, { ...sample })
    }
  }
}

/** A copy of the operator whose reconciles wait at the gate. It keeps what makes it an operator. */
function guardedBy(gate: Gate, operator: Operator): Operator {
  const controllers = operator.controllers.map((each) => gate.guard(each))
  const all = Object.getOwnPropertyDescriptors(operator)
  return Object.defineProperties(
    {},
    { ...all, controllers: { ...all.controllers, value: controllers } },
  ) as Operator
}

/** Requests that write take a while. */
function slowWrites(inner: Transport, clock: Clock, duration: number): Transport {
  return wrapTransport(inner, async (request) => {
    if (request.method !== 'GET') {
      using _ = request.waiting?.pause()
      await clock.sleep(duration, { signal: request.signal })
    }
    return inner.send(request)
  })
}

/** The operator's own kinds, and those that its controllers watch, read and write. */
function kindsOf({ kinds: own, controllers }: Operator): AnyKind[] {
  return [...own, ...controllers.flatMap(accessedBy)]
}

function accessedBy({ access, watches }: Controller): AnyKind[] {
  return [
    ...access.map(({ kind }) => kind),
    ...watches.flatMap((watch) => ('kind' in watch ? [watch.kind] : [])),
  ]
}
