import type { ClusterConfig } from '../configuration/index.ts'

/** The headers that impersonate another user. */
export function impersonationHeaders(
  impersonate: ClusterConfig['impersonate'],
): Record<string, string | readonly string[]> {
  if (!impersonate) return {}
  const { user, uid, groups, extra = {} } = impersonate
  return {
    'impersonate-user': user,
    ...(uid !== undefined && { 'impersonate-uid': uid }),
    ...(groups?.length && { 'impersonate-group': groups }),
    ...Object.fromEntries(
      Object.entries(extra)
        .filter(([, values]) => values.length > 0)
        .map(([name, values]) => [`impersonate-extra-${escapeName(name)}`, values]),
    ),
  }
}

/** Header names allow few characters: the others, and `%` itself, are written as their bytes. */
function escapeName(name: string): string {
  return [...new TextEncoder().encode(name.toLowerCase())]
    .map((byte) => {
      const char = String.fromCodePoint(byte)
      return /[\w!#$&'*+.^`|~-]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}
