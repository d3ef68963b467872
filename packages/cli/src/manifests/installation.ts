/** How an operator is installed. */
export interface Installation {
  readonly namespace: string
  readonly image: string
  readonly replicas: number
}
