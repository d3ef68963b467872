import { driverName, named } from '../../checks/index.ts'
import {
  byteLength,
  type FieldError,
  invalidValue,
  requiredValue,
  subdomainProblems,
  textOf,
  tooLong,
} from '../../schema/index.ts'

const LONGEST_IDENTIFIER = 32
const LONGEST_POOL = 253

const DOMAIN_MISSING = 'a fully qualified name must be a domain and a name separated by a slash'
const IDENTIFIER_FORM =
  "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName', regex used for validation is '[A-Za-z_][A-Za-z0-9_]*')"

/** The name of an attribute or a capacity: an identifier, or a domain and an identifier. Kubernetes does not check a name with more slashes. */
export function attributeName(name: string, field: string): FieldError[] {
  const [domain = '', identifier, ...more] = name.split('/')
  if (identifier === undefined) return identifierErrors(domain, field)
  if (more.length > 0) return []
  return [
    ...(domain === ''
      ? [invalidValue(field, '', 'the domain must not be empty')]
      : driverName(domain, field)),
    ...(identifier === ''
      ? [invalidValue(field, '', 'the name must not be empty')]
      : identifierErrors(identifier, field)),
  ]
}

/** The name of an attribute with its domain. */
export function fullAttributeName(name: string, field: string): FieldError[] {
  const errors = attributeName(name, field)
  return name.includes('/') ? errors : [...errors, invalidValue(field, name, DOMAIN_MISSING)]
}

function identifierErrors(text: string, field: string): FieldError[] {
  const errors = byteLength(text) > LONGEST_IDENTIFIER ? [tooLong(field, LONGEST_IDENTIFIER)] : []
  return /^[A-Za-z_]\w*$/.test(text) ? errors : [...errors, invalidValue(field, text, IDENTIFIER_FORM)]
}

/** The name of a pool of devices: DNS subdomains with slashes between them. */
export function poolName(value: unknown, field: string): FieldError[] {
  const name = textOf(value ?? '')
  if (name === '') return [requiredValue(field)]
  const errors = byteLength(name) > LONGEST_POOL ? [tooLong(field, LONGEST_POOL)] : []
  return [...errors, ...name.split('/').flatMap((part) => named(part, field, subdomainProblems))]
}
