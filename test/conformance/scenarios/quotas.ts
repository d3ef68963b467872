import { widgetDefinition } from '../objects.ts'
import { topic } from '../scenario.ts'
import { counts } from './quotas/counts.ts'
import { scopes } from './quotas/scopes.ts'
import { compute } from './quotas/compute.ts'
import { objects } from './quotas/objects.ts'
import { refusals } from './quotas/refusals.ts'
import { states } from './quotas/states.ts'

/** ResourceQuotas in the words of the API. Their statuses are written by the scenarios: no controllers run. */
export const quotaTopic = topic(
  'quotas',
  [...refusals, ...counts, ...scopes, ...compute, ...objects, ...states],
  {
    definitions: [widgetDefinition],
  },
)
