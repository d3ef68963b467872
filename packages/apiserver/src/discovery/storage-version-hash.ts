import type { Resource } from '../registry/index.ts'

/** The hash of the version in which objects are stored, for clients. Undefined for a resource that is not stored. */
export async function storageVersionHash(resource: Resource): Promise<string | undefined> {
  if (!resource.custom) return resource.storageVersionHash
  const stored = `${resource.group}/${resource.storageVersion ?? resource.version}/${resource.kind}`
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(stored))
  return btoa(String.fromCharCode(...new Uint8Array(digest).subarray(0, 8)))
}
