const RFC3339_UTC = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?Z$/

/**
 * The time that a schedule names, in milliseconds since 1970; `undefined` when it names none. Dates that
 * the calendar does not have, such as 30 February, are invalid.
 */
export function parseSchedule(schedule: string): number | undefined {
  if (!RFC3339_UTC.test(schedule)) return undefined
  const time = Date.parse(schedule)
  if (Number.isNaN(time)) return undefined
  const sameDay = new Date(time).toISOString().slice(0, 19) === schedule.slice(0, 19)
  return sameDay ? time : undefined
}
