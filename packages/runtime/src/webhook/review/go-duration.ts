const UNITS: ReadonlyMap<string | undefined, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
])

/**
 * The milliseconds of a duration as Go writes it, which is how an API server says how long it waits: `10s`, `1m30s`, `500ms`.
 * `undefined` for anything else.
 */
export function goDuration(text: string | null): number | undefined {
  if (text === null || !/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return undefined
  let sum = 0
  for (const [, number, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
    sum += Number(number) * UNITS.get(unit)!
  return sum > 0 ? sum : undefined
}
