import {
  applyFields,
  conflictCauses,
  updateFields,
  type FieldsWrite,
} from '../../../packages/apiserver/src/fields/index.ts'
import {
  comparable,
  KIND,
  type Conversation,
  type JsonObject,
  type Outcome,
  type Step,
} from './conversation.ts'

/** One object that managers write to, as our server keeps it. */
export class Thing {
  readonly #schema: FieldsWrite['schema']
  #live: JsonObject | undefined

  constructor(properties: JsonObject) {
    const root = { type: 'object', properties } as FieldsWrite['schema']['root']
    this.#schema = { root, definitions: {} }
  }

  /** The object without its managed fields; undefined before the first write. */
  get object(): JsonObject | undefined {
    return this.#live && parted(this.#live).object
  }

  take(step: Step): Outcome {
    const write = {
      schema: this.#schema,
      apiVersion: KIND.apiVersion,
      manager: step.manager,
      now: 0,
    }
    const object = structuredClone(step.object)
    if (step.do === 'update') {
      updateFields({ ...write, before: this.#live, after: object })
      this.#live = object
    } else {
      const result = applyFields({ ...write, live: this.#live, applied: object, force: step.force })
      if ('problem' in result) return { problem: result.problem }
      if ('conflicts' in result) {
        const causes = conflictCauses(result.conflicts)
        return { conflicts: causes.map(({ field, message }) => `${field}: ${message}`) }
      }
      this.#live = result.object
    }
    return parted(this.#live)
  }
}

/** Holds a conversation with our server's fields. */
export function playOurs({ properties, steps }: Conversation): Outcome[] {
  const thing = new Thing(properties)
  return steps.map((step) => comparable(thing.take(step)))
}

function parted(live: JsonObject): { object: JsonObject; managers?: NonNullable<Outcome['managers']> } {
  const { managedFields, ...metadata } = live['metadata'] as JsonObject
  const object = structuredClone({ ...live, metadata })
  return {
    object,
    ...(managedFields
      ? { managers: structuredClone(managedFields) as NonNullable<Outcome['managers']> }
      : {}),
  }
}
