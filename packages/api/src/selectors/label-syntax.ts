const NAME = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const NAME_PATTERN = new RegExp(`^${NAME}$`)
const NAME_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character " +
  `(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${NAME}')`

const VALUE = `(${NAME})?`
const VALUE_PATTERN = new RegExp(`^${VALUE}$`)
const VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and " +
  `end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${VALUE}')`

const SUBDOMAIN = String.raw`[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`
const SUBDOMAIN_PATTERN = new RegExp(`^${SUBDOMAIN}$`)
const SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and " +
  `end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${SUBDOMAIN}')`

const encoder = new TextEncoder()
const LONGEST = 63
const LONGEST_SUBDOMAIN = 253

/** A valid value of a label, and a valid key without a prefix: most are, and a selector may have a great many. */
const PLAIN = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/

/** Valid keys with a prefix that were met lately. All objects together have few. */
const known = new Set<string>()
const MOST_KNOWN = 500

/** An API server's messages about the key of a label or an annotation; none if it is valid. */
export function labelKeyProblems(key: string): string[] {
  if (known.has(key) || PLAIN.test(key)) return []
  const problems = prefixedKeyProblems(key)
  if (problems.length > 0) return problems
  if (known.size >= MOST_KNOWN) known.clear()
  known.add(key)
  return problems
}

function prefixedKeyProblems(key: string): string[] {
  const parts = key.split('/')
  if (parts.length > 2) {
    return [
      `a valid label key ${NAME_RULE} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  const problems: string[] = []
  const name = parts.at(-1)!
  if (parts.length === 2) {
    problems.push(...prefixProblems(parts[0]!).map((problem) => `prefix part ${problem}`))
  }
  if (name === '') problems.push('name part must be non-empty')
  else problems.push(...lengthProblems(name, LONGEST).map((problem) => `name part ${problem}`))
  if (!NAME_PATTERN.test(name)) problems.push(`name part ${NAME_RULE}`)
  return problems
}

/** An API server's messages about the value of a label; none if it is valid. */
export function labelValueProblems(value: string): string[] {
  if (PLAIN.test(value)) return []
  const problems = lengthProblems(value, LONGEST)
  if (!VALUE_PATTERN.test(value)) problems.push(VALUE_RULE)
  return problems
}

function prefixProblems(prefix: string): string[] {
  if (prefix === '') return ['must be non-empty']
  const problems = lengthProblems(prefix, LONGEST_SUBDOMAIN)
  if (!SUBDOMAIN_PATTERN.test(prefix)) problems.push(SUBDOMAIN_RULE)
  return problems
}

function lengthProblems(text: string, longest: number): string[] {
  // A UTF-16 unit takes at most three bytes.
  if (text.length * 3 <= longest) return []
  return encoder.encode(text).length > longest ? [`must be no more than ${longest} bytes`] : []
}
