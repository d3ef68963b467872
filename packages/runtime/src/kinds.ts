/** The kinds that every Kubernetes serves, each as a value and as the type of its objects. */
export * from '@homeostat/api/kinds'
