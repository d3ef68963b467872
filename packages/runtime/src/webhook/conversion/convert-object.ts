import { apiVersionOf, deepEqual, deepFreeze, HomeostatError, type AnyKind } from '@homeostat/api'
import type { AnyConverter } from './converter.ts'
import { annotationOf, keep, restore } from './kept-fields.ts'

/** A version of a kind, and how it is converted to the stored one. */
export interface ConvertedVersion {
  readonly kind: AnyKind
  readonly converter: AnyConverter
}

type Fields = Record<string, unknown>
type Metadata = Fields & { annotations?: Record<string, string> | undefined }

/** The object in the stored version. */
export function toStored(object: Fields, { kind, converter }: ConvertedVersion, stored: AnyKind): Fields {
  const { toStored: convert, keeps } = converter
  return converted(object, kind, stored, convert, keeps?.version ?? [], keeps?.stored ?? [])
}

/** An object of the stored version in another one. */
export function fromStored(object: Fields, { kind, converter }: ConvertedVersion, stored: AnyKind): Fields {
  const { fromStored: convert, keeps } = converter
  return converted(object, stored, kind, convert, keeps?.stored ?? [], keeps?.version ?? [])
}

/** `kept` are paths of `from` that `to` cannot hold; `restored` those of `to` that an annotation may hold. */
function converted(
  object: Fields,
  from: AnyKind,
  to: AnyKind,
  convert: (object: any) => object,
  kept: readonly string[],
  restored: readonly string[],
): Fields {
  const { metadata: given, ...fields } = convert(deepFreeze(object)) as Fields
  const metadata = metadataOf(object['metadata'] as Metadata | undefined, given, from, to)
  const result: Fields = { ...fields, apiVersion: apiVersionOf(to), kind: to.kind, metadata }
  const annotations = { ...metadata.annotations }
  const [keptHere, keptBefore] = [annotationOf(from), annotationOf(to)]
  const saved = annotations[keptBefore]
  if (saved !== undefined && restored.length > 0) {
    restore(result, saved, restored)
    delete annotations[keptBefore]
  }
  const text = keep(object, kept)
  if (text !== undefined) annotations[keptHere] = text
  if (Object.keys(annotations).length > 0) metadata.annotations = annotations
  else if (metadata.annotations !== undefined && saved !== undefined) delete metadata.annotations
  return result
}

/** The metadata of the object, with labels and annotations that the converter gave. Any other difference is refused. */
function metadataOf(before: Metadata = {}, given: unknown, from: AnyKind, to: AnyKind): Metadata {
  if (given === undefined) return { ...before }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw changed('metadata', from, to)
  const { labels, annotations, ...others } = given as Metadata
  for (const [name, value] of Object.entries(others)) {
    if (!deepEqual(value, before[name])) throw changed(`metadata.${name}`, from, to)
  }
  return {
    ...before,
    ...('labels' in given ? { labels } : {}),
    ...('annotations' in given ? { annotations } : {}),
  }
}

function changed(field: string, from: AnyKind, to: AnyKind): HomeostatError {
  return new HomeostatError(
    'CONVERSION_CHANGES_METADATA',
    `the conversion of ${from.kind} from ${from.version} to ${to.version} changes ${field}: return only labels and annotations, or no metadata`,
  )
}
