import type { ManifestFiles } from './operator-manifests.ts'

/** The given files with a kustomization of them, and a component for the objects that need the Prometheus operator. */
export function kustomizeFiles(files: ManifestFiles): ManifestFiles {
  const resources = Object.keys(files).filter((path) => !path.includes('/'))
  return {
    ...files,
    'kustomization.yaml': [
      { apiVersion: 'kustomize.config.k8s.io/v1beta1', kind: 'Kustomization', resources },
    ],
    'monitoring/kustomization.yaml': [
      { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', resources: ['monitoring.yaml'] },
    ],
  }
}
