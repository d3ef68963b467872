import type { CustomResourceDefinitionManifest } from '@homeostat/api'
import type { ApiState } from '@homeostat/dashboard'
import type { ActivityEvent, SampleObject } from 'homeostat'

/** A description of an operator, as JSON, for messages between processes. */
export interface OperatorDescription {
  readonly name: string
  readonly controllers: readonly string[]
  readonly definitions: readonly CustomResourceDefinitionManifest[]
  readonly samples: readonly SampleObject[]
  /** The kinds of objects that its controllers own. */
  readonly owned: readonly { readonly apiVersion: string; readonly kind: string }[]
  /** Its own kinds. */
  readonly kinds: readonly { readonly apiVersion: string; readonly kind: string }[]
}

/** What `homeostat dev` tells the process of an operator. */
export type Order =
  | { readonly type: 'load'; readonly cwd: string; readonly file: string | undefined }
  | {
      readonly type: 'start'
      readonly kubeconfig: string | undefined
      readonly context: string | undefined
      readonly paused: boolean
      readonly api: ApiState
    }
  | { readonly type: 'api'; readonly state: ApiState }
  | { readonly type: 'pause' | 'resume' | 'step' | 'stop' }

/** What the process of an operator reports. */
export type Report =
  | { readonly type: 'waiting' }
  | { readonly type: 'loaded'; readonly operator: OperatorDescription }
  | { readonly type: 'started' }
  | { readonly type: 'reconciled'; readonly lines: readonly string[]; readonly failed: boolean }
  /** What its manager did, for the page. */
  | { readonly type: 'activity'; readonly events: readonly ActivityEvent[] }
  | { readonly type: 'held'; readonly what: string }
  | { readonly type: 'gate'; readonly isClosed: boolean }
  | { readonly type: 'failed'; readonly message: string }
