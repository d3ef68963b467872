import {
  nameOf,
  type FieldPath,
  type PlainObject,
  type RequestFailure,
  type Step,
  type Story,
} from './story.ts'

/**
 * A story as a person tells it: one line for each step. The content of an object is shown at its creation only if other
 * steps, here or in the story `beside` this one, give it other content.
 */
export function describeStory(story: Story, beside: Story = []): string[] {
  const contents = new Map<string, Set<string>>()
  for (const step of [...story, ...beside]) {
    if (step.step !== 'create' && step.step !== 'change') continue
    const name = nameOf(step.object)
    contents.set(name, (contents.get(name) ?? new Set()).add(JSON.stringify(contentOf(step.object))))
  }
  const varies = (object: PlainObject): boolean => (contents.get(nameOf(object))?.size ?? 0) > 1
  return story.map((step) => describeStep(step, varies))
}

function describeStep(step: Step, varies: (object: PlainObject) => boolean): string {
  switch (step.step) {
    case 'create':
      if (step.controlledBy)
        return `another controller creates the ${nameOf(step.object)}, which belongs to its ${nameOf(step.controlledBy)}`
      return varies(step.object)
        ? `the user creates the ${nameOf(step.object)} as ${JSON.stringify(contentOf(step.object))}`
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
    case 'repeat':
      return `${step.times} times: ${step.steps.map((one) => describeStep(one, varies)).join(', then ')}`
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

/** `spec.ports[0].name` */
export function pathText(path: FieldPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(part)) return `${text}[${JSON.stringify(part)}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

/** The part of an object that a user changes. */
function contentOf(object: PlainObject): unknown {
  const parts = Object.entries(object).filter(([key]) => !['apiVersion', 'kind', 'metadata'].includes(key))
  return Object.fromEntries(parts)
}
