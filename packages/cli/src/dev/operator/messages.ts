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

/** The cluster on which the operator runs. */
export interface ClusterChoice {
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
}

/** The messages of `homeostat dev` to the process of an operator. */
export type Order =
  | ({ readonly type: 'connect' } & ClusterChoice)
  | { readonly type: 'load'; readonly cwd: string; readonly file: string | undefined }
  | ({ readonly type: 'start'; readonly paused: boolean; readonly api: ApiState } & ClusterChoice)
  | { readonly type: 'api'; readonly state: ApiState }
  | { readonly type: 'pause' | 'resume' | 'step' | 'stop' }

/** The messages of the process of an operator. */
export type Report =
  | { readonly type: 'loaded'; readonly operator: OperatorDescription }
  | { readonly type: 'started' }
  /** The operator has ended, and writes nothing more. The process is about to exit. */
  | { readonly type: 'stopped' }
  | { readonly type: 'reconciled'; readonly lines: readonly string[]; readonly failed: boolean }
  /** The events of its manager, for the page. */
  | { readonly type: 'activity'; readonly events: readonly ActivityEvent[] }
  | { readonly type: 'held'; readonly what: string }
  | { readonly type: 'gate'; readonly isClosed: boolean }
  | { readonly type: 'failed'; readonly message: string }
