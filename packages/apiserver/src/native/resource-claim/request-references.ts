import { named } from '../../checks/index.ts'
import {
  type FieldError,
  invalidValue,
  labelProblems,
  listOf,
  objectOf,
  textOf,
  tooMany,
} from '../../schema/index.ts'
import { repeated } from '../devices/limited-lists.ts'

/** The most requests of a claim, and the most references to them. */
export const MOST_REQUESTS = 32

/** The names of the requests of a claim, with those of their alternatives. */
export type RequestNames = ReadonlyMap<string, ReadonlySet<string>>

export function namesOf(requests: unknown): RequestNames {
  return new Map(
    listOf(requests)
      .map(objectOf)
      .map(({ name, firstAvailable }) => [
        textOf(name ?? ''),
        new Set(listOf(firstAvailable).map((item) => textOf(objectOf(item)['name'] ?? ''))),
      ]),
  )
}

const NO_REQUEST =
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'"

/** The errors of a list of references. */
export function referenceErrors(value: unknown, field: string, names: RequestNames): FieldError[] {
  const references = listOf(value).map((item) => textOf(item ?? ''))
  if (references.length > MOST_REQUESTS) return [tooMany(field, references.length, MOST_REQUESTS)]
  return [
    ...references.flatMap((reference, index) => oneReference(reference, `${field}[${index}]`, names)),
    ...repeated(references, field),
  ]
}

/** The errors of a reference to a request, such as `gpu` and `gpu/large`. */
export function oneReference(reference: string, field: string, names: RequestNames): FieldError[] {
  const parts = reference.split('/')
  const [request = '', alternative] = parts
  if (parts.length > 2) return [invalidValue(field, reference, NO_REQUEST)]
  const known = names.get(request)
  const found = known !== undefined && (alternative === undefined || known.has(alternative))
  const wrong = parts.flatMap((part) => named(part, field, labelProblems))
  return found ? wrong : [...wrong, invalidValue(field, reference, NO_REQUEST)]
}
