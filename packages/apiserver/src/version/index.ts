/** Which Kubernetes the server follows. Programs print it before they load anything else of the server. */
export { VERSION, versionDocument, type VersionInfo } from './version.ts'
