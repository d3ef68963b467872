import type { Status } from '@homeostat/api'

/** The longest Status, in bytes: as long as the longest request. */
const LONGEST = 3 * 1024 * 1024
const encoder = new TextEncoder()

/**
 * A Status as JSON. Where it would be longer than any request, texts in it are cut, and then causes left out, unless it
 * `isSentWhole`.
 */
export function encodeStatus(status: object, isSentWhole = false): Uint8Array {
  const whole = encoder.encode(JSON.stringify(status))
  return isSentWhole || whole.length <= LONGEST ? whole : shortened(status as Status, LONGEST / 8)
}

function shortened(status: Status, longestText: number): Uint8Array {
  const { message, details } = status
  const cutDetails = details && {
    ...details,
    ...(details.name === undefined ? {} : { name: cut(details.name, longestText) }),
    ...(details.causes && { causes: firstCauses(details.causes, longestText) }),
  }
  const json = encoder.encode(
    JSON.stringify({
      ...status,
      ...(message === undefined ? {} : { message: cut(message, longestText) }),
      ...(cutDetails && { details: cutDetails }),
    }),
  )
  return json.length <= LONGEST ? json : shortened(status, longestText / 2)
}

type Causes = NonNullable<NonNullable<Status['details']>['causes']>

function firstCauses(causes: Causes, longestText: number): Causes {
  const kept: Causes[number][] = []
  let left = longestText
  for (const cause of causes) {
    if (left < 0) break
    const message = cause.message === undefined ? undefined : cut(cause.message, longestText / 4)
    const field = cause.field === undefined ? undefined : cut(cause.field, longestText / 4)
    left -= (message?.length ?? 0) + (field?.length ?? 0)
    kept.push({
      ...cause,
      ...(message === undefined ? {} : { message }),
      ...(field === undefined ? {} : { field }),
    })
  }
  return kept
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}… (${text.length} characters in all)`
}
