import type { AdmissionPlugin } from '../../admission/index.ts'

const IMMORTAL = ['default', 'kube-system', 'kube-public']

/**
 * The namespaces that every cluster needs stay. That nothing is made in a namespace which is going is part of every
 * creation.
 */
export const namespaceLifecycle: AdmissionPlugin = {
  resources: ['/namespaces'],
  readOnly: true,
  admit({ operation, name, refuse }) {
    if (operation === 'DELETE' && IMMORTAL.includes(name)) refuse('this namespace may not be deleted')
  },
}
