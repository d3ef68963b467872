import { failure, oncePerObject } from '@homeostat/api'
import {
  Failure,
  type ServerMeta,
  type ServerObject,
  specOf,
  statusOf,
  type StrategyContext,
  storedObject,
} from '../../registry/index.ts'
import { equalJson, objectOf } from '../../schema/index.ts'
import type { Stored } from '../../storage/index.ts'

/** The collection of CRDs. */
export const DEFINITIONS = 'apiextensions.k8s.io/customresourcedefinitions'

/** The facts about a CRD that writes of other objects need. */
interface Summary {
  readonly name: string | undefined
  readonly group: unknown
  readonly acceptedNames: Record<string, unknown>
  readonly waits: boolean
  readonly terminating: boolean
}

/**
 * The summary of a stored CRD, parsed once: a CRD may be large, and every write of a CRD reads the summaries of all
 * others.
 */
export const summaryOf: (stored: Stored) => Summary = oncePerObject((stored) => {
  const definition = storedObject(stored)
  return {
    name: definition.metadata.name,
    group: specOf(definition)['group'],
    acceptedNames: objectOf(statusOf(definition)['acceptedNames']),
    waits: waits(definition),
    terminating: definition.metadata.deletionTimestamp !== undefined,
  }
})

/** Whether the names of a CRD have not all been accepted. */
export function waits(definition: ServerObject): boolean {
  return !equalJson(statusOf(definition)['acceptedNames'], specOf(definition)['names'])
}

/** Refuses to create objects of a kind whose CRD is being deleted. */
export function admitToDefinition({ name = '' }: ServerMeta, { store, resource }: StrategyContext): void {
  const stored = store.get(DEFINITIONS, `${resource.plural}.${resource.group}`)
  if (!stored) throw new Failure(failure.pathNotFound())
  if (!summaryOf(stored).terminating) return
  const why = 'create not allowed while custom resource definition is terminating'
  throw new Failure(failure.forbidden(resource, name, why))
}
