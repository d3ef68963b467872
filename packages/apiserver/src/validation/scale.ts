import type { ScaleSubresource } from '@homeostat/api'
import { type FieldError, getKey, invalidValue, isObject } from '../schema/index.ts'

const MOST_REPLICAS = 2 ** 31 - 1

/** Validates the replicas in the spec and the status of an object. */
export function scaleErrors(scale: ScaleSubresource, object: unknown): FieldError[] {
  return [...replicaErrors(object, scale.specReplicasPath), ...statusScaleErrors(scale, object)]
}

/** Validates the replicas in the status. */
export function statusScaleErrors(scale: ScaleSubresource, object: unknown): FieldError[] {
  const errors = replicaErrors(object, scale.statusReplicasPath)
  const { labelSelectorPath } = scale
  const selector = labelSelectorPath ? valueAt(object, labelSelectorPath) : undefined
  if (!labelSelectorPath || selector === undefined || typeof selector === 'string') return errors
  const detail = `${labelSelectorPath} accessor error: ${jsonKind(selector)} is of the type ${jsonKind(selector)}, expected string`
  return [...errors, invalidValue(labelSelectorPath, '', detail)]
}

function replicaErrors(object: unknown, path: string): FieldError[] {
  const replicas = valueAt(object, path)
  if (typeof replicas !== 'number') return []
  if (replicas < 0) return [invalidValue(path, replicas, 'should be a non-negative integer')]
  if (replicas <= MOST_REPLICAS) return []
  return [invalidValue(path, replicas, `should be less than or equal to ${MOST_REPLICAS}`)]
}

function valueAt(object: unknown, path: string): unknown {
  let value = object
  for (const name of path.split('.').slice(1)) value = isObject(value) ? getKey(value, name) : undefined
  return value
}

function jsonKind(value: unknown): string {
  return Array.isArray(value) ? '[]interface {}' : isObject(value) ? 'map[string]interface {}' : typeof value
}
