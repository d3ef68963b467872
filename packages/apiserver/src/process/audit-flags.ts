import { HomeostatError, SystemClock } from '@homeostat/api'
import type { AuditOptions } from '../audit/index.ts'
import { readText } from './flags/files.ts'
import type { Flag } from './flags/flags.ts'
import { complain } from './say.ts'

/** The flags of kube-apiserver that say what is audited, and where to. */
export const AUDIT_FLAGS = {
  'audit-policy-file': {
    value: 'FILE',
    help: 'which requests are written to the audit log, and how much of them',
  },
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
  // Not before it is needed: `--help` needs nothing of the server.
  const { decodeYaml, yamlLibrary } = await import('../wire/index.ts')
  const { AuditLogFile } = await import('../audit/audit-log-file.ts')
  await yamlLibrary.load()
  const text = readText('audit-policy-file', policyFile)
  const { value: policy } = readYaml(policyFile, () => decodeYaml(new TextEncoder().encode(text)))
  return { policy, log: new AuditLogFile(path, limits, new SystemClock(), complain) }
}

function readYaml<T>(file: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new HomeostatError('USAGE', `--audit-policy-file: ${file} is not YAML: ${why}`, { cause })
  }
}
