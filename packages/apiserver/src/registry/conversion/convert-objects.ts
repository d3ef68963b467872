import type { Pausable } from '@homeostat/api'
import type { Failure } from '../resource/failure.ts'
import type { JsonObject } from '../../schema/index.ts'
import type { ServerObject } from '../resource/server-object.ts'

/** Objects of one kind and one version that a webhook is to convert. */
export interface ObjectsToConvert {
  /** The `conversion.webhook` of the CustomResourceDefinition. */
  readonly webhook: JsonObject
  /** At least one. */
  readonly objects: readonly ServerObject[]
  /** The version that is wanted: `example.com/v2`. */
  readonly apiVersion: string
  /** What waits for the answer. It pauses where a webhook in this process lets simulated time pass. */
  readonly waiting?: Pausable | undefined
}

/**
 * Has a webhook convert objects. For each of them it gives the converted object, or the failure to answer with. It does
 * not reject: a webhook that cannot be called fails every object.
 */
export type ConvertObjects = (request: ObjectsToConvert) => Promise<readonly (ServerObject | Failure)[]>
