import type { Pausable } from '@homeostat/api'
import type { Failure } from '../resource/failure.ts'
import type { JsonObject } from '../../schema/index.ts'
import type { ServerObject } from '../resource/server-object.ts'

/** Objects of one kind and one version for a webhook to convert. */
export interface ObjectsToConvert {
  /** The `conversion.webhook` of the CustomResourceDefinition. */
  readonly webhook: JsonObject
  /** At least one. */
  readonly objects: readonly ServerObject[]
  /** The target version: `example.com/v2`. */
  readonly apiVersion: string
  /** The work that waits for the answer. It pauses where a webhook in this process lets simulated time pass. */
  readonly waiting?: Pausable | undefined
}

/**
 * Converts objects by a webhook. Resolves, for each of them, to the converted object or to the failure to answer
 * with. It does not reject: a webhook that cannot be called fails every object.
 */
export type ConvertObjects = (request: ObjectsToConvert) => Promise<readonly (ServerObject | Failure)[]>
