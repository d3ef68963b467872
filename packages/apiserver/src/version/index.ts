/**
 * The version of Kubernetes that the server follows, how the API of other releases differs from it, and the features that
 * can be off. Programs print the version without loading the server.
 */
export { disabledFeatures, isOptionalFeature, OPTIONAL_FEATURES, type OptionalFeature } from './features.ts'
export { loadDocumentsData, loadTypesData, type OtherRelease, patched } from './release-data.ts'
export { DEFAULT_RELEASE, releaseOf, RELEASES, type Release } from './releases.ts'
export { VERSION, versionDocument, versionOf, type VersionInfo } from './version.ts'
