import { ageOf, column, nameOf, wide } from '../../discovery/index.ts'
import type { Printer, PrintedObject } from '../../registry/index.ts'

/** The table of Events, with the field names of either group. */
export const eventPrinter: Printer = {
  columns: [
    column('Last Seen'),
    column('Type'),
    column('Reason'),
    column('Object'),
    wide('Subobject'),
    wide('Source'),
    column('Message'),
    wide('First Seen'),
    wide('Count'),
    column('Name', 'string', { wide: true, format: 'name' }),
  ],
  cells(event, now) {
    const about: PrintedObject = event.involvedObject ?? event.regarding ?? {}
    const source: PrintedObject = event.source ?? event.deprecatedSource ?? {}
    const first = ageOf(event.firstTimestamp ?? event.deprecatedFirstTimestamp ?? event.eventTime, now)
    const last = event.lastTimestamp ?? event.deprecatedLastTimestamp
    const kind = (about.kind ?? '').toLowerCase()
    const component = source.component || event.reportingComponent || event.reportingController || ''
    const instance = source.host || event.reportingInstance
    return [
      event.series ? ageOf(event.series.lastObservedTime, now) : last ? ageOf(last, now) : first,
      event.type ?? '',
      event.reason ?? '',
      about.name ? `${kind}/${about.name}` : kind,
      about.fieldPath ?? '',
      instance ? `${component}, ${instance}` : component,
      (event.message ?? event.note ?? '').trim(),
      first,
      event.series ? (event.series.count ?? 0) : event.count || event.deprecatedCount || 1,
      nameOf(event),
    ]
  },
}
