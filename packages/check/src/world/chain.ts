import { deepEqual, isJsonObject } from '@homeostat/api'
import type { Checkpoint } from '@homeostat/apiserver/testing'
import { type PlainObject, type Step, type Story } from '../stories/index.ts'
import type { CheckedOperator } from './checked-operator.ts'
import { withStableNames, type RandomNames } from './random-names.ts'
import { compare, type State } from './state.ts'
import type { Outcome } from './outcome.ts'
import { World } from './world.ts'
import type { WorldOptions } from './world-options.ts'

/** The beginning of the stories of a chain. */
export interface ChainStart {
  /** Objects that are there before anything else. */
  readonly needs: readonly PlainObject[]
  readonly sample: PlainObject
  /** The state that these lead to by themselves. */
  readonly settled: State
  /** Places in it that differ from run to run. */
  readonly varying: ReadonlySet<string>
  /** Names in it that differ from run to run. */
  readonly names: readonly RandomNames[]
}

/** How far a world has come when a story begins. */
type Begin = 'empty' | 'needs' | 'settled'

/** A beginning that a world can be brought back to. */
interface KnownBegin {
  readonly checkpoint: Checkpoint
  readonly state: State
  /** The sample's; undefined where it does not exist. */
  readonly uid: string | undefined
}

/**
 * Plays stories one after the other in one world, which it brings back in between to where the next story begins. That
 * is many times cheaper than a world for each. A world that cannot be brought back is replaced by a new one. A finding
 * here must be confirmed in a separate world, since earlier stories may have caused it.
 */
export class WorldChain implements AsyncDisposable {
  readonly #operator: CheckedOperator
  readonly #start: ChainStart
  readonly #options: WorldOptions
  #world: World | undefined
  /** The state in which the last story came to rest; undefined where it did not. */
  #rest: State | undefined
  /** The beginnings that the world has had. */
  readonly #checkpoints = new Map<Begin, KnownBegin>()
  readonly #hasFinalizers: boolean
  /** How many worlds it needed. */
  worlds = 0

  constructor(operator: CheckedOperator, start: ChainStart, options: WorldOptions = {}) {
    this.#operator = operator
    this.#start = start
    this.#options = options
    this.#hasFinalizers = [...start.settled.values()].some(({ metadata }) => isFinalized(metadata))
  }

  async play(story: Story): Promise<Outcome> {
    const { needs, sample } = this.#start
    const [begin, from] = beginOf(story, needs, sample)
    const world = await this.#worldAt(begin)
    const outcome = await world.play(story, { from })
    this.#rest = story.at(-1)?.step === 'rest' ? outcome.state : undefined
    // A list that is answered as it was before may still be due.
    if (outcome.failure || world.hasPlannedFault) await this.#giveUp()
    return outcome
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#giveUp()
  }

  async #giveUp(): Promise<void> {
    const world = this.#world
    this.#world = undefined
    this.#rest = undefined
    this.#checkpoints.clear()
    await world?.[Symbol.asyncDispose]()
  }

  async #worldAt(begin: Begin): Promise<World> {
    if (this.#world && (await this.#bringBack(this.#world, begin))) return this.#world
    await this.#giveUp()
    // A finding, with its line of code, comes from a separate world.
    const world = await World.open(this.#operator, { ...this.#options, traces: false })
    this.worlds++
    this.#world = world
    this.#checkpoints.set('empty', { checkpoint: world.checkpoint(), uid: undefined, state: new Map() })
    await this.#bringBack(world, begin)
    return world
  }

  /** Whether the world is now as stories with this beginning need it. */
  async #bringBack(world: World, begin: Begin): Promise<boolean> {
    try {
      const objects = this.#objectsAt(begin)
      const known = this.#checkpoints.get(begin)
      // Objects that the operator has healed by itself need not be restored.
      const rest = begin === 'settled' && world.isCalm ? this.#rest : undefined
      if (known && rest && this.#isSame(known.state, rest)) {
        await world.endFaults()
        return true
      }
      if (known && (await this.#isRestorable(world, begin, known))) {
        await world.restore(known.checkpoint, objects)
        return known.checkpoint.isCurrent || this.#isSame(known.state, await world.state())
      }
      await world.rebuild(objects)
      const state = await world.state()
      const isReached =
        begin === 'needs' ? state.size === objects.length : this.#isSame(this.#baseOf(begin), state)
      if (!isReached) return false
      const uid = await world.uidOf(this.#start.sample)
      this.#checkpoints.set(begin, { checkpoint: world.checkpoint(), uid, state })
      return true
    } catch {
      return false
    }
  }

  /**
   * Whether objects may come and go without requests. Where finalizers end something outside of the server, the sample must still
   * be the same object.
   */
  async #isRestorable(world: World, begin: Begin, { uid }: KnownBegin): Promise<boolean> {
    if (!this.#hasFinalizers) return true
    return begin === 'settled' && uid !== undefined && uid === (await world.uidOf(this.#start.sample))
  }

  #baseOf(begin: Begin): State {
    return begin === 'settled' ? this.#start.settled : new Map()
  }

  #isSame(base: State, state: State): boolean {
    const { varying, names } = this.#start
    return compare(withStableNames(base, names), withStableNames(state, names), varying).length === 0
  }

  #objectsAt(begin: Begin): readonly PlainObject[] {
    const { needs, sample } = this.#start
    if (begin === 'empty') return []
    return begin === 'needs' ? needs : [...needs, sample]
  }
}

/** Where a story may begin, and with which of its steps. */
function beginOf(
  story: Story,
  needs: readonly PlainObject[],
  sample: PlainObject,
): [begin: Begin, from: number] {
  const created = needs.map((object): Step => ({ step: 'create', object }))
  const settled: Story = [...created, { step: 'create', object: sample }, { step: 'rest' }]
  // A story of nothing but this beginning tests the beginning itself.
  if (story.length > settled.length && startsWith(story, settled)) return ['settled', settled.length]
  if (needs.length > 0 && startsWith(story, created)) return ['needs', created.length]
  return ['empty', 0]
}

function startsWith(story: Story, beginning: Story): boolean {
  return beginning.every((step, index) => deepEqual(step, story[index]))
}

function isFinalized(metadata: unknown): boolean {
  return isJsonObject(metadata) && metadata['finalizers'] !== undefined
}
