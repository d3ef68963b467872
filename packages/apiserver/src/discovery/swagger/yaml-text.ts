import { isExactNumber, isJsonObject } from '@homeostat/api'

/** Texts that begin with a letter or a slash, and have no special characters of YAML, need no quotes. */
const PLAIN = /^[A-Za-z_/.](?:[!-9;-~]|:(?=[!-~])| (?=[!-"$-~]))*$/
/** Texts that YAML would read as something else. */
const OTHER_VALUE = /^(?:true|false|null|yes|no|on|off|y|n|~|<<|\.inf|\.nan|[-+.]?[0-9].*|)$/i
const PRINTABLE = /^[ -~]*$/
/** How many columns a level has. */
const LEVEL = 4

/**
 * A value as YAML, as Go writes it in gnostic's messages. Texts that need escapes are written as in JSON, which YAML
 * also reads.
 */
export function yamlText(value: unknown): string {
  return `${block(value, 0)}\n`
}

function block(value: unknown, column: number): string {
  const line = `\n${' '.repeat(column)}`
  if (Array.isArray(value) && value.length > 0) {
    return value.map((one) => `- ${block(one, column + 2)}`).join(line)
  }
  if (isJsonObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value)
      .map(([key, one]) => `${scalar(key)}:${inMapping(one, column)}`)
      .join(line)
  }
  return scalar(value)
}

function inMapping(value: unknown, column: number): string {
  if (isScalar(value)) return ` ${scalar(value)}`
  const next = LEVEL * Math.floor((column + LEVEL) / LEVEL)
  return `\n${' '.repeat(next)}${block(value, next)}`
}

function isScalar(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || isExactNumber(value)) return true
  return Object.keys(value).length === 0
}

function scalar(value: unknown): string {
  if (typeof value !== 'string' || OTHER_VALUE.test(value) || !PRINTABLE.test(value)) {
    return JSON.stringify(value)
  }
  return PLAIN.test(value) ? value : `'${value.replaceAll("'", "''")}'`
}
