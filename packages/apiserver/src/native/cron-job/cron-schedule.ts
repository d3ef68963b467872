/** What the fields of a schedule can be, from minutes to days of the week. */
interface Bounds {
  readonly low: number
  readonly high: number
  readonly names?: readonly string[]
}

const FIELDS: readonly Bounds[] = [
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31 },
  { low: 1, high: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ') },
  { low: 0, high: 6, names: 'sun mon tue wed thu fri sat'.split(' ') },
]
const DESCRIPTORS = new Set(
  ['yearly', 'annually', 'monthly', 'weekly', 'daily', 'midnight', 'hourly'].map((name) => `@${name}`),
)
const DURATION = /^[+-]?(0|(\d+(\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h))+$/

/** Why a text is no schedule of the form `0 3 * * MON`; undefined when it is one. */
export function scheduleProblem(text: string): string | undefined {
  let schedule = text
  const zone = /^(?:CRON_)?TZ=(\S*) /.exec(text)
  if (zone) {
    const [, name = ''] = zone
    if (!isTimeZone(name)) return `provided bad location ${name}: unknown time zone ${name}`
    schedule = text.slice(zone[0].length).trim()
  }
  if (schedule.startsWith('@')) return descriptorProblem(schedule)
  const fields = schedule.split(/\s+/).filter((field) => field !== '')
  if (fields.length !== FIELDS.length) {
    return `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`
  }
  for (const [index, field] of fields.entries()) {
    for (const part of field.split(',').filter((one) => one !== '')) {
      const problem = rangeProblem(part, FIELDS[index]!)
      if (problem !== undefined) return problem
    }
  }
  return undefined
}

function descriptorProblem(text: string): string | undefined {
  if (DESCRIPTORS.has(text)) return undefined
  if (!text.startsWith('@every ')) return `unrecognized descriptor: ${text}`
  const duration = text.slice('@every '.length)
  if (DURATION.test(duration)) return undefined
  return `failed to parse duration ${text}: time: invalid duration ${JSON.stringify(duration)}`
}

function rangeProblem(text: string, bounds: Bounds): string | undefined {
  const [range = '', ...steps] = text.split('/')
  const limits = range.split('-')
  const [first = ''] = limits
  let start = bounds.low
  let end = bounds.high
  if (first !== '*' && first !== '?') {
    const low = numberIn(first, bounds)
    if (typeof low === 'string') return low
    start = low
    end = low
    if (limits.length > 2) return `too many hyphens: ${text}`
    if (limits.length === 2) {
      const high = numberIn(limits[1] ?? '', bounds)
      if (typeof high === 'string') return high
      end = high
    }
  }
  if (steps.length > 1) return `too many slashes: ${text}`
  const step = steps[0] === undefined ? 1 : numberIn(steps[0])
  if (typeof step === 'string') return step
  if (steps.length === 1 && limits.length === 1) end = bounds.high
  if (start < bounds.low) return `beginning of range (${start}) below minimum (${bounds.low}): ${text}`
  if (end > bounds.high) return `end of range (${end}) above maximum (${bounds.high}): ${text}`
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`
  return step === 0 ? `step of range should be a positive number: ${text}` : undefined
}

/** The number in a text, or what is wrong with it. */
function numberIn(text: string, bounds?: Bounds): number | string {
  const named = bounds?.names?.indexOf(text.toLowerCase()) ?? -1
  if (bounds && named >= 0) return named + bounds.low
  if (!/^[+-]?\d+$/.test(text)) {
    return `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`
  }
  const number = Number(text)
  return number < 0 ? `negative number (${number}) not allowed: ${text}` : number
}

/** Whether there is a time zone of this name. */
export function isTimeZone(name: string): boolean {
  if (name === '' || name === 'UTC' || name === 'Local') return true
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
