import type { Logger } from '../telemetry/index.ts'

/** Past this many different ones, further warnings of a server are not logged. */
const MOST_WARNINGS = 1_000

/** Logs the warnings of an answer (deprecated versions, unknown fields) that were not seen before. */
export function logWarnings(
  seen: Set<string>,
  header: string | undefined,
  logger: Logger,
  fields: Readonly<Record<string, unknown>>,
): void {
  if (header === undefined) return
  for (const warning of parseWarnings(header)) {
    if (seen.has(warning) || seen.size >= MOST_WARNINGS) continue
    seen.add(warning)
    logger.warn({ ...fields, warning }, 'the API server warns')
  }
}

/** The texts of a `Warning` header: `299 - "text"`, several of them separated by commas. */
function parseWarnings(header: string): string[] {
  return [...header.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)].map((match) =>
    (match[1] ?? '').replaceAll(/\\(.)/g, '$1'),
  )
}
