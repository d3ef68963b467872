import type { Resource } from '../registry/index.ts'

/** What tells a client in which version objects are stored: it changes when that does. Undefined where nothing is. */
export async function storageVersionHash(resource: Resource): Promise<string | undefined> {
  if (!resource.custom) return resource.storageVersionHash
  const stored = `${resource.group}/${resource.storageVersion ?? resource.version}/${resource.kind}`
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(stored))
  return btoa(String.fromCharCode(...new Uint8Array(digest).subarray(0, 8)))
}
