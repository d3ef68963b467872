/** The CustomResourceDefinitions that a command is given: by a file, a folder, a URL, a revision of git, an operator, or a cluster that has them. */
export { clusterDefinitions } from './cluster-definitions.ts'
export { clusterOpenApi } from './cluster-openapi.ts'
export { loadDefinitions } from './load-definitions.ts'
