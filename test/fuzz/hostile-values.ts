import { number, type Tree } from './json-tree.ts'
import type { Random } from './random.ts'

/** Names that JavaScript's plain objects inherit. */
export const PROTOTYPE_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'] as const

/** Whole numbers at the bounds that validation and arithmetic have. */
const WHOLE = [
  '0',
  '1',
  '-1',
  '2',
  '30',
  '100',
  '255',
  '256',
  '1000',
  '32767',
  '65535',
  '65536',
  '-2147483648',
  '-2147483649',
  '2147483646',
  '2147483647',
  '2147483648',
  '4294967295',
  '4294967296',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '9223372036854775806',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775808',
  '-9223372036854775809',
  '18446744073709551615',
]
const FRACTIONS = [
  '0.5',
  '-0.5',
  '1.0',
  '1e3',
  '1.5e300',
  '-0',
  '1e-7',
  '2147483647.5',
  '9223372036854775807.0',
]

const TEXTS = [
  '',
  ' ',
  'a',
  'A',
  '-',
  '.',
  '..',
  '/',
  '*',
  'a/b',
  'a.b/c',
  'a b',
  'true',
  'null',
  '0',
  '1',
  '-1',
  '80',
  '100%',
  '101%',
  '1e9',
  'ünïcödé',
  '名前',
  '😀',
  'e\u0301',
  '\u0000',
  '\n',
  '\t',
  '\u2028',
  '\u202e',
  '<&>',
  '"',
  '\\',
  '%',
  '{}',
  '$(VAR)',
  'example.com',
  'example.com/name',
  'EXAMPLE.com/name',
  'kubernetes.io/name',
  '10.0.0.1',
  '10.0.0.0/8',
  'fe80::1',
  '2001:db8::/64',
  '256.1.1.1',
  '-leading',
  'trailing-',
  'under_score',
  'a'.repeat(63),
  'a'.repeat(64),
  'a'.repeat(253),
  'a'.repeat(254),
  `${'a'.repeat(63)}.b`,
  ...PROTOTYPE_NAMES,
]

const QUANTITIES = [
  '0',
  '1',
  '-1',
  '100m',
  '0.1m',
  '1Ki',
  '1.5Gi',
  '1e3',
  '1E',
  '9Ei',
  '9223372036854775807',
  '9223372036854775808',
  '1e30',
  '1n',
  '1u',
  '.5',
  '1.',
  '+1',
  '',
  'x',
  '1 ',
  '1Zi',
  '1e',
]
const TIMES = [
  '2020-01-02T03:04:05Z',
  '2020-01-02T03:04:05.123456Z',
  '2020-01-02T03:04:05.5Z',
  '2020-01-02T03:04:05+02:00',
  '2020-02-30T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
  '2020-01-02',
  '',
  'now',
]
const BYTES = ['', 'YQ==', 'YWI=', 'YWJj', 'YQ', 'Y', '=', 'YQ==\n', 'a b', 'é', '////', '-_-_']

export function hostileInteger(random: Random): Tree {
  return number(random.chance(0.9) ? random.pick(WHOLE) : random.pick(FRACTIONS))
}

export function hostileText(random: Random): string {
  return random.pick(TEXTS)
}

export function hostileKey(random: Random): string {
  return random.chance(0.4) ? random.pick(PROTOTYPE_NAMES) : random.pick(TEXTS)
}

export function hostileQuantity(random: Random): Tree {
  return random.chance(0.85) ? random.pick(QUANTITIES) : hostileInteger(random)
}

export function hostileTime(random: Random): string {
  return random.pick(TIMES)
}

export function hostileBytes(random: Random): string {
  return random.pick(BYTES)
}

/** A value of any type. */
export function anyValue(random: Random): Tree {
  return random.weighted<() => Tree>([
    [3, () => null],
    [2, () => random.chance(0.5)],
    [4, () => hostileInteger(random)],
    [4, () => hostileText(random)],
    [1, () => []],
    [1, () => ({})],
    [1, () => [hostileText(random)]],
    [1, () => [hostileInteger(random)]],
    [1, () => [null]],
    [1, () => [{}]],
    [1, () => ({ [hostileText(random)]: hostileText(random) })],
  ])()
}
