import { topic } from '../scenario.ts'
import { establishing } from './definitions/establishing.ts'
import { pruning } from './definitions/pruning.ts'
import { values } from './definitions/values.ts'
import { rules } from './definitions/rules.ts'
import { changes } from './definitions/changes.ts'

/** CustomResourceDefinitions, and the objects of the kinds that they define. */
export const definitionTopic = topic('definitions', [
  ...establishing,
  ...pruning,
  ...values,
  ...rules,
  ...changes,
])
