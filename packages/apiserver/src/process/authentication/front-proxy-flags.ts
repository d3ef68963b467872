import type { FrontProxyOptions } from '../../port/index.ts'
import { readText } from '../flags/files.ts'
import type { Flag } from '../flags/flags.ts'

/** The flags that say which proxy names the users of requests in headers. */
export const FRONT_PROXY_FLAGS = {
  'requestheader-client-ca-file': {
    value: 'FILE',
    help: 'authorities that sign the client certificate of a proxy that names users in headers',
  },
  'requestheader-allowed-names': {
    value: 'NAMES',
    help: 'the common names that the certificate of the proxy may have (default: any)',
  },
  'requestheader-username-headers': {
    value: 'NAMES',
    help: 'the headers with the user, such as X-Remote-User',
  },
  'requestheader-uid-headers': { value: 'NAMES', help: 'the headers with the uid, such as X-Remote-Uid' },
  'requestheader-group-headers': { value: 'NAMES', help: 'the headers with groups, such as X-Remote-Group' },
  'requestheader-extra-headers-prefix': {
    value: 'NAMES',
    help: 'the prefixes of headers with further attributes, such as X-Remote-Extra-',
  },
} satisfies Record<string, Flag>

/** The proxy that the flags name; undefined without its authorities. */
export function frontProxyOptions(
  value: (flag: keyof typeof FRONT_PROXY_FLAGS) => string | undefined,
): FrontProxyOptions | undefined {
  const file = value('requestheader-client-ca-file')
  if (file === undefined) return undefined
  const list = (flag: keyof typeof FRONT_PROXY_FLAGS): string[] =>
    (value(flag) ?? '')
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean)
  return {
    authorities: readText('requestheader-client-ca-file', file),
    allowedNames: list('requestheader-allowed-names'),
    usernameHeaders: list('requestheader-username-headers'),
    uidHeaders: list('requestheader-uid-headers'),
    groupHeaders: list('requestheader-group-headers'),
    extraHeaderPrefixes: list('requestheader-extra-headers-prefix'),
  }
}
