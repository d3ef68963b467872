/** Which Kubernetes the server follows, and which of its features can be off. Programs print it before they load anything else of the server. */
export { disabledFeatures, isOptionalFeature, OPTIONAL_FEATURES, type OptionalFeature } from './features.ts'
export { VERSION, versionDocument, type VersionInfo } from './version.ts'
