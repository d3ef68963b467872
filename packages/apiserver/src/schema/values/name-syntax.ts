import { isSubdomain, label1035Problems, lengthProblems } from '@homeostat/api'

export { label1035Problems, labelProblems, subdomainProblems } from '@homeostat/api'

/**
 * The forms of names in the API. Each function returns a Kubernetes API server's messages about a text; none where it
 * is valid.
 */
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`
const CONFIG_KEY = '[-._a-zA-Z0-9]+'
const PERCENT = '[0-9]+%'

const SEARCH_LABEL = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const SEARCH_PATTERN = new RegExp(`^${SEARCH_LABEL}$`)
const CONFIG_KEY_PATTERN = new RegExp(`^${CONFIG_KEY}$`)
const PERCENT_PATTERN = new RegExp(`^${PERCENT}$`)

/** Names of the form `a.b-c` in which labels may hold underscores, as search paths of resolvers do. */
export function searchProblems(name: string): string[] {
  const problems = lengthProblems(name, 253)
  if (!name.split('.').every((label) => SEARCH_PATTERN.test(label))) {
    problems.push(
      `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SEARCH_LABEL}(\\.${SEARCH_LABEL})*')`,
    )
  }
  return problems
}

/** Names of the form `*.a.b`. */
export function wildcardProblems(name: string): string[] {
  const problems = lengthProblems(name, 253)
  if (!name.startsWith('*.') || !isSubdomain(name.slice(2))) {
    problems.push(
      `a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.${SUBDOMAIN}')`,
    )
  }
  return problems
}

/** Names of headers of HTTP. */
export function headerNameProblems(name: string): string[] {
  if (/^[-A-Za-z0-9]+$/.test(name)) return []
  return [
    "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
  ]
}

/** Names that can be a segment of a path. */
export function segmentProblems(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`]
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`)
}

/** Names of ports: `http`, `web-1`. */
export function portNameProblems(name: string): string[] {
  const problems = lengthProblems(name, 15)
  if (!/^[-a-z0-9]+$/.test(name)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  }
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)')
  if (name.includes('--')) problems.push('must not contain consecutive hyphens')
  if (name.startsWith('-') || name.endsWith('-')) problems.push('must not begin or end with a hyphen')
  return problems
}

/** Names of environment variables: any visible ASCII but `=`. */
export function environmentNameProblems(name: string): string[] {
  if (name === '') return ['environment variable name must be non-empty']
  if (/^[ -<>-~]*$/.test(name)) return []
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"]
}

/** Keys of ConfigMaps and Secrets. */
export function configKeyProblems(key: string): string[] {
  const problems = lengthProblems(key, 253)
  if (!CONFIG_KEY_PATTERN.test(key)) {
    problems.push(
      `a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '${CONFIG_KEY}')`,
    )
  }
  if (key === '.' || key === '..') problems.push(`must not be '${key}'`)
  else if (key.startsWith('..')) problems.push("must not start with '..'")
  return problems
}

/** `25%`. */
export function percentProblems(text: string): string[] {
  if (PERCENT_PATTERN.test(text)) return []
  return [
    `a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '${PERCENT}')`,
  ]
}

/** Numbers of ports. */
export function portProblems(port: unknown): string[] {
  return typeof port === 'number' && port >= 1 && port <= 65_535
    ? []
    : ['must be between 1 and 65535, inclusive']
}

/** Why a text cannot be the name of a kind, in one message; undefined where it can. */
export function kindNameProblem(kind: string): string | undefined {
  const problems = label1035Problems(kind.toLowerCase())
  if (problems.length === 0) return undefined
  return `may have mixed case, but should otherwise match: ${problems.join(',')}`
}
