import { DEFAULT_RELEASE, loadTypesData, type OtherRelease, patched, type Release } from '../version/index.ts'
import { definitions, nativeResources } from './generated/native-resources.ts'
import type { NativeResource } from './types/native-resource.ts'
import type { SchemaNode } from './types/type-schema.ts'

/** The native kinds of a release of Kubernetes. */
export interface NativeTypes {
  /** In the order of discovery: the core group first, in a group the preferred version first. */
  readonly resources: readonly NativeResource[]
  /** The schemas of the kinds and of all that they refer to, by name. */
  readonly definitions: Readonly<Record<string, SchemaNode>>
  /** The feature gates by which the kinds differ from the default release, besides fields: on there, and off or unknown here. */
  readonly disabledGates: readonly string[]
}

/** The native kinds of the default release. */
export const NATIVE_TYPES: NativeTypes = { resources: nativeResources, definitions, disabledGates: [] }

/** The kinds in the form that merge patches are made for. */
interface ByKey {
  readonly resources: Readonly<Record<string, NativeResource | undefined>>
  readonly definitions: Readonly<Record<string, SchemaNode>>
}

const loaded = new Map<Release, Promise<NativeTypes>>()

/** The native kinds of a release: those of the default one at once, others once their differences are loaded. */
export function nativeTypesOf(release: Release): NativeTypes | Promise<NativeTypes> {
  if (release === DEFAULT_RELEASE) return NATIVE_TYPES
  let types = loaded.get(release)
  if (!types) loaded.set(release, (types = patchedTypes(release)))
  return types
}

async function patchedTypes(release: OtherRelease): Promise<NativeTypes> {
  const { typesPatch, disabledGates } = await loadTypesData(release)
  const before: ByKey = {
    resources: Object.fromEntries(nativeResources.map((resource) => [keyOf(resource), resource])),
    definitions: { ...definitions },
  }
  const after = patched(before, JSON.parse(typesPatch))
  return {
    resources: nativeResources.flatMap((resource) => after.resources[keyOf(resource)] ?? []),
    definitions: after.definitions,
    disabledGates,
  }
}

function keyOf({ group, version, plural }: NativeResource): string {
  return `${group}/${version}/${plural}`
}
