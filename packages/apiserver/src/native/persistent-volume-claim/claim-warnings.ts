import {
  canonicalQuantity,
  type JsonObject,
  objectOf,
  parseQuantity,
  quote,
  isWhole,
} from '../../schema/index.ts'

const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class'

/** The warning for a claim that names its class by an annotation. */
export function annotationWarnings(metadata: JsonObject): string[] {
  if (objectOf(metadata['annotations'])[CLASS_ANNOTATION] === undefined) return []
  const advice = 'deprecated since v1.8; use "storageClassName" attribute instead'
  return [`metadata.annotations[${CLASS_ANNOTATION}]: ${advice}`]
}

/** The warnings for a claim whose amounts of storage are not whole bytes. */
export function claimWarnings(spec: JsonObject, field: string): string[] {
  const resources = objectOf(spec['resources'])
  return ['requests', 'limits'].flatMap((list) =>
    fraction(objectOf(resources[list])['storage'], `${field}.resources.${list}[storage]`),
  )
}

export function fraction(amount: unknown, field: string): string[] {
  const quantity = amount === undefined ? undefined : parseQuantity(amount)
  if (!quantity || isWhole(quantity)) return []
  return [
    `${field}: fractional byte value ${quote(canonicalQuantity(quantity))} is invalid, must be an integer`,
  ]
}
