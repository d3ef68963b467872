import type { RequestFailure, Story } from './story.ts'
import { tellStory, type ToldStep } from './tell-story.ts'

/** A step as a line of text, and as data. */
export interface StepInWords {
  readonly text: string
  readonly told: ToldStep
}

/** A story as a person tells it: one line for each step. `beside` is as in `tellStory`. */
export function describeStory(story: Story, beside: Story = []): string[] {
  return tellStory(story, beside).map(describeStep)
}

/** The lines of a story, each with the same as data. */
export function storyInWords(story: Story, beside: Story = []): StepInWords[] {
  return tellStory(story, beside).map((told) => ({ text: describeStep(told), told }))
}

function describeStep(step: ToldStep): string {
  switch (step.step) {
    case 'create':
      if (step.owner !== undefined)
        return `another controller creates the ${step.object}, which belongs to its ${step.owner}`
      return step.content === undefined
        ? `the user creates the ${step.object}`
        : `the user creates the ${step.object} as ${JSON.stringify(step.content)}`
    case 'change':
      return `the user changes the ${step.object} to ${JSON.stringify(step.content)}`
    case 'delete':
      return `the user deletes the ${step.object}`
    case 'remove':
      return `another client deletes the ${step.object}`
    case 'edit':
      return step.value === undefined
        ? `another client removes ${step.path} of the ${step.object}`
        : `another client sets ${step.path} of the ${step.object} to ${JSON.stringify(step.value)}`
    case 'repeat':
      return `${step.times} times: ${step.steps.map(describeStep).join(', then ')}`
    case 'rest':
      return 'the operator runs until it has nothing left to do'
    case 'wait':
      return `${step.duration} pass`
    case 'stop':
      return 'the operator is stopped'
    case 'start':
      return 'the operator is started'
    case 'crash':
      return `the operator is killed at request ${step.request} from here, ${step.moment === 'before' ? 'before it is sent' : 'after the server carried it out'}, ${step.staysDown ? 'and stays down' : 'and starts again'}`
    case 'fail':
      return `request ${step.request} of the operator from here fails: ${FAILURES[step.failure]}`
    case 'slow':
      return `request ${step.request} of the operator from here takes half a minute to reach the server`
    case 'hold':
      return `the operator’s cache stops hearing of ${step.kind} objects`
    case 'stale':
      return `the next process of the operator first sees ${step.kind} objects as they are now`
    case 'release':
      return `the operator’s cache hears what it missed of ${step.kind} objects`
    case 'note':
      return 'the state is noted'
    case 'pods':
      return PODS[step.behaviour]
  }
}

const FAILURES: Readonly<Record<RequestFailure, string>> = {
  409: 'the server answers 409 Conflict',
  429: 'the server answers 429 Too Many Requests',
  500: 'the server answers 500 Internal Server Error',
  503: 'the server answers 503 Service Unavailable',
  'not sent': 'it does not reach the server',
  'answer lost': 'the server carries it out, and the answer is lost',
}

const PODS = {
  ready: 'Pods become ready at once',
  late: 'Pods become ready after two minutes',
  never: 'Pods never become ready: their image cannot be pulled',
  failing: 'Pods fail',
} as const
