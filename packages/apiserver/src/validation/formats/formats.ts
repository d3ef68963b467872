import { parseFormatDuration } from '@homeostat/api'
import { isBase64, isDate, isDateTime, isUuid, parseRequestUri } from '@homeostat/cel'
import { isAddress, isNetwork } from '../../schema/index.ts'
import { latePattern } from '../../work/index.ts'

type Check = (text: string) => boolean

/**
 * Whether a text has a format, by the format's name without dashes. As in Kubernetes, other formats are ignored;
 * those of numbers are checked with the number.
 */
const CHECKS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['bsonobjectid', pattern(/^[0-9a-fA-F]{24}$/)],
  ['uri', (text) => !(parseRequestUri(text) instanceof Error)],
  ['email', isEmail],
  ['hostname', isHostname],
  ['ipv4', (text) => text.includes('.') && isAddress(text)],
  ['ipv6', (text) => text.includes(':') && isAddress(text)],
  ['cidr', isNetwork],
  ['mac', isMac],
  ['uuid', isUuid],
  ['uuid3', pattern(/^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i)],
  ['uuid4', pattern(/^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['uuid5', pattern(/^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i)],
  ['isbn', (text) => isIsbn10(text) || isIsbn13(text)],
  ['isbn10', isIsbn10],
  ['isbn13', isIsbn13],
  ['creditcard', isCreditCard],
  ['ssn', pattern(/^\d{3}[- ]?\d{2}[- ]?\d{4}$/)],
  ['hexcolor', pattern(/^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/)],
  ['rgbcolor', isRgbColor],
  ['byte', isBase64],
  ['password', () => true],
  ['date', isDate],
  ['duration', (text) => parseFormatDuration(text) !== undefined],
  ['datetime', isDateTime],
  ['k8sshortname', (text) => text.length <= 63 && SHORT_NAME.test(text)],
  ['k8slongname', (text) => text.length <= 253 && text.split('.').every((part) => SHORT_NAME.test(part))],
])

const SHORT_NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/

/** The check of a format of texts, or `undefined` for one that Kubernetes does not know. */
export function formatCheck(format: string): Check | undefined {
  return CHECKS.get(format.replaceAll('-', ''))
}

function pattern(expression: RegExp): Check {
  return (text) => expression.test(text)
}

const hostname = latePattern(String.raw`^[\p{S}\p{L}0-9](?:-?[\p{S}\p{L}0-9]{0,62})?$`, 'u')
const hostLabel = latePattern(String.raw`^[\p{S}\p{L}0-9](?:[-\p{S}\p{L}0-9]{0,61}[\p{S}\p{L}0-9])?$`, 'u')
const topLevel = latePattern(String.raw`^\p{L}{2,63}$`, 'u')

function isHostname(text: string): boolean {
  if (text.length > 255 || text.split('.').some((label) => label.length > 63)) return false
  return hostname().test(text) || isDottedHostname(text)
}

function isDottedHostname(text: string): boolean {
  const labels = text.split('.')
  const last = labels.pop()
  if (last === undefined || labels.length === 0 || !topLevel().test(last)) return false
  return labels.every((label) => hostLabel().test(label))
}

/** An address alone, or after a name in angle brackets: `Ann <ann@example.com>`. */
function isEmail(text: string): boolean {
  const address = /^[^<>]*<([^<>]+)>\s*$/.exec(text)?.[1] ?? text.trim()
  return /^(?:"[^"\\]*"|[^\s@<>()[\]\\,;:".]+(?:\.[^\s@<>()[\]\\,;:".]+)*)@(?:\[[^[\]\\]*\]|[^\s@<>()[\]\\,;:"]+)$/.test(
    address,
  )
}

function isMac(text: string): boolean {
  for (const octets of [6, 8, 20]) {
    for (const separator of [':', '-']) {
      if (new RegExp(`^[0-9a-fA-F]{2}(?:${separator}[0-9a-fA-F]{2}){${octets - 1}}$`).test(text)) return true
    }
    if (new RegExp(`^[0-9a-fA-F]{4}(?:\\.[0-9a-fA-F]{4}){${octets / 2 - 1}}$`).test(text)) return true
  }
  return false
}

function isIsbn10(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '')
  if (!/^\d{9}[\dX]$/.test(digits)) return false
  let sum = 0
  for (let index = 0; index < 10; index++)
    sum += (index + 1) * (digits[index] === 'X' ? 10 : Number(digits[index]))
  return sum % 11 === 0
}

function isIsbn13(text: string): boolean {
  const digits = text.replace(/[\s-]+/g, '')
  if (!/^\d{13}$/.test(digits)) return false
  let sum = 0
  for (let index = 0; index < 13; index++) sum += Number(digits[index]) * (index % 2 === 0 ? 1 : 3)
  return sum % 10 === 0
}

const CARD =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/

function isCreditCard(text: string): boolean {
  const digits = text.replace(/\D+/g, '')
  if (!CARD.test(digits)) return false
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

function isRgbColor(text: string): boolean {
  const match = /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text)
  return match !== null && match.slice(1).every((part) => Number(part) <= 255)
}
