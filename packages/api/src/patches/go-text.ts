import { isExactNumber } from '../json/index.ts'
import { isObject } from './json-value.ts'

/**
 * A decoded JSON value as Kubernetes' messages show it, which is as Go prints it: `map[spec:map[replicas:5]]`. Keys are
 * sorted, and a number that is no 64-bit integer has an exponent from a million on.
 */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (typeof value === 'string') return value
  if (typeof value === 'number') return numberText(value)
  if (isExactNumber(value)) return value.rawJSON
  if (Array.isArray(value)) return `[${value.map((item) => goText(item)).join(' ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const fields = Object.keys(value).sort()
  return `map[${fields.map((name) => `${name}:${goText(value[name])}`).join(' ')}]`
}

function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return String(value)
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(value)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}
