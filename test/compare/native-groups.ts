/** Whether a group is one of Kubernetes' own. Kinds that other tests have defined are none of a comparison's business. */
export function isNativeGroup(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io')
}
