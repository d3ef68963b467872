export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration'
export const by = (path: string, manager: string, more = '') => `${path}?fieldManager=${manager}${more}`
export const OTHER_UID = '11111111-2222-3333-4444-555555555555'

export const partial = (name: string, spec: object) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec,
})
