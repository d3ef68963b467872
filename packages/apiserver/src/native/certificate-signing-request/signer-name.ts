import {
  byteLength,
  type FieldError,
  invalidValue,
  labelProblems,
  quote,
  requiredValue,
  subdomainProblems,
  textOf,
  tooLong,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'

const LONGEST_DOMAIN = 253
const LONGEST = 571

/** Validates the name of a signer: `example.com/signer-name`. */
export function validateSignerName(value: unknown, field: string): FieldError[] {
  const name = textOf(value ?? '')
  if (name === '') return [requiredValue(field)]
  const [domain = '', path, ...more] = name.split('/')
  if (path === undefined || more.length > 0) {
    const detail = "must be a fully qualified domain and path of the form 'example.com/signer-name'"
    return [invalidValue(field, name, detail)]
  }
  const errors = byteLength(domain) > LONGEST_DOMAIN ? [tooLong(field, LONGEST_DOMAIN)] : []
  addAll(errors, partErrors(domain, labelProblems, field))
  if (!domain.includes('.')) {
    errors.push(
      invalidValue(field, domain, 'should be a domain with at least two segments separated by dots'),
    )
  }
  addAll(errors, partErrors(path, subdomainProblems, field))
  if (byteLength(name) > LONGEST) errors.push(tooLong(field, LONGEST))
  return errors
}

/** Reports the errors of the first invalid label. */
function partErrors(part: string, form: (text: string) => string[], field: string): FieldError[] {
  for (const label of part.split('.')) {
    const problems = form(label)
    if (problems.length === 0) continue
    return problems.map((problem) =>
      invalidValue(field, part, `validating label ${quote(label)}: ${problem}`),
    )
  }
  return []
}
