import { overloadsWith, type Library, type Overload } from '../overload.ts'
import { opaqueType } from '../../types/type.ts'
import { fail, OpaqueValue, type Value } from '../../values/value.ts'

const overload = overloadsWith<{ 'kubernetes.Semver': VersionValue }>()

const SEMVER = opaqueType('kubernetes.Semver')

interface Version {
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint]
  readonly pre: readonly string[]
}

class VersionValue extends OpaqueValue {
  readonly type = SEMVER
  readonly version: Version

  constructor(version: Version) {
    super()
    this.version = version
  }

  override equals(other: OpaqueValue): boolean {
    return other instanceof VersionValue && compare(this.version, other.version) === 0n
  }
}

/** Versions by the rules of semver. */
export function semanticVersions(): Library {
  const type = 'kubernetes.Semver'
  const make = (text: string, tolerant = false): Value => {
    const version = parse(text, tolerant)
    return version instanceof Error ? fail(version.message) : new VersionValue(version)
  }
  const isOne = (text: string, tolerant = false): Value => !(parse(text, tolerant) instanceof Error)
  const order = (a: VersionValue, b: VersionValue): bigint => compare(a.version, b.version)
  const number = (name: string, index: 0 | 1 | 2): Overload =>
    overload(name, `semver_${name}`, `${type}.() -> int`, (value) => value.version.numbers[index])
  return {
    overloads: [
      overload('semver', 'string_to_semver', `(string) -> ${type}`, make),
      overload('semver', 'string_bool_to_semver', `(string, bool) -> ${type}`, make),
      overload('isSemver', 'is_semver_string', '(string) -> bool', isOne),
      overload('isSemver', 'is_semver_string_bool', '(string, bool) -> bool', isOne),
      overload(
        'isGreaterThan',
        'semver_is_greater_than',
        `${type}.(${type}) -> bool`,
        (a, b) => order(a, b) > 0n,
      ),
      overload('isLessThan', 'semver_is_less_than', `${type}.(${type}) -> bool`, (a, b) => order(a, b) < 0n),
      overload('compareTo', 'semver_compare_to', `${type}.(${type}) -> int`, order),
      number('major', 0),
      number('minor', 1),
      number('patch', 2),
    ],
  }
}

const NUMBERS = ['Major', 'Minor', 'Patch'] as const

function parse(text: string, tolerant: boolean): Version | Error {
  const source = tolerant ? normalize(text) : text
  if (source instanceof Error) return source
  if (source === '') return new Error('Version string empty')
  const parts = splitAt(source, '.', 3)
  if (parts.length !== 3) return new Error('No Major.Minor.Patch elements found')
  let patch = parts[2]!
  const build = takeAfter(patch, '+')
  if (build !== undefined) patch = patch.slice(0, -build.length - 1)
  const pre = takeAfter(patch, '-')
  if (pre !== undefined) patch = patch.slice(0, -pre.length - 1)
  const numbers: bigint[] = []
  for (const [index, part] of [parts[0]!, parts[1]!, patch].entries()) {
    if (!/^\d+$/.test(part)) {
      return new Error(
        `Invalid character(s) found in ${NUMBERS[index]!.toLowerCase()} number ${JSON.stringify(part)}`,
      )
    }
    if (part.length > 1 && part.startsWith('0')) {
      return new Error(`${NUMBERS[index]} number must not contain leading zeroes ${JSON.stringify(part)}`)
    }
    numbers.push(BigInt(part))
  }
  for (const one of pre?.split('.') ?? []) {
    if (one === '') return new Error('Prerelease is empty')
    if (!/^[0-9A-Za-z-]+$/.test(one))
      return new Error(`Invalid character(s) found in prerelease ${JSON.stringify(one)}`)
    if (/^0\d+$/.test(one)) {
      return new Error(`Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(one)}`)
    }
  }
  for (const one of build?.split('.') ?? []) {
    if (one === '') return new Error('Build meta data is empty')
    if (!/^[0-9A-Za-z-]+$/.test(one)) {
      return new Error(`Invalid character(s) found in build meta data ${JSON.stringify(one)}`)
    }
  }
  return { numbers: numbers as [bigint, bigint, bigint], pre: pre?.split('.') ?? [] }
}

/** Removes a `v` and leading zeroes, and adds missing numbers as zeroes. */
function normalize(text: string): string | Error {
  const parts = splitAt(text.replace(/^v/, ''), '.', 3).map((part) => {
    if (part.length <= 1) return part
    const trimmed = part.replace(/^0+/, '')
    return /^\d/.test(trimmed) ? trimmed : `0${trimmed}`
  })
  if (parts.length < 3 && /[+-]/.test(parts.at(-1)!)) {
    return new Error('short version cannot contain PreRelease/Build meta data')
  }
  while (parts.length < 3) parts.push('0')
  return parts.join('.')
}

function splitAt(text: string, separator: string, count: number): string[] {
  const parts = text.split(separator)
  return parts.length <= count
    ? parts
    : [...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)]
}

function takeAfter(text: string, mark: string): string | undefined {
  const index = text.indexOf(mark)
  return index < 0 ? undefined : text.slice(index + 1)
}

function compare(a: Version, b: Version): bigint {
  for (const index of [0, 1, 2] as const) {
    if (a.numbers[index] !== b.numbers[index]) return a.numbers[index] > b.numbers[index] ? 1n : -1n
  }
  if (a.pre.length === 0 || b.pre.length === 0) {
    return a.pre.length === b.pre.length ? 0n : a.pre.length === 0 ? 1n : -1n
  }
  for (let index = 0; index < Math.min(a.pre.length, b.pre.length); index++) {
    const order = comparePart(a.pre[index]!, b.pre[index]!)
    if (order !== 0n) return order
  }
  return BigInt(Math.sign(a.pre.length - b.pre.length))
}

/** Numbers come before words. */
function comparePart(a: string, b: string): bigint {
  const [numberA, numberB] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (numberA !== numberB) return numberA ? -1n : 1n
  const [left, right] = numberA ? [BigInt(a), BigInt(b)] : [a, b]
  return left === right ? 0n : left > right ? 1n : -1n
}
