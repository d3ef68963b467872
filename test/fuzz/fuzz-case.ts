import type { ApiRequest } from '@homeostat/api'
import type { Tree } from './json-tree.ts'

/** One request of a case. `{ns}` in its path and body stands for the namespace. */
export interface FuzzRequest {
  readonly method: ApiRequest['method']
  /** With its query. */
  readonly path: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Tree
}

/** The requests to both servers: one that stores nothing, or several about an object that no other case uses. */
export interface FuzzCase {
  /** `apps/v1 Deployment`. */
  readonly kind: string
  /** `create`, `merge patch`, `delete`. */
  readonly verb: string
  readonly requests: readonly FuzzRequest[]
  /** The object that the requests leave behind, to be taken away afterwards. */
  readonly leaves?: string
}
