/** Formats of texts that both schemas and expressions can ask for. */

/** Whether a text is a UUID, with or without dashes. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}

/** Whether a text is base64 with its padding. An empty text is not. */
export function isBase64(text: string): boolean {
  return BASE64.test(text)
}

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/

/** Whether a text is a day, such as `2026-02-28`. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  return month >= 1 && month <= 12 && day >= 1 && day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Whether a text is a point in time with its zone, such as `2026-02-28T12:00:00Z`. */
export function isDateTime(text: string): boolean {
  const [date, time] = text.toLowerCase().split('t')
  if (time === undefined || !isDate(date ?? '')) return false
  const match = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/.exec(time)
  return match !== null && match[1]! <= '23' && match[2]! <= '59' && match[3]! <= '59'
}
