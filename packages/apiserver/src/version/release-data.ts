import { applyMergePatch } from '@homeostat/api'
import { DEFAULT_RELEASE, type Release } from './releases.ts'

/** How the OpenAPI documents of a release differ from those of the default one. */
export interface DocumentsData {
  readonly documentHashes: Readonly<Record<string, string>>
  /** Merge patches of the packed documents, themselves packed. */
  readonly packedPatch: string
}

type OtherRelease = Exclude<Release, typeof DEFAULT_RELEASE>

const TYPES: Readonly<Record<OtherRelease, () => Promise<{ readonly typesPatch: string }>>> = {
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

/** A merge patch, as JSON, that makes the native kinds of the default release those of another; undefined for itself. */
export async function loadTypesPatch(release: Release): Promise<string | undefined> {
  return release === DEFAULT_RELEASE ? undefined : (await TYPES[release]()).typesPatch
}

/** How the OpenAPI documents of a release differ from those of the default one; undefined for itself. */
export async function loadDocumentsData(release: Release): Promise<DocumentsData | undefined> {
  return release === DEFAULT_RELEASE ? undefined : DOCUMENTS[release]()
}
