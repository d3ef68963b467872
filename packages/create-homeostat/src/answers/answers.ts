/** The answers from which a project is made. */
export interface Answers {
  /** The name of the operator and of its package: a DNS label. */
  readonly name: string
  /** The API group of its kind: a domain. */
  readonly group: string
  /** The name of its kind, such as `Website`. */
  readonly kind: string
  /** Whether it owns native objects: a ConfigMap, a Deployment and a Service. */
  readonly owns: boolean
  /** Whether a webhook validates objects of its kind. */
  readonly webhooks: boolean
}
