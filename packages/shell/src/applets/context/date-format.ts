const DAYS = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
)

/** A time in UTC by the format of `date`. */
export function formatDate(time: number, pattern: string): string {
  const date = new Date(time)
  const two = (value: number, fill = '0'): string => String(value).padStart(2, fill)
  const hours = date.getUTCHours()
  const day = DAYS[date.getUTCDay()] ?? ''
  const month = MONTHS[date.getUTCMonth()] ?? ''
  const iso = date.toISOString()
  const start = Date.UTC(date.getUTCFullYear(), 0, 1)
  const values: Readonly<Record<string, string>> = {
    Y: String(date.getUTCFullYear()),
    C: two(Math.floor(date.getUTCFullYear() / 100)),
    y: two(date.getUTCFullYear() % 100),
    m: two(date.getUTCMonth() + 1),
    d: two(date.getUTCDate()),
    e: two(date.getUTCDate(), ' '),
    H: two(hours),
    k: two(hours, ' '),
    I: two(hours % 12 || 12),
    M: two(date.getUTCMinutes()),
    S: two(date.getUTCSeconds()),
    N: String(Math.floor((time % 1_000) * 1_000_000)).padStart(9, '0'),
    s: String(Math.floor(time / 1_000)),
    j: String(Math.floor((time - start) / 86_400_000) + 1).padStart(3, '0'),
    a: day.slice(0, 3),
    A: day,
    b: month.slice(0, 3),
    h: month.slice(0, 3),
    B: month,
    p: hours < 12 ? 'AM' : 'PM',
    u: String(date.getUTCDay() || 7),
    w: String(date.getUTCDay()),
    F: iso.slice(0, 10),
    T: iso.slice(11, 19),
    R: iso.slice(11, 16),
    D: `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${two(date.getUTCFullYear() % 100)}`,
    Z: 'UTC',
    z: '+0000',
    n: '\n',
    t: '\t',
    '%': '%',
    c: `${day.slice(0, 3)} ${month.slice(0, 3)} ${two(date.getUTCDate(), ' ')} ${iso.slice(11, 19)} ${date.getUTCFullYear()}`,
    x: `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${two(date.getUTCFullYear() % 100)}`,
    X: iso.slice(11, 19),
  }
  return pattern.replace(/%([a-zA-Z%])/g, (whole, letter: string) => values[letter] ?? whole)
}

/** Parses a time as `date -d` accepts it; `undefined` for other texts. */
export function parseTime(text: string, now: number): number | undefined {
  if (text === 'now') return now
  const seconds = /^@(-?[0-9]+(?:\.[0-9]+)?)$/.exec(text)?.[1]
  if (seconds !== undefined) return Number(seconds) * 1_000
  const match =
    /^([0-9]{4}-[0-9]{2}-[0-9]{2})(?:[ T]([0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?))?(Z| ?UTC)?$/.exec(
      text,
    )
  if (match) {
    const time = Date.parse(`${match[1]}T${match[2] ?? '00:00'}Z`)
    return Number.isNaN(time) ? undefined : time
  }
  const clock = /^([0-9]{2}:[0-9]{2}(?::[0-9]{2})?)$/.exec(text)?.[1]
  if (clock !== undefined) return Date.parse(`${new Date(now).toISOString().slice(0, 10)}T${clock}Z`)
  return undefined
}
