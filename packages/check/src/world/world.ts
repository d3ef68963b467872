import { HomeostatError, type AnyKind, type Clock } from '@homeostat/api'
import type { Checkpoint } from '@homeostat/apiserver/testing'
import {
  OperatorTest,
  startSurroundings,
  type PodBehaviour,
  type WatchHold,
} from '@homeostat/cluster/testing'
import type { Transport } from 'homeostat'
import {
  nameOf,
  referenceTo,
  REST_DURATION,
  type ObjectReference,
  type PlainObject,
  type Step,
  type Story,
} from '../stories/index.ts'
import type { CheckedOperator } from './checked-operator.ts'
import { InvariantWatch, type ExternalSystem } from './declared-parts.ts'
import { OperatorRequests } from './operator-requests.ts'
import { NATIVE_KINDS } from './native-kinds.ts'
import { quietWatches } from './quiet-watches.ts'
import type { Outcome } from './outcome.ts'
import { kindNamed, readObject, stateOf, type State } from './state.ts'
import { StepRefused, StoryUser } from './story-user.ts'
import { workOfPresentProcess } from './work-of-present-process.ts'
import type { PlayOptions, StoryOptions, WorldObserver, WorldOptions } from './world-options.ts'

/** Plays a story in a new world. */
export async function play(
  checked: CheckedOperator,
  story: Story,
  options: PlayOptions = {},
): Promise<Outcome> {
  await using world = await World.open(checked, options)
  return await world.play(story, options)
}

/** An API server, the operator, and what a cluster would do around it. */
export class World implements AsyncDisposable {
  readonly #test: OperatorTest
  readonly #requests: OperatorRequests
  readonly #user: StoryUser
  readonly #own: readonly AnyKind[]
  /** All kinds whose objects a story may name. */
  readonly #kinds: readonly AnyKind[]
  readonly #stop = new AbortController()
  readonly #holds = new Map<string, WatchHold>()
  /** Objects that the story created. */
  readonly #created = new Map<string, ObjectReference>()
  readonly #invariants: InvariantWatch
  readonly #external: readonly ExternalSystem[]
  #externalAtStart: State = new Map()
  readonly #staleLists: { readonly happened: boolean }[] = []
  readonly #observer: WorldObserver | undefined
  #pods: PodBehaviour = 'ready'
  #isStopped = false
  #noted: State | undefined

  /** A world with nothing in it but the operator, which runs. */
  static async open(checked: CheckedOperator, options: WorldOptions = {}): Promise<World> {
    const requests = new OperatorRequests(
      { crash: () => world.#crash(), kill: () => world.#kill() },
      () => test.clock,
      options.traces ?? true,
    )
    const { observer } = options
    const test = await OperatorTest.start(checked.source, {
      logs: false,
      rights: options.rights ?? 'all',
      transport: (inner) => requests.wrap(quietWatches(inner)),
      ...(observer && { manager: { activity: observer.activity } }),
    })
    for (const system of checked.external) await system.reset()
    const { variation = 0 } = options
    for (let times = 0; times < variation; times++) test.clock.random()
    if (variation > 0) test.clock.jumpTo(`2026-01-02T0${variation % 10}:34:56Z`)
    const world = new World(test, requests, checked, observer)
    world.#externalAtStart = world.#stateOf(await world.#readExternal())
    return world
  }

  private constructor(
    test: OperatorTest,
    requests: OperatorRequests,
    checked: CheckedOperator,
    observer: WorldObserver | undefined,
  ) {
    const { operator, own, kinds, invariants, external } = checked
    this.#invariants = new InvariantWatch(invariants, test.environment.server.registry)
    this.#external = external
    this.#test = test
    this.#requests = requests
    this.#observer = observer
    this.#own = own
    this.#kinds = [...kinds, ...NATIVE_KINDS]
    this.#user = new StoryUser(test.environment, this.#kinds)
    const { signal } = this.#stop
    startSurroundings(test.environment, {
      kinds,
      pods: () => this.#pods,
      without: operator.controllers.map(({ name }) => name),
      signal,
      transport: quietWatches,
    })
  }

  /**
   * Plays a story from its first step, or from a later one where the world is already as the steps before leave it. The outcome
   * covers the steps that were played.
   */
  async play(story: Story, options: StoryOptions = {}): Promise<Outcome> {
    const { restartAtEnd = false, from = 0, onStep, onStepEnd } = options
    let failure: Outcome['failure']
    let refusal: Outcome['refusal']
    let step = from
    this.#requests.reset()
    this.#invariants.take()
    this.#noted = undefined
    const reportsBefore = this.#test.reports.length
    try {
      for (; step < story.length; step++) {
        this.#requests.step = step
        this.#user.takeVersion()
        onStep?.(step)
        await this.#take(story[step]!)
        onStepEnd?.(this.#user.takeVersion())
        this.#requests.throwEndless()
      }
    } catch (error) {
      if (error instanceof StepRefused) refusal = { message: error.message, step }
      else if (error instanceof HomeostatError) failure = { code: error.code, message: error.message, step }
      else throw error
    }
    const references = this.#references()
    const violation = this.#invariants.take()
    const objects = [...(await this.#read(references)), ...(await this.#readExternal())]
    const state = this.#stateOf(objects)
    const { length: sentInStory } = this.#requests.sent
    const isRestarted = restartAtEnd && !failure && !refusal
    const waitedForWork = isRestarted ? await workOfPresentProcess(this.#test) : 0
    const { length: sentBefore } = this.#requests.sent
    const changedByRestart = isRestarted ? await this.#changedByRestart(references) : []
    const { sent, written, faults } = this.#requests
    const sentByRestart = sent.slice(sentBefore)
    const isSettledByRestart = changedByRestart.length > 0 && (await this.#isSettledByRestart())
    return {
      state,
      objects,
      requests: sent.slice(0, sentInStory),
      written,
      reports: this.#test.reports.slice(reportsBefore),
      failure,
      refusal,
      faults,
      violation,
      noted: this.#noted,
      externalAtStart: this.#externalAtStart,
      waitedForWork,
      changedByRestart,
      isSettledByRestart,
      sentByRestart,
    }
  }

  /** Carries requests of an observer, on which no fault of a story acts. */
  get transport(): Transport {
    return quietWatches(this.#test.transport)
  }

  get clock(): Clock {
    return this.#test.clock
  }

  /** Lets work under way end, without time passing. */
  async settle(): Promise<void> {
    await this.#test.settle()
  }

  /** Whether a list is still to be answered as it was before. */
  get hasPlannedFault(): boolean {
    return this.#staleLists.some(({ happened }) => !happened)
  }

  /** The state of everything that the operator wrote or the story created. */
  async state(): Promise<State> {
    return this.#stateOf(await this.#read(this.#references()))
  }

  /** Remembers the objects as they are now. */
  checkpoint(): Checkpoint {
    return this.#test.environment.checkpoint()
  }

  /**
   * Ends the faults of a story, and restores the objects of a checkpoint without requests. It keeps only `objects` of
   * those that stories created. The operator sees the changes as events.
   */
  async restore(checkpoint: Checkpoint, objects: readonly PlainObject[]): Promise<void> {
    await this.endFaults()
    this.#created.clear()
    for (const object of objects) this.#created.set(nameOf(object), referenceTo(object))
    checkpoint.restore()
    await this.#test.settle()
    await this.#requests.whenRestarted()
  }

  /**
   * Ends the faults of a story. Then deletes, changes and creates objects as a user does, until only `objects` are left of
   * those that stories created. Unlike `restore`, it runs finalizers.
   */
  async rebuild(objects: readonly PlainObject[]): Promise<void> {
    await this.endFaults()
    const kept = new Set(objects.map((object) => nameOf(object)))
    for (const [name, reference] of this.#created) {
      if (kept.has(name)) continue
      await this.#take({ step: 'delete', object: reference })
      this.#created.delete(name)
    }
    for (const object of objects) {
      const current = await readObject(this.#test.environment, this.#kinds, referenceTo(object))
      await this.#take({ step: current ? 'change' : 'create', object })
    }
    await this.#rest()
  }

  /** The uid of an object, unless it is gone or being deleted. */
  async uidOf(object: PlainObject): Promise<string | undefined> {
    const current = await readObject(this.#test.environment, this.#kinds, referenceTo(object))
    return current?.metadata.deletionTimestamp === undefined ? current?.metadata.uid : undefined
  }

  /** Whether the operator runs, hears all events, and Pods are ready. */
  get isCalm(): boolean {
    return this.#holds.size === 0 && !this.#isStopped && this.#pods === 'ready'
  }

  /** Ends the faults of a story: caches catch up, Pods are ready, and the operator runs. */
  async endFaults(): Promise<void> {
    for (const kind of this.#holds.keys()) await this.#take({ step: 'release', kind })
    this.#requests.reset()
    this.#pods = 'ready'
    if (this.#isStopped) await this.#take({ step: 'start' })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const hold of this.#holds.values()) hold.release()
    this.#stop.abort()
    this.#test.kill()
    await this.#test.close().catch(() => {})
  }

  async #take(step: Step): Promise<void> {
    switch (step.step) {
      case 'create':
        await this.#user.create(step)
        this.#created.set(nameOf(step.object), referenceTo(step.object))
        return
      case 'change':
        return this.#user.change(step.object).catch((error: unknown) => {
          if (!(error instanceof StepRefused) || !step.mayBeRefused) throw error
        })
      case 'delete':
      case 'remove':
        return this.#user.delete(step.object)
      case 'edit':
        return this.#user.edit(step)
      case 'repeat':
        return this.#repeat(step)
      case 'rest':
        return this.#rest()
      case 'wait':
        return this.#test.advance(step.duration)
      case 'stop':
        this.#isStopped = true
        await this.#test.stop()
        this.#observer?.processChanged(false)
        return
      case 'start':
        return this.#startOperator()
      case 'crash':
      case 'fail':
      case 'slow':
        return this.#requests.arm(step)
      case 'hold':
        this.#hold(step.kind)
        return
      case 'stale':
        await this.#stale(step.kind)
        return
      case 'release':
        this.#holds.get(step.kind)?.release()
        this.#holds.delete(step.kind)
        return
      case 'note':
        this.#noted = await this.state()
        return
      case 'pods':
        this.#pods = step.behaviour
    }
  }

  async #repeat({ times, steps }: Extract<Step, { step: 'repeat' }>): Promise<void> {
    for (let time = 0; time < times; time++) for (const one of steps) await this.#take(one)
  }

  #kill(): void {
    this.#isStopped = true
    this.#test.kill()
    this.#observer?.processChanged(false)
  }

  /** Ends the process at once. Resolves when the next one has started. */
  #crash(): Promise<void> {
    const started = this.#test.crash()
    this.#observer?.processChanged(false)
    this.#observer?.processChanged(true)
    return started
  }

  async #startOperator(): Promise<void> {
    // No start would follow on a crash that is still to come.
    if (this.#requests.willKill && !this.#isStopped) throw new StepRefused('the operator has not crashed yet')
    if (!this.#isStopped) return
    this.#isStopped = false
    this.#observer?.processChanged(true)
    try {
      await this.#test.start()
    } catch (error) {
      // A first list that the story lets fail is repeated later.
      const isLate = error instanceof HomeostatError && error.code === 'OPERATOR_NOT_SYNCED'
      if (!isLate || this.#requests.faults === 0) throw error
    }
  }

  #hold(name: string): void {
    const kind = this.#kinds.find((one) => one.kind === name)
    if (kind) this.#holds.set(name, this.#test.faults.holdWatch(kind))
  }

  async #stale(name: string): Promise<void> {
    const kind = this.#kinds.find((one) => one.kind === name)
    if (kind) this.#staleLists.push(await this.#test.faults.staleList(kind))
  }

  async #rest(): Promise<void> {
    await this.#test.settle()
    await this.#requests.whenRestarted()
    await this.#test.advance(REST_DURATION)
  }

  #references(): ObjectReference[] {
    const all = new Map(this.#created)
    for (const { apiVersion, kind, namespace, name } of this.#requests.written) {
      const reference = { apiVersion, kind, namespace, name }
      if (!all.has(nameOf(reference))) all.set(nameOf(reference), reference)
    }
    return [...all.values()]
  }

  /** External systems, in the form of objects. */
  async #readExternal(): Promise<any[]> {
    const objects = []
    for (const system of this.#external) {
      const content: unknown = await system.read()
      objects.push({ apiVersion: 'external', kind: 'external', metadata: { name: system.name }, content })
    }
    return objects
  }

  async #read(references: readonly ObjectReference[]): Promise<any[]> {
    const objects = []
    for (const reference of references) {
      const object = await readObject(this.#test.environment, this.#kinds, reference)
      if (object) objects.push(object)
    }
    return objects
  }

  #stateOf(objects: readonly any[]): State {
    return stateOf(objects, (object) => kindNamed(this.#own, object) !== undefined)
  }

  /** Whether a new process changes nothing, some time after the last one. */
  async #isSettledByRestart(): Promise<boolean> {
    await this.#test.advance('1m')
    return (await this.#changedByRestart(this.#references())).length === 0
  }

  /** The objects that a new process writes although nothing has changed. */
  async #changedByRestart(references: readonly ObjectReference[]): Promise<ObjectReference[]> {
    const before = await this.#read(references)
    await this.#test.restart()
    const versions = new Map(before.map((object) => [object.metadata.uid, object.metadata.resourceVersion]))
    const after = await this.#read([...references, ...this.#references()])
    const changed = after.filter(({ metadata }) => versions.get(metadata.uid) !== metadata.resourceVersion)
    return [...new Map(changed.map((object) => [nameOf(object), referenceTo(object)])).values()]
  }
}
