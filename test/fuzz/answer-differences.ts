import type { ComparableAnswer } from './comparable-answer.ts'
import { withoutSpace } from './key-in-path.ts'

/** Where our answer is not the real server's: one line for each part. */
export function answerDifferences(ours: ComparableAnswer, real: ComparableAnswer): string[] {
  const lines: string[] = []
  if (ours.code !== real.code) lines.push(`code: ${ours.code}, not ${real.code}`)
  if (ours.failure && real.failure) {
    const [a, b] = [ours.failure, real.failure]
    if (a.reason !== b.reason) lines.push(`reason: ${String(a.reason)}, not ${String(b.reason)}`)
    if (a.message !== b.message) lines.push(`message: ${a.message}, not ${b.message}`)
    for (const cause of a.causes) if (!b.causes.includes(cause)) lines.push(`only ours: ${cause}`)
    for (const cause of b.causes) if (!a.causes.includes(cause)) lines.push(`only real: ${cause}`)
    compare(a.details, b.details, 'details', lines)
  } else if (ours.failure) lines.push(`only we refuse it: ${textOf(ours.failure)}`)
  else if (real.failure) lines.push(`only the real server refuses it: ${textOf(real.failure)}`)
  else compare(ours.object, real.object, '', lines)
  if (ours.failure === undefined || real.failure === undefined || lines.length === 0) {
    for (const one of ours.warnings) if (!real.warnings.includes(one)) lines.push(`only our warning: ${one}`)
    for (const one of real.warnings) if (!ours.warnings.includes(one)) lines.push(`only real warning: ${one}`)
  }
  return lines
}

function textOf({ reason, message, causes }: NonNullable<ComparableAnswer['failure']>): string {
  return `${String(reason)} ${[message, ...causes].filter((one) => one !== '').join('; ')}`
}

function compare(ours: unknown, real: unknown, path: string, lines: string[]): void {
  if (Object.is(ours, real) || lines.length > 12) return
  if (isStructure(ours) && isStructure(real) && Array.isArray(ours) === Array.isArray(real)) {
    for (const key of new Set([...Object.keys(ours), ...Object.keys(real)])) {
      const step = withoutSpace(JSON.stringify(key).slice(1, -1))
      compare(own(ours, key), own(real, key), path === '' ? step : `${path}.${step}`, lines)
    }
    return
  }
  lines.push(`${path}: ${inWords(ours)}, not ${inWords(real)}`)
}

function own(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function isStructure(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function inWords(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

/**
 * Our server's failure, if it failed: an answer from 500 on. It is shared when the real server gives the same code with
 * the same message; any other is a mistake of ours. Of several fields that an apply cannot set or convert, each server may
 * name another.
 */
export function serverFailure(
  ours: ComparableAnswer,
  real: ComparableAnswer,
): { readonly message: string; readonly shared: boolean } | undefined {
  if (ours.code < 500) return undefined
  const message = messageOf(ours)
  return {
    message,
    shared: ours.code === real.code && withoutField(message) === withoutField(messageOf(real)),
  }
}

function withoutField(message: string): string {
  return (
    message
      .replace(/(failed to (?:create typed patch|convert new) object \([^\n]*?\)).*/s, '$1')
      // 1e3 is the integer 1000 to JavaScript, and a floating-point number to Go.
      .replaceAll(/%!s\((int64|float64)=/g, '%!s(NUMBER=')
  )
}

function messageOf({ failure, object }: ComparableAnswer): string {
  return failure ? textOf(failure) : JSON.stringify(object)
}

/** The sort of a difference: the same for the same mistake in other objects, with other values. */
export function signature(lines: readonly string[]): string {
  const general = lines.map((line) =>
    line
      .replace(/^\d: /, '')
      .replaceAll(/"(?:\\.|[^"\\])*"/g, '"…"')
      .replaceAll(/\w+(\.[\w.-]+)? in version/g, 'KIND in version')
      .replaceAll(/handled as an? \w+/g, 'handled as KIND')
      .replaceAll(/\[[^\]]*\]/g, '[…]')
      .replaceAll(/\.\d+(?=\.|:|$)/g, '.#')
      .replaceAll(/-?\d+(\.\d+)?(e[+-]?\d+)?/g, '#')
      .slice(0, 220),
  )
  return [...new Set(general)].slice(0, 4).join(' | ')
}
