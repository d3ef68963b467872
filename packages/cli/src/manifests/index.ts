/** The manifests of an operator, as values and as files: plain YAML, a kustomization, a Helm chart, a bundle of OLM. The same operator gives the same text. */
export { helmChart, type Chart } from './helm.ts'
export { kustomizeFiles } from './kustomize.ts'
export type { Installation } from './installation.ts'
export { olmBundle, type Bundle } from './olm.ts'
export { operatorManifests, type ManifestFiles, type ManifestObject } from './operator-manifests.ts'
export { outdatedFiles, writeFile, writeFiles } from './output-folder.ts'
export { toYaml } from './yaml.ts'
