const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?'
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`
const LABEL_PATTERN = new RegExp(`^${LABEL}$`)
const LABEL_1035_PATTERN = new RegExp(`^${LABEL_1035}$`)

/**
 * A Kubernetes API server's messages about a name of the form `a.b-c`, which most kinds have; none where it is valid.
 */
export function subdomainProblems(name: string): string[] {
  const problems = lengthProblems(name, 253)
  if (!isSubdomain(name)) {
    problems.push(
      `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`,
    )
  }
  return problems
}

/** The messages about a name of the form `a-b`. */
export function labelProblems(name: string): string[] {
  const problems = lengthProblems(name, 63)
  if (LABEL_PATTERN.test(name)) return problems
  if (isSubdomain(name)) problems.push('must not contain dots')
  else {
    problems.push(
      `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL}')`,
    )
  }
  return problems
}

/** The messages about a name of the form `a-b` that begins with a letter. */
export function label1035Problems(name: string): string[] {
  const problems = lengthProblems(name, 63)
  if (!LABEL_1035_PATTERN.test(name)) {
    problems.push(
      `a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '${LABEL_1035}')`,
    )
  }
  return problems
}

/**
 * Whether a name is a DNS subdomain. It is checked label by label, since one pattern for the whole would backtrack
 * on long names.
 */
export function isSubdomain(name: string): boolean {
  return name.split('.').every((label) => LABEL_PATTERN.test(label))
}

/** The message about the length of a text. It is counted in bytes, although Kubernetes' message says characters. */
export function lengthProblems(text: string, longest: number): string[] {
  const short = text.length * 3 <= longest || new TextEncoder().encode(text).length <= longest
  return short ? [] : [`must be no more than ${longest} characters`]
}
