import {
  type FieldError,
  forbiddenValue,
  type JsonObject,
  objectOf,
  validateAnnotations,
  validateLabels,
  wasSentEmpty,
} from '../schema/index.ts'

/** The metadata that a template for other objects cannot have. */
const METADATA = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
]

/** Whether a field of metadata is set. A zero counts as unset, except in `deletionGracePeriodSeconds`. */
function isSet(metadata: JsonObject, part: string): boolean {
  const value = metadata[part]
  if (wasSentEmpty(metadata, part)) return true
  return part === 'deletionGracePeriodSeconds' ? value !== undefined && value !== null : Boolean(value)
}

/** Validates the metadata that a template gives to other objects: labels and annotations alone. */
export function validateTemplateMetadata(value: unknown, field: string): FieldError[] {
  const metadata = objectOf(value)
  return [
    ...validateAnnotations(metadata['annotations'], `${field}.annotations`),
    ...validateLabels(metadata['labels'], `${field}.labels`),
    // Kubernetes' own message has this name for the uid.
    ...METADATA.filter((part) => isSet(metadata, part)).map((part) =>
      forbiddenValue(`${field}.${part === 'uid' ? 'uID' : part}`, 'cannot be set'),
    ),
  ]
}
