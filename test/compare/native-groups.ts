/** Whether a group is one of Kubernetes' own. A comparison ignores kinds that other tests have defined. */
export function isNativeGroup(group: string): boolean {
  return !group.includes('.') || group.endsWith('.k8s.io')
}
