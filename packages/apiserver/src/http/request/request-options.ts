import { failure, type ApiRequest } from '@homeostat/api'
import { Failure, type WriteOptions } from '../../registry/index.ts'
import {
  causesOf,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isPrintable,
  quote,
  requiredValue,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'

const LONGEST_MANAGER = 128
/** Names whose characters are all printable, as nearly all are. */
const PLAIN = /^[\x20-\x7e]*$/
const FIELD_VALIDATION = ['', 'Ignore', 'Strict', 'Warn']

/** The options of a write. `kind` is the API's name for them. */
export function writeOptions(
  request: ApiRequest,
  kind: 'CreateOptions' | 'UpdateOptions' | 'PatchOptions',
  warn: (message: string) => void,
  applies = false,
): WriteOptions & { force: boolean } {
  const { query } = request
  const manager = query.get('fieldManager') ?? ''
  const validation = query.get('fieldValidation') ?? ''
  const problems = []
  if (applies && manager === '') problems.push(requiredValue('fieldManager', 'is required for apply patch'))
  if (kind === 'PatchOptions' && !applies && query.has('force')) {
    problems.push(forbiddenValue('force', 'may not be specified for non-apply patch'))
  }
  if (manager.length > LONGEST_MANAGER) {
    problems.push({
      field: 'fieldManager',
      reason: 'FieldValueTooLong' as const,
      message: `Too long: may not be more than ${LONGEST_MANAGER} bytes`,
    })
  }
  addAll(problems, unprintable(manager))
  addAll(problems, dryRunProblems(query))
  if (!FIELD_VALIDATION.includes(validation)) {
    problems.push(unsupportedValue('fieldValidation', validation, FIELD_VALIDATION))
  }
  if (problems.length > 0) {
    throw new Failure(failure.invalid({ group: 'meta.k8s.io', kind }, '', causesOf(problems)))
  }
  return {
    dryRun: query.has('dryRun'),
    fieldManager: manager || managerFromAgent(request.headers['user-agent']),
    fieldValidation: (validation || 'Warn') as WriteOptions['fieldValidation'],
    size: request.body?.length,
    warn,
    force: query.get('force') === 'true' || query.get('force') === '1',
  }
}

/** The characters of a manager's name that cannot be printed, by the byte at which they stand. */
function unprintable(manager: string): FieldError[] {
  const errors: FieldError[] = []
  if (PLAIN.test(manager)) return errors
  let at = 0
  for (const char of manager) {
    const code = char.codePointAt(0) ?? 0
    if (!isPrintable(char)) {
      const shown = code.toString(16).toUpperCase().padStart(4, '0')
      errors.push(invalidValue('fieldManager', manager, `invalid character U+${shown} (at position ${at})`))
    }
    at += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return errors
}

/** The part of the User-Agent before the first slash. */
function managerFromAgent(agent: string | undefined): string {
  const name = (agent?.split('/')[0] ?? '').replaceAll(/[^\x20-\x7e\u00a1-\uffff]/g, '')
  return name.slice(0, LONGEST_MANAGER) || 'unknown'
}

/** A whole number in a query, or the nearest one that JavaScript holds; fails with `BadRequest` on anything else. */
export function integer(text: string): number {
  return Number(int64(text))
}

/** A whole number of 64 bits in a query, exactly; fails with `BadRequest` on anything else. */
export function int64(text: string): bigint {
  const refuse = (why: string): Failure =>
    new Failure(failure.badRequest(`strconv.ParseInt: parsing ${quote(text)}: ${why}`))
  if (!/^[+-]?\d+$/.test(text)) throw refuse('invalid syntax')
  const value = BigInt(text.replace(/^\+/, ''))
  if (BigInt.asIntN(64, value) !== value) throw refuse('value out of range')
  return value
}

/** A boolean in a query: a parameter without a value is true. */
export function isTrue(text: string | null): boolean {
  return text !== null && text !== '0' && text.toLowerCase() !== 'false'
}

/** The problems of the parameter `dryRun`. */
export function dryRunProblems(query: URLSearchParams): ReturnType<typeof unsupportedValue>[] {
  const values = query.getAll('dryRun')
  if (values.every((value) => value === 'All')) return []
  return [unsupportedValue('dryRun', values, ['All'])]
}
