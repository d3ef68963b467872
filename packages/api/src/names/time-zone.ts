/** A moment in the local time of a place. */
export interface LocalTime {
  readonly year: number
  /** From 1. */
  readonly month: number
  readonly day: number
  /** From 0, which is Sunday. */
  readonly weekday: number
  readonly hour: number
  readonly minute: number
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** The local time of a time zone. */
export class TimeZone {
  readonly #format: Intl.DateTimeFormat | undefined

  /** By its name in the tz database; UTC without one. Throws a RangeError for an unknown name. */
  constructor(name?: string) {
    const isUtc = name === undefined || name === '' || name === 'UTC' || name === 'Local'
    this.#format = isUtc
      ? undefined
      : new Intl.DateTimeFormat('en-US', {
          timeZone: name,
          calendar: 'gregory',
          numberingSystem: 'latn',
          hourCycle: 'h23',
          year: 'numeric',
          month: 'numeric',
          day: 'numeric',
          hour: 'numeric',
          minute: 'numeric',
          second: 'numeric',
          era: 'short',
        })
  }

  local(time: number): LocalTime {
    const shown = new Date(time + this.offset(time))
    return {
      year: shown.getUTCFullYear(),
      month: shown.getUTCMonth() + 1,
      day: shown.getUTCDate(),
      weekday: shown.getUTCDay(),
      hour: shown.getUTCHours(),
      minute: shown.getUTCMinutes(),
    }
  }

  /** By how many milliseconds the clocks are ahead of UTC. */
  offset(time: number): number {
    if (!this.#format) return 0
    const parts = new Map(this.#format.formatToParts(time).map(({ type, value }) => [type, value]))
    const part = (type: Intl.DateTimeFormatPartTypes): number => Number(parts.get(type) ?? 0)
    const shown = new Date(0)
    const year = parts.get('era') === 'BC' ? 1 - part('year') : part('year')
    shown.setUTCFullYear(year, part('month') - 1, part('day'))
    shown.setUTCHours(part('hour'), part('minute'), part('second'))
    return shown.getTime() - Math.floor(time / 1_000) * 1_000
  }

  /** The first moment of a day, in milliseconds since 1970. Days and months past the end roll over. */
  startOfDay(year: number, month: number, day: number): number {
    const shown = Date.UTC(year, month - 1, day)
    // Where clocks change at midnight the day begins with the change.
    const offsets = [this.offset(shown - DAY), this.offset(shown + DAY)]
    const starts = offsets.map((offset) => shown - offset).sort((a, b) => a - b)
    return starts.find((start) => start + this.offset(start) >= shown) ?? starts[1] ?? shown
  }

  /** A time as RFC 3339 writes it, with the offset of the place: `2026-01-01T13:00:00+01:00`. */
  format(time: number): string {
    const offset = Math.round(this.offset(time) / MINUTE)
    const shown = new Date(time + offset * MINUTE).toISOString().slice(0, 19)
    if (offset === 0) return `${shown}Z`
    const digits = (number: number): string => String(number).padStart(2, '0')
    const size = Math.abs(offset)
    return `${shown}${offset < 0 ? '-' : '+'}${digits(Math.floor(size / 60))}:${digits(size % 60)}`
  }
}
