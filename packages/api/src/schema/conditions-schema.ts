import type { Condition } from '../status/index.ts'
import { ListSchema } from './list-schema.ts'
import { NumberSchema } from './number-schema.ts'
import { ObjectSchema } from './object-schema.ts'
import { PlainSchema } from './plain-schema.ts'
import { StringSchema } from './string-schema.ts'

/** The conditions of an object's status: a list with one entry for each type. */
export type ConditionsSchema = ListSchema<PlainSchema<Condition>>

/** Makes a {@link ConditionsSchema}, with the limits that Kubernetes itself puts on conditions. */
export function conditionsSchema(): ConditionsSchema {
  const condition = ObjectSchema.of({
    lastTransitionTime: new PlainSchema({ type: 'string', format: 'date-time' }).describe(
      'When the status last changed.',
    ),
    message: new StringSchema({ type: 'string' })
      .maxLength(32_768)
      .describe('The reason, as a sentence for people.'),
    observedGeneration: new NumberSchema({ type: 'integer', format: 'int64' })
      .min(0)
      .optional()
      .describe('The generation of the object that the controller had seen when it set the condition.'),
    reason: new StringSchema({ type: 'string' })
      .minLength(1)
      .maxLength(1024)
      .pattern('^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$')
      .describe('The reason, as one word in CamelCase for programs.'),
    status: new StringSchema({ type: 'string' })
      .enum('True', 'False', 'Unknown')
      .describe('Whether the condition holds.'),
    type: new StringSchema({ type: 'string' })
      .maxLength(316)
      .pattern(
        '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
      )
      .describe('What the condition is about, in CamelCase.'),
  })
  return new ListSchema<PlainSchema<Condition>>({ type: 'array', items: condition.structural }).mapBy('type')
}
