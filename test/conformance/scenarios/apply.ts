import { gadgetDefinition, widgetDefinition } from '../objects.ts'
import { topic } from '../scenario.ts'
import { ownership } from './apply/ownership.ts'
import { requests } from './apply/requests.ts'
import { merges } from './apply/merges.ts'
import { subresources } from './apply/subresources.ts'
import { managedFields } from './apply/managed-fields.ts'

/** Server-side apply: who owns what, and who may change it. */
export const applies = topic(
  'apply',
  [...ownership, ...requests, ...merges, ...subresources, ...managedFields],
  { definitions: [widgetDefinition, gadgetDefinition] },
)
