import { applyMergePatch } from '@homeostat/api'
import { DEFAULT_RELEASE, type Release } from './releases.ts'

/** How the OpenAPI documents of a release differ from those of the default one. */
export interface DocumentsData {
  readonly documentHashes: Readonly<Record<string, string>>
  /** Merge patches of the packed documents, themselves packed. */
  readonly packedPatch: string
}

/** How the native kinds of a release differ from those of the default one. */
interface TypesData {
  /** A merge patch, as JSON, that makes the kinds and definitions of the default release those of this one. */
  readonly typesPatch: string
  /** The feature gates that change more than fields: on in the default release, and off or unknown in this one. */
  readonly disabledGates: readonly string[]
}

export type OtherRelease = Exclude<Release, typeof DEFAULT_RELEASE>

const TYPES: Readonly<Record<OtherRelease, () => Promise<TypesData>>> = {
  '1.33': () => import('./generated/types-1.33.ts'),
  '1.34': () => import('./generated/types-1.34.ts'),
  '1.35': () => import('./generated/types-1.35.ts'),
}

const DOCUMENTS: Readonly<Record<OtherRelease, () => Promise<DocumentsData>>> = {
  '1.33': () => import('./generated/documents-1.33.ts'),
  '1.34': () => import('./generated/documents-1.34.ts'),
  '1.35': () => import('./generated/documents-1.35.ts'),
}

/** Data of the default release with the differences of another one, as a merge patch: of the same form. */
export function patched<T>(base: T, patch: unknown): T {
  return applyMergePatch(base, patch) as T
}

/** How the native kinds of a release differ from those of the default one. */
export async function loadTypesData(release: OtherRelease): Promise<TypesData> {
  return TYPES[release]()
}

/** How the OpenAPI documents of a release differ from those of the default one; undefined for itself. */
export async function loadDocumentsData(release: Release): Promise<DocumentsData | undefined> {
  return release === DEFAULT_RELEASE ? undefined : DOCUMENTS[release]()
}
