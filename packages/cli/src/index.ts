/** The `homeostat` command for programs: the manifests and the graph of an operator as values. */
export {
  helmChart,
  kustomizeFiles,
  olmBundle,
  operatorManifests,
  toYaml,
  type Bundle,
  type Chart,
  type Installation,
  type ManifestFiles,
  type ManifestObject,
} from './manifests/index.ts'
export {
  graphMermaid,
  graphSvg,
  graphText,
  operatorGraph,
  type GraphEdge,
  type OperatorGraph,
  type Relation,
} from './graph/index.ts'
export {
  compareDefinitions,
  compatibilityText,
  COMPATIBILITY_RULES,
  type ComparedDefinition,
  type CompatibilityFinding,
  type CompatibilityLevel,
  type CompatibilityRule,
} from './compat/index.ts'
