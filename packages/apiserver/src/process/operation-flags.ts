import { HomeostatError, SystemClock } from '@homeostat/api'
import type { AuditOptions } from '../audit/index.ts'
import { followFile } from './flags/configuration-file.ts'
import { parseYaml, readYaml } from './flags/files.ts'
import type { Flag } from './flags/flags.ts'
import { complain } from './flags/say.ts'

/** The flags of kube-apiserver that say what is audited, and where to. */
export const AUDIT_FLAGS = {
  'audit-policy-file': {
    value: 'FILE',
    help: 'which requests are written to the audit log, and how much of them',
  },
  'audit-log-format': { value: 'FORMAT', help: 'json, the only format that this server writes' },
  'audit-log-path': { value: 'FILE', help: 'where to write the audit log; - means the standard output' },
  'audit-log-maxsize': {
    value: 'MEGABYTES',
    help: 'the size at which a new audit log begins (default: none)',
  },
  'audit-log-maxbackup': { value: 'COUNT', help: 'how many old audit logs stay (default: all)' },
  'audit-log-maxage': { value: 'DAYS', help: 'how long old audit logs stay (default: for ever)' },
} satisfies Record<string, Flag>

type AuditFlag = keyof typeof AUDIT_FLAGS

/** The audit log that the flags ask for; undefined where they ask for none. Fails with a message that names the flag. */
export async function auditOptions(
  value: (flag: AuditFlag) => string | undefined,
): Promise<AuditOptions | undefined> {
  const [policyFile, path] = [value('audit-policy-file'), value('audit-log-path')]
  if (policyFile === undefined && path === undefined) return undefined
  if (policyFile === undefined || path === undefined) {
    const missing = policyFile === undefined ? 'audit-policy-file' : 'audit-log-path'
    throw new HomeostatError(
      'USAGE',
      `an audit log needs --audit-policy-file and --audit-log-path: give --${missing} too`,
    )
  }
  const format = value('audit-log-format') ?? 'json'
  if (format !== 'json') {
    throw new HomeostatError(
      'USAGE',
      `--audit-log-format=${format} is not supported: give json, or leave it out`,
    )
  }
  const count = (flag: AuditFlag): number => {
    const text = value(flag) ?? '0'
    if (/^\d{1,9}$/.test(text)) return Number(text)
    throw new HomeostatError('USAGE', `--${flag}=${text} is not a number: give 0, or a positive whole number`)
  }
  const limits = {
    maxSize: count('audit-log-maxsize'),
    maxBackups: count('audit-log-maxbackup'),
    maxAge: count('audit-log-maxage'),
  }
  const { AuditLogFile } = await import('../audit/audit-log-file.ts')
  const policy = await readYaml('audit-policy-file', policyFile)
  return { policy, log: new AuditLogFile(path, limits, new SystemClock(), complain) }
}

/** The flag of kube-apiserver that says how objects are encrypted. */
export const ENCRYPTION_FLAGS = {
  'encryption-provider-config': {
    value: 'FILE',
    help: 'which objects are encrypted in --data-dir, and by which keys: an EncryptionConfiguration with aescbc, aesgcm, identity',
  },
  'encryption-provider-config-automatic-reload': {
    value: 'BOOL',
    help: 'whether a change of that file takes effect while the server runs (default false)',
  },
} satisfies Record<string, Flag>

/** The EncryptionConfiguration in a file; undefined where none is named. */
export async function encryptionConfiguration(
  value: (flag: keyof typeof ENCRYPTION_FLAGS) => string | undefined,
  dataDir: string | undefined,
): Promise<unknown> {
  const file = value('encryption-provider-config')
  const follows = value('encryption-provider-config-automatic-reload') ?? 'false'
  if (follows !== 'true' && follows !== 'false') {
    throw new HomeostatError(
      'USAGE',
      `--encryption-provider-config-automatic-reload=${follows} is neither true nor false`,
    )
  }
  if (file === undefined) {
    if (follows === 'false') return undefined
    throw new HomeostatError(
      'USAGE',
      '--encryption-provider-config-automatic-reload must be set with --encryption-provider-config',
    )
  }
  if (dataDir === undefined) {
    throw new HomeostatError(
      'USAGE',
      '--encryption-provider-config needs --data-dir: without a data folder the server stores nothing on disk',
    )
  }
  if (follows === 'false') return readYaml('encryption-provider-config', file)
  return followFile('encryption-provider-config', file, (text) =>
    parseYaml('encryption-provider-config', file, text),
  )
}

const DEFAULTS = { 'max-requests-inflight': 400, 'max-mutating-requests-inflight': 200 }

/** The flags of kube-apiserver that say how many requests run at a time. */
export const FLOW_FLAGS = {
  'max-requests-inflight': {
    value: 'COUNT',
    help: 'how many requests run at a time, together with --max-mutating-requests-inflight; priority levels share the sum (default 400)',
  },
  'max-mutating-requests-inflight': {
    value: 'COUNT',
    help: 'the other part of that sum (default 200); if both are 0, no request waits',
  },
}

type FlowFlag = keyof typeof FLOW_FLAGS

/** The requests that run at a time, by the flags. */
export function maxRequestsInFlight(value: (flag: FlowFlag) => string | undefined): number {
  const count = (flag: FlowFlag): number => {
    const text = value(flag) ?? String(DEFAULTS[flag])
    if (/^\d{1,9}$/.test(text)) return Number(text)
    throw new HomeostatError('USAGE', `--${flag}=${text} is not a number: give 0, or a positive whole number`)
  }
  return count('max-requests-inflight') + count('max-mutating-requests-inflight')
}
