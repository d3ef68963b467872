import { nameOf, pathText, type PlainObject, type RequestFailure, type Step, type Story } from './story.ts'

/** A step of a story as data, from which a program makes a line in the language of its user. Objects are named by kind, namespace and name. */
export type ToldStep =
  | {
      readonly step: 'create'
      readonly object: string
      readonly owner?: string | undefined
      /** The content of the object, if other steps give it other content. */
      readonly content?: unknown
    }
  | { readonly step: 'change'; readonly object: string; readonly content: unknown }
  | { readonly step: 'delete'; readonly object: string }
  | { readonly step: 'remove'; readonly object: string }
  /** Without a value, the field is removed. */
  | { readonly step: 'edit'; readonly object: string; readonly path: string; readonly value?: unknown }
  | { readonly step: 'repeat'; readonly times: number; readonly steps: readonly ToldStep[] }
  | { readonly step: 'rest' }
  | { readonly step: 'wait'; readonly duration: string }
  | { readonly step: 'stop' }
  | { readonly step: 'start' }
  | {
      readonly step: 'crash'
      readonly request: number
      readonly moment: 'before' | 'after'
      readonly staysDown: boolean
    }
  | { readonly step: 'fail'; readonly request: number; readonly failure: RequestFailure }
  | { readonly step: 'slow'; readonly request: number }
  | { readonly step: 'hold'; readonly kind: string }
  | { readonly step: 'stale'; readonly kind: string }
  | { readonly step: 'release'; readonly kind: string }
  | { readonly step: 'note' }
  | { readonly step: 'pods'; readonly behaviour: Extract<Step, { step: 'pods' }>['behaviour'] }

/**
 * The steps of a story. The creation of an object has its content only if other steps, here or in the story `beside` this one,
 * give the object other content.
 */
export function tellStory(story: Story, beside: Story = []): ToldStep[] {
  const contents = new Map<string, Set<string>>()
  for (const step of [...story, ...beside]) {
    if (step.step !== 'create' && step.step !== 'change') continue
    const name = nameOf(step.object)
    contents.set(name, (contents.get(name) ?? new Set()).add(JSON.stringify(contentOf(step.object))))
  }
  const varies = (object: PlainObject): boolean => (contents.get(nameOf(object))?.size ?? 0) > 1
  return story.map((step) => toldStep(step, varies))
}

function toldStep(step: Step, varies: (object: PlainObject) => boolean): ToldStep {
  switch (step.step) {
    case 'create': {
      const object = nameOf(step.object)
      if (step.controlledBy) return { step: 'create', object, owner: nameOf(step.controlledBy) }
      return varies(step.object)
        ? { step: 'create', object, content: contentOf(step.object) }
        : { step: 'create', object }
    }
    case 'change':
      return { step: 'change', object: nameOf(step.object), content: contentOf(step.object) }
    case 'delete':
    case 'remove':
      return { step: step.step, object: nameOf(step.object) }
    case 'edit': {
      const edited = { step: 'edit', object: nameOf(step.object), path: pathText(step.path) } as const
      return step.value === undefined ? edited : { ...edited, value: step.value }
    }
    case 'repeat':
      return { ...step, steps: step.steps.map((one) => toldStep(one, varies)) }
    case 'wait':
      return { step: 'wait', duration: String(step.duration) }
    case 'crash':
      return { ...step, staysDown: step.staysDown ?? false }
    default:
      return step
  }
}

/** The part of an object that a user changes. */
function contentOf(object: PlainObject): unknown {
  const parts = Object.entries(object).filter(([key]) => !['apiVersion', 'kind', 'metadata'].includes(key))
  return Object.fromEntries(parts)
}
