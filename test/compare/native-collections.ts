import type { TestServer } from '../test-server.ts'
import { isNativeGroup } from './native-groups.ts'

/** One collection of a native kind, as discovery names it. */
export interface NativeCollection {
  /** The path without a namespace: `/api/v1/pods`. */
  readonly path: string
  readonly namespaced: boolean
  readonly verbs: readonly string[]
}

/** All native collections that can be listed, in every version that the server serves. */
export async function nativeCollections(server: TestServer): Promise<NativeCollection[]> {
  const { body } = await server.call('GET', '/apis')
  const versions = body.groups
    .filter(({ name }: any) => isNativeGroup(name))
    .flatMap((group: any) => group.versions.map(({ groupVersion }: any) => `/apis/${groupVersion}`))
  const found: NativeCollection[] = []
  for (const path of ['/api/v1', ...versions]) {
    const { body: list } = await server.call('GET', path)
    for (const { name, namespaced, verbs } of list.resources) {
      if (verbs.includes('list')) found.push({ path: `${path}/${name}`, namespaced, verbs })
    }
  }
  return found
}
