import type { LabelSelectorSource } from '@homeostat/api'

/** A condition in CEL that a request must meet before the API server calls the webhook. */
export interface MatchCondition {
  readonly name: string
  readonly expression: string
}

/** When and how an API server calls an admission webhook. The defaults are those of Kubernetes. */
export interface AdmissionOptions {
  /**
   * The name in the webhook configuration, with at least two dots. Default: `mutate` or `validate`, the resource and the group,
   * such as `validate.views.example.com`. Webhooks for several kinds need one.
   */
  readonly name?: string | undefined
  /**
   * The path of the webhook. Default: the path that controller-runtime uses, such as `/validate-example-com-v1-view`.
   */
  readonly path?: string | undefined
  /** Whether it is called only for namespaced or only for cluster-scoped objects. Default: `'*'`, both. */
  readonly scope?: 'Cluster' | 'Namespaced' | '*' | undefined
  /** Whether a request fails when the webhook cannot be reached or gives an invalid answer. Default: `'Fail'`. */
  readonly failurePolicy?: 'Fail' | 'Ignore' | undefined
  /**
   * Whether the webhook is also called for requests in other versions of the kind, with the object converted. Default:
   * `'Equivalent'`.
   */
  readonly matchPolicy?: 'Equivalent' | 'Exact' | undefined
  /**
   * Whether the webhook has side effects. Default: `'None'`. With `'NoneOnDryRun'` it must look at
   * `context.request.dryRun`.
   */
  readonly sideEffects?: 'None' | 'NoneOnDryRun' | undefined
  /** How long the API server waits, from 1 to 30 seconds. Default: 10. */
  readonly timeoutSeconds?: number | undefined
  /** All must hold for the webhook to be called. Default: none. At most 64. */
  readonly matchConditions?: readonly MatchCondition[] | undefined
  /** Selects by the labels of the object's namespace. Default: all. */
  readonly namespaceSelector?: LabelSelectorSource | undefined
  /** Selects by the labels of the new or of the old object. Default: all. */
  readonly objectSelector?: LabelSelectorSource | undefined
}

/** Options that both webhooks of a kind share. The path is not among them: each webhook has its own. */
export type SharedAdmissionOptions = Omit<AdmissionOptions, 'path'>

/** Options of webhooks that change objects. */
export interface MutatingOptions extends AdmissionOptions {
  /** The operations that it is called for. Default: create and update. */
  readonly operations?: readonly ('CREATE' | 'UPDATE' | 'CONNECT')[] | undefined
  /** Whether it is called again after other webhooks changed the object. Default: `'Never'`. */
  readonly reinvocationPolicy?: 'Never' | 'IfNeeded' | undefined
}

/** Which requests an API server sends to a webhook. */
export interface AdmissionRule {
  readonly apiGroups: readonly string[]
  readonly apiVersions: readonly string[]
  /** In the plural, `pods/status` for a subresource, `*` for all resources. */
  readonly resources: readonly string[]
  readonly operations: readonly ('CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT' | '*')[]
  readonly scope?: 'Cluster' | 'Namespaced' | '*' | undefined
}
