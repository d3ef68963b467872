import { HomeostatError } from '@homeostat/api'

/** A problem of the configuration of a cluster. */
export type ConfigErrorCode =
  | 'CONFIG_NOT_FOUND'
  | 'CONFIG_FILE_MISSING'
  | 'CONFIG_FILE_UNREADABLE'
  | 'CONFIG_SYNTAX'
  | 'CONFIG_INVALID'
  | 'CONFIG_ENTRY_MISSING'
  | 'CONFIG_UNSUPPORTED'

/** A kubeconfig, or the ServiceAccount files of a Pod, cannot be used. The message names the file and the entry. */
export class ConfigError extends HomeostatError {
  override readonly name = 'ConfigError'
  override readonly code: ConfigErrorCode

  constructor(code: ConfigErrorCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options)
    this.code = code
  }
}
