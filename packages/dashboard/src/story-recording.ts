import { apiVersionOf, type AnyKind, type Clock } from '@homeostat/api'
import { Activity, type Controller, type Operator, type Transport } from 'homeostat'
import { namesOf } from './objects/index.ts'
import { OperatorRecording, type ShownOperator } from './operator-recording.ts'
import type { Change, KindName, ShownFinding, StepInWords, StoryStep } from './recording/index.ts'

/** The time between two entries, in milliseconds: in the world of a story the clock stands still while the operator works. */
const SPACING = 100

/** An object as a step names it. */
interface NamedObject extends KindName {
  readonly namespace?: string | undefined
  readonly name: string
}

interface PlayedStep {
  readonly words: StepInWords
  /** The object on which the step acts. A watch may report its change during a later step. */
  readonly object: NamedObject | undefined
  /** The version of the object that the step wrote. Default: the step deleted the object. */
  version?: string | undefined
  /** The number of the last entry before the step, and of the last one before the next step. */
  readonly from: number
  until: number
}

/** A change of an object in the recording. */
interface SeenChange {
  readonly sequence: number
  readonly name: string
  readonly version: string | undefined
  readonly isDeletion: boolean
}

/**
 * Records the story of a finding of `homeostat check` while the checker plays it again. It is the observer of
 * `replayFinding` in `@homeostat/check`.
 */
export class StoryRecording {
  readonly activity = new Activity()
  #finding: ShownFinding | undefined
  readonly #steps: PlayedStep[] = []
  readonly #seen: SeenChange[] = []
  readonly #names = new Map<string, string>()
  #recording: OperatorRecording | undefined
  #shown: ShownOperator | undefined

  storyBegins({
    transport,
    clock,
    operator,
    finding,
  }: {
    readonly transport: Transport
    readonly clock: Clock
    readonly operator: Operator
    readonly finding: ShownFinding
  }): void {
    this.#finding = finding
    const recording = new OperatorRecording({ transport, clock, spacing: SPACING })
    this.#recording = recording
    this.#shown = shownOperator(operator)
    recording.recorder.listen(({ sequence, json }) => {
      const change: Change = JSON.parse(json)
      this.#note(sequence, change)
    })
    recording.operatorStarted(this.#shown)
    recording.follow(this.activity)
  }

  processChanged(isRunning: boolean): void {
    if (!isRunning) this.#recording?.operatorEnded()
    else if (this.#shown) this.#recording?.operatorStarted(this.#shown)
  }

  stepBegins(words: StepInWords, object?: NamedObject): void {
    const from = this.#recording?.recorder.sequence ?? 0
    this.#steps.push({ words, object, from, until: from })
  }

  stepEnds(resourceVersion?: string): void {
    const step = this.#steps.at(-1)
    if (step) step.version = resourceVersion
  }

  async storyEnds(): Promise<void> {
    await this.#recording?.[Symbol.asyncDispose]()
  }

  /** The recording as the page opens it. */
  json(): string {
    if (!this.#recording || !this.#finding) throw new TypeError('the story has not begun')
    return this.#recording.recorder.json({ ...this.#finding, steps: this.#endedSteps() })
  }

  #note(sequence: number, change: Change): void {
    const step = this.#steps.at(-1)
    if (step) step.until = sequence
    if (change.type === 'gone') {
      const name = this.#names.get(change.uid) ?? ''
      this.#seen.push({ sequence, name, version: undefined, isDeletion: true })
    } else if (change.type === 'object') {
      const { apiVersion, kind, metadata } = change.object
      const { uid, namespace, resourceVersion: version, deletionTimestamp } = metadata
      const name = nameOf({ apiVersion, kind, namespace, name: metadata.name })
      this.#names.set(uid, name)
      this.#seen.push({ sequence, name, version, isDeletion: deletionTimestamp !== undefined })
    }
  }

  /** The entry in which the effect of a step on its object is seen. */
  #effectOf({ object, version, from }: PlayedStep): SeenChange | undefined {
    if (!object) return undefined
    const wanted = nameOf(object)
    return this.#seen.find(
      (change) =>
        change.sequence > from &&
        change.name === wanted &&
        (version === undefined ? change.isDeletion : change.version === version),
    )
  }

  #endedSteps(): StoryStep[] {
    let until = 0
    return this.#steps.map((step) => {
      until = Math.max(until, step.until, this.#effectOf(step)?.sequence ?? 0)
      return { ...step.words, until }
    })
  }
}

function nameOf({ apiVersion, kind, namespace = '', name }: NamedObject): string {
  return `${apiVersion} ${kind} ${namespace}/${name}`
}

function shownOperator({ name, controllers }: Operator): ShownOperator {
  return {
    name,
    kinds: controllers.flatMap(({ kind }) => (kind ? [nameOfKind(kind)] : [])),
    owned: namesOf(controllers),
    others: controllers.flatMap(accessedBy),
    controllers: controllers.map((each) => each.name),
  }
}

/** Objects that the operator watches or writes without owning them may be what the story is about. */
function accessedBy({ access, watches }: Controller): KindName[] {
  return [
    ...access.map(({ kind }) => nameOfKind(kind)),
    ...watches.flatMap((watch) => ('kind' in watch ? [nameOfKind(watch.kind)] : [])),
  ]
}

function nameOfKind(kind: AnyKind): KindName {
  return { apiVersion: apiVersionOf(kind), kind: kind.kind }
}
