import type { Clock } from '@homeostat/api'
import type { Operator, OperatorSource, Transport } from 'homeostat'
import type { Finding } from './judgements/index.ts'
import { toldFinding, type ToldFinding } from './report/index.ts'
import { referenceTo, type ObjectReference, type Step, type StepInWords } from './stories/index.ts'
import { checkedOperator, World, type CheckedOperator, type WorldObserver } from './world/index.ts'

/** Sees a story while it is played. */
export interface StoryObserver extends WorldObserver {
  /** The operator runs, in a world with nothing else in it. */
  storyBegins(story: ObservedStory): void
  /** A step begins. `object` names the object that the step itself creates, changes or deletes. */
  stepBegins(step: StepInWords, object?: ObjectReference): void
  /** The step is over. `resourceVersion` is the version of the object that the step wrote. */
  stepEnds(resourceVersion?: string): void
  /** The last step is over. The world is gone when the result resolves. */
  storyEnds(): Promise<void>
}

/** A story, as its observer sees it. */
export interface ObservedStory {
  /** Carries requests on which no fault of the story acts. */
  readonly transport: Transport
  readonly clock: Clock
  readonly operator: Operator
  readonly finding: ToldFinding
}

/**
 * Plays the story of a finding again, step by step, while an observer watches. `operator` is the operator, or the URL of
 * the module that exports it by default.
 */
export async function replayFinding(
  operator: OperatorSource | URL,
  finding: Finding,
  observer: StoryObserver,
): Promise<void> {
  const checked = await (operator instanceof URL ? checkedModule(operator) : checkedOperator(operator))
  const { story } = finding
  const told = toldFinding(finding)
  await using world = await World.open(checked, { rights: rightsOf(finding), observer })
  const { transport, clock } = world
  observer.storyBegins({ transport, clock, operator: checked.operator, finding: told })
  // The observer's watches are open before anything happens.
  await world.settle()
  const onStep = (index: number): void => {
    const [step, words] = [story[index], told.steps[index]]
    if (step && words) observer.stepBegins(words, objectOf(step))
  }
  await world.play(story, { onStep, onStepEnd: (version) => observer.stepEnds(version) })
  await observer.storyEnds()
}

async function checkedModule(url: URL): Promise<CheckedOperator> {
  // Only here, so that an operator of this program needs nothing of Node.
  const { loadModule } = await import('./run/load-module.ts')
  const { source, declared } = await loadModule(url.href)
  return checkedOperator(source, declared)
}

/** The rights with which the checker played the story. */
function rightsOf({ class: found, expects }: Finding): 'declared' | 'all' {
  return found === 'right-not-declared' || expects?.type === 'allowed' ? 'declared' : 'all'
}

/** The object on which a step acts. A step that the server may refuse has none. */
function objectOf(step: Step): ObjectReference | undefined {
  switch (step.step) {
    case 'create':
      return referenceTo(step.object)
    case 'change':
      return step.mayBeRefused ? undefined : referenceTo(step.object)
    case 'delete':
    case 'remove':
    case 'edit':
      return step.object
    default:
      return undefined
  }
}
