import {
  nameOf,
  type FieldPath,
  type PlainObject,
  type RequestFailure,
  type Step,
  type Story,
} from './story.ts'

/** A story as a person tells it: one line for each step. */
export function describeStory(story: Story): string[] {
  return story.map((step) => describeStep(step))
}

function describeStep(step: Step): string {
  switch (step.step) {
    case 'create':
      return step.controlledBy
        ? `another controller creates the ${nameOf(step.object)}, which belongs to its ${nameOf(step.controlledBy)}`
        : `the user creates the ${nameOf(step.object)}`
    case 'change':
      return `the user changes the ${nameOf(step.object)} to ${JSON.stringify(contentOf(step.object))}`
    case 'delete':
      return `the user deletes the ${nameOf(step.object)}`
    case 'remove':
      return `another client deletes the ${nameOf(step.object)}`
    case 'edit':
      return step.value === undefined
        ? `another client removes ${pathText(step.path)} of the ${nameOf(step.object)}`
        : `another client sets ${pathText(step.path)} of the ${nameOf(step.object)} to ${JSON.stringify(step.value)}`
    case 'rest':
      return 'the operator gets time until it has nothing left to do'
    case 'wait':
      return `${step.duration} pass`
    case 'stop':
      return 'the operator is stopped'
    case 'start':
      return 'the operator is started'
    case 'crash':
      return `the operator is killed at request ${step.request} from here, ${step.moment === 'before' ? 'before it is sent' : 'after the server carried it out'}, and starts again`
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
  never: 'Pods never become ready: their image cannot be had',
  failing: 'Pods fail',
} as const

/** `spec.ports[0].name` */
export function pathText(path: FieldPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(part)) return `${text}[${JSON.stringify(part)}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

/** What a user changes of an object. */
function contentOf(object: PlainObject): unknown {
  const parts = Object.entries(object).filter(([key]) => !['apiVersion', 'kind', 'metadata'].includes(key))
  return Object.fromEntries(parts)
}
