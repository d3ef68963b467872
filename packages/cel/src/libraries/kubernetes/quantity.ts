import { overloadsWith, type Library } from '../overload.ts'
import { opaqueType } from '../../types/type.ts'
import { fail, OpaqueValue, type Value } from '../../values/value.ts'

const overload = overloadsWith<{ 'kubernetes.Quantity': QuantityValue }>()

const QUANTITY = opaqueType('kubernetes.Quantity')

/** An amount in billionths: finer is rounded up, as everywhere in Kubernetes. */
class QuantityValue extends OpaqueValue {
  readonly type = QUANTITY
  readonly nanos: bigint

  constructor(nanos: bigint) {
    super()
    this.nanos = nanos
  }

  override equals(other: OpaqueValue): boolean {
    return other instanceof QuantityValue && other.nanos === this.nanos
  }
}

const NANO = 1_000_000_000n
const INT_MAX = 2n ** 63n - 1n

/** Amounts such as `500m` and `1Gi`. */
export function quantity(): Library {
  const type = 'kubernetes.Quantity'
  const compare = (a: QuantityValue, b: QuantityValue): bigint => {
    const difference = a.nanos - b.nanos
    return difference < 0n ? -1n : difference > 0n ? 1n : 0n
  }
  const add = (a: QuantityValue, b: QuantityValue | bigint, sign: bigint): Value => {
    const second = typeof b === 'bigint' ? b * NANO : b.nanos
    return new QuantityValue(a.nanos + sign * second)
  }
  const integer = ({ nanos }: QuantityValue): bigint | undefined => {
    const whole = nanos / NANO
    return nanos % NANO === 0n && whole >= -INT_MAX - 1n && whole <= INT_MAX ? whole : undefined
  }
  return {
    overloads: [
      overload('quantity', 'string_to_quantity', `(string) -> ${type}`, (text) => {
        const nanos = parseQuantity(text)
        return nanos instanceof Error ? fail(nanos.message) : new QuantityValue(nanos)
      }),
      overload('isQuantity', 'is_quantity_string', '(string) -> bool', (text) => {
        return !(parseQuantity(text) instanceof Error)
      }),
      overload('sign', 'quantity_sign', `(${type}) -> int`, (value) => compare(value, new QuantityValue(0n))),
      overload(
        'isGreaterThan',
        'quantity_is_greater_than',
        `${type}.(${type}) -> bool`,
        (a, b) => compare(a, b) > 0n,
      ),
      overload(
        'isLessThan',
        'quantity_is_less_than',
        `${type}.(${type}) -> bool`,
        (a, b) => compare(a, b) < 0n,
      ),
      overload('compareTo', 'quantity_compare_to', `${type}.(${type}) -> int`, compare),
      overload('asApproximateFloat', 'quantity_get_float', `${type}.() -> double`, (value) => {
        const { nanos } = value
        return nanos % NANO === 0n ? Number(nanos / NANO) : Number(nanos) / 1e9
      }),
      overload('asInteger', 'quantity_get_int', `${type}.() -> int`, (value) => {
        return integer(value) ?? fail('cannot convert value to integer')
      }),
      overload(
        'isInteger',
        'quantity_is_integer',
        `${type}.() -> bool`,
        (value) => integer(value) !== undefined,
      ),
      overload('add', 'quantity_add', `${type}.(${type}) -> ${type}`, (a, b) => add(a, b, 1n)),
      overload('add', 'quantity_add_int', `${type}.(int) -> ${type}`, (a, b) => add(a, b, 1n)),
      overload('sub', 'quantity_sub', `${type}.(${type}) -> ${type}`, (a, b) => add(a, b, -1n)),
      overload('sub', 'quantity_sub_int', `${type}.(int) -> ${type}`, (a, b) => add(a, b, -1n)),
    ],
  }
}

const FORM = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const SUFFIX = "unable to parse quantity's suffix"
const DECIMAL: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
}
const BINARY = ['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
/** The largest amount: beyond it an amount is cut down to it. */
const LARGEST = INT_MAX * NANO

function parseQuantity(text: string): bigint | Error {
  const parts = /^([+-]?)(\d*)(?:\.(\d*))?([eEinumkKMGTP]*[-+]?\d*)$/.exec(text)
  if (!parts) return new Error(FORM)
  const [, sign, whole = '', fraction = '', suffix = ''] = parts
  if (whole === '' && fraction === '') return new Error(FORM)
  const scale = scaleOf(suffix)
  if (!scale) return new Error(SUFFIX)
  const [factor, exponent] = scale
  const digits = BigInt(whole + fraction) * factor * NANO
  const shift = exponent - fraction.length
  let nanos: bigint
  if (shift >= 0) nanos = digits * 10n ** BigInt(Math.min(shift, 60))
  else {
    const divisor = 10n ** BigInt(Math.min(-shift, 5000))
    nanos = (digits + divisor - 1n) / divisor
  }
  if (nanos > LARGEST) nanos = LARGEST
  return sign === '-' ? -nanos : nanos
}

function scaleOf(suffix: string): readonly [factor: bigint, exponent: number] | undefined {
  const binary = BINARY.indexOf(suffix)
  if (binary >= 0) return [1024n ** BigInt(binary + 1), 0]
  const decimal = DECIMAL[suffix]
  if (decimal !== undefined) return [1n, decimal]
  const power = /^[eE]([-+]?\d+)$/.exec(suffix)?.[1]
  if (power === undefined || Math.abs(Number(power)) > 2 ** 31) return undefined
  return [1n, Number(power)]
}
