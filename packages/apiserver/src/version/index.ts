/**
 * The version of Kubernetes that the server follows, and the features that can be off. Programs print it without
 * loading the server.
 */
export { disabledFeatures, isOptionalFeature, OPTIONAL_FEATURES, type OptionalFeature } from './features.ts'
export { VERSION, versionDocument, type VersionInfo } from './version.ts'
