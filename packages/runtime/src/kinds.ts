/**
 * The kinds that every Kubernetes serves, each as a value and as the type of its objects, and the types of their parts, such as
 * `CoreV1.PodSpec`.
 */
export * from '@homeostat/api/kinds'
