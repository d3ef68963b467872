/**
 * Where an API server is, and which credentials a client sends to it: kubeconfig files, the ServiceAccount of a Pod, tokens,
 * certificates and credential programs. Errors name the file and the entry.
 */
export type { ClusterConfig } from './cluster-config.ts'
export { ConfigError, type ConfigErrorCode } from './config-error.ts'
export { configuredCredentials } from './configured-credentials.ts'
export type { Credentials, CredentialSource } from './credential-source.ts'
export type { ExecConfig } from './exec-config.ts'
export { execError } from './exec-credential.ts'
export { loadConfig, type LoadConfigOptions } from './load-config.ts'
