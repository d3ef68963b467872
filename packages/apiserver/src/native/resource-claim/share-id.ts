import { byteLength, type FieldError, invalidValue, quote } from '../../schema/index.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const NORMAL =
  'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters'

/** Validates the id of a share of a device: a UUID in lower case. */
export function shareIdErrors(id: string, field: string): FieldError[] {
  const problem = uuidProblem(id)
  if (problem !== undefined) return [invalidValue(field, id, `error validating uid: ${problem}`)]
  return UUID.test(id) ? [] : [invalidValue(field, id, NORMAL)]
}

/** The problem of a UUID, which may have any form that Go reads; undefined where it has none. */
function uuidProblem(id: string): string | undefined {
  const length = byteLength(id)
  const wrong = 'invalid UUID format'
  switch (length) {
    case 36:
      return UUID.test(id.toLowerCase()) ? undefined : wrong
    case 45:
      if (!/^urn:uuid:/i.test(id)) return `invalid urn prefix: ${quote(id.slice(0, 9))}`
      return UUID.test(id.slice(9).toLowerCase()) ? undefined : wrong
    case 38:
      if (!/^\{.*\}$/s.test(id)) return 'invalid bracketed UUID format'
      return UUID.test(id.slice(1, -1).toLowerCase()) ? undefined : wrong
    case 32:
      return /^[0-9a-f]{32}$/i.test(id) ? undefined : wrong
    default:
      return `invalid UUID length: ${length}`
  }
}
