import {
  label1035Problems,
  labelKeyProblems,
  labelProblems,
  labelValueProblems,
  subdomainProblems,
} from '@homeostat/api'
import { opaqueType } from '../../types/type.ts'
import { ArrayList } from '../../values/list-value.ts'
import { OpaqueValue, OptionalValue } from '../../values/value.ts'
import { overloadsWith, type Library } from '../overload.ts'
import { parseRequestUri } from './request-uri.ts'
import { isBase64, isDate, isDateTime, isUuid } from './text-formats.ts'

const overload = overloadsWith<{ 'kubernetes.NamedFormat': NamedFormat }>()

const FORMAT = opaqueType('kubernetes.NamedFormat')

/** A format that texts can be checked against. */
class NamedFormat extends OpaqueValue {
  readonly type = FORMAT
  readonly name: string
  /** The length of the pattern whose cost is charged for a check. */
  readonly patternSize: number
  readonly problems: (text: string) => readonly string[]

  constructor(name: string, patternSize: number, problems: (text: string) => readonly string[]) {
    super()
    this.name = name
    this.patternSize = patternSize
    this.problems = problems
  }

  override equals(other: OpaqueValue): boolean {
    return other instanceof NamedFormat && other.name === this.name
  }
}

/** The formats that expressions can name. */
export function namedFormats(): Library {
  const type = 'kubernetes.NamedFormat'
  const formats = new Map(all().map((format) => [format.name, format]))
  return {
    overloads: [
      overload(
        'validate',
        'format-validate',
        `${type}.(string) -> optional(list(string))`,
        (format, text) => {
          const problems = format.problems(text)
          return problems.length === 0 ? OptionalValue.none : new OptionalValue(new ArrayList(problems))
        },
      ),
      overload('format.named', 'format-named', `(string) -> optional(${type})`, (name) => {
        const format = formats.get(name)
        return format ? new OptionalValue(format) : OptionalValue.none
      }),
      ...[...formats].map(([name, format]) =>
        overload(`format.${name}`, `format.${name}`, `() -> ${type}`, () => format),
      ),
    ],
  }
}

function all(): NamedFormat[] {
  const prefix =
    (problems: (text: string) => readonly string[]) =>
    (text: string): readonly string[] =>
      problems(text.endsWith('-') && text.length > 1 ? `${text.slice(0, -1)}a` : text)
  const plain =
    (check: (text: string) => boolean, problem: string) =>
    (text: string): readonly string[] =>
      check(text) ? [] : [problem]
  return [
    new NamedFormat('dns1123Label', 30, labelProblems),
    new NamedFormat('dns1123Subdomain', 60, subdomainProblems),
    new NamedFormat('dns1035Label', 30, label1035Problems),
    new NamedFormat('qualifiedName', 60, labelKeyProblems),
    new NamedFormat('dns1123LabelPrefix', 30, prefix(labelProblems)),
    new NamedFormat('dns1123SubdomainPrefix', 60, prefix(subdomainProblems)),
    new NamedFormat('dns1035LabelPrefix', 30, prefix(label1035Problems)),
    new NamedFormat('labelValue', 40, labelValueProblems),
    new NamedFormat('uri', URL_PATTERN, (text) => {
      const parts = parseRequestUri(text)
      return parts instanceof Error ? [parts.message] : []
    }),
    new NamedFormat('uuid', UUID_PATTERN, plain(isUuid, 'does not match the UUID format')),
    new NamedFormat('byte', BASE64_PATTERN, plain(isBase64, 'invalid base64')),
    new NamedFormat('date', DATE_TIME_PATTERN, plain(isDate, 'invalid date')),
    new NamedFormat('datetime', DATE_TIME_PATTERN, plain(isDateTime, 'invalid datetime')),
  ]
}

/** The lengths of the patterns from which the API server computes the costs of these checks. */
const URL_PATTERN = 1103
const UUID_PATTERN = 70
const BASE64_PATTERN = 84
const DATE_TIME_PATTERN = 71
