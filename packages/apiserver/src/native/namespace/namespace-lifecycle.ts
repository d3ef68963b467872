import type { AdmissionPlugin } from '../../admission/index.ts'

const IMMORTAL = ['default', 'kube-system', 'kube-public']

/**
 * Refuses to delete the namespaces that every cluster needs. Every creation checks by itself that its namespace is
 * not being deleted.
 */
export const namespaceLifecycle: AdmissionPlugin = {
  resources: ['/namespaces'],
  changes: [],
  admit({ operation, name, refuse }) {
    if (operation === 'DELETE' && IMMORTAL.includes(name)) refuse('this namespace may not be deleted')
  },
}
