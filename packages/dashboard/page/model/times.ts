const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** A time of day. */
export function timeOf(at: number): string {
  return TIME.format(at)
}

/** A time of day, to the millisecond. */
export function exactTimeOf(at: number): string {
  return `${TIME.format(at)}.${String(Math.floor(at) % 1000).padStart(3, '0')}`
}

/** A span of time, as short as it can be read. */
export function spanOf(milliseconds: number): string {
  const ms = Math.abs(milliseconds)
  if (ms < 9.95) return `${Math.round(ms * 10) / 10} ms`
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 9950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return both(seconds, 'min', 's')
  return both(Math.round(seconds / 60), 'h', 'min')
}

/** A span in a larger unit and what is left of it, if anything is. */
function both(span: number, unit: string, sixtieth: string): string {
  const left = span % 60
  return `${Math.floor(span / 60)} ${unit}${left === 0 ? '' : ` ${left} ${sixtieth}`}`
}
