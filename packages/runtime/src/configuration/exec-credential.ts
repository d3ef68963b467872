import { isJsonObject } from '@homeostat/api'
import type { ExecConfig } from './exec-config.ts'
import { TransportError } from '../transport/index.ts'

/** The credentials that a program printed. */
export interface ExecCredential {
  readonly token?: string | undefined
  /** A client certificate and its key, as PEM: both or neither. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
  /** When the credentials expire, in milliseconds since 1970; `undefined` where the program does not say. */
  readonly expires?: number | undefined
}

/** The content of the variable `KUBERNETES_EXEC_INFO`, for a credential program. */
export function execInfo(config: ExecConfig, interactive: boolean): string {
  return JSON.stringify({
    apiVersion: config.apiVersion,
    kind: 'ExecCredential',
    spec: { cluster: config.cluster, interactive },
  })
}

/** Reads what a program printed. No error repeats any of it: it may be a secret. */
export function parseExecCredential(config: ExecConfig, output: string): ExecCredential {
  const document = parse(config, output)
  if (document['kind'] !== 'ExecCredential' || document['apiVersion'] !== config.apiVersion) {
    throw execError(
      config,
      `printed no ExecCredential of ${config.apiVersion}`,
      'Update the program, or set the apiVersion in the kubeconfig to the one that it prints',
    )
  }
  const { status } = document
  if (!isJsonObject(status)) throw execError(config, 'printed an ExecCredential without a status', CONTACT)
  const [token, cert, key] = ['token', 'clientCertificateData', 'clientKeyData'].map((field) => {
    const value = status[field]
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value === 'string') return value
    throw execError(config, `printed a status.${field} that is not a string`, CONTACT)
  })
  if ((cert === undefined) !== (key === undefined)) {
    throw execError(config, 'printed a client certificate without its key, or the key alone', CONTACT)
  }
  if (token === undefined && cert === undefined) {
    throw execError(config, 'printed neither a token nor a client certificate', CONTACT)
  }
  return { token, cert, key, expires: expiry(config, status['expirationTimestamp']) }
}

/** The error for a failed program. It names the user, the command and the remedy. */
export function execError(
  config: ExecConfig,
  what: string,
  remedy: string,
  options?: { cause?: unknown },
): TransportError {
  return new TransportError(
    'TRANSPORT_CREDENTIALS',
    `the program ${JSON.stringify(config.command)}, which provides the credentials of ${config.source}, ${what}. ${remedy}.`,
    options,
  )
}

const CONTACT = 'Run it by hand to see what it prints, and update it'

function parse(config: ExecConfig, output: string): Record<string, unknown> {
  let document: unknown
  try {
    document = JSON.parse(output)
  } catch {
    // The parser's message would quote what was printed.
  }
  if (isJsonObject(document)) return document
  throw execError(
    config,
    output.trim() === '' ? 'printed nothing' : 'printed something that is not JSON',
    CONTACT,
  )
}

function expiry(config: ExecConfig, value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  const time = typeof value === 'string' ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(time)) return time
  throw execError(config, 'printed an expirationTimestamp that is not a time', CONTACT)
}
