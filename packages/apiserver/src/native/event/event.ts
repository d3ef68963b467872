import { labelKeyProblems } from '@homeostat/api'
import { named } from '../../checks/index.ts'
import {
  byteLength,
  equalJson,
  type FieldError,
  invalidValue,
  isObject,
  type JsonObject,
  objectOf,
  requiredValue,
  textOf,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { coreEventStrategy, eventStrategy } from './event-strategies.ts'
import { eventPrinter } from './table.ts'

/**
 * Events of the core group. Those without an `eventTime`, as clients wrote them before `events.k8s.io`, are hardly
 * validated.
 */
export const coreEvent: NativeKind = {
  group: '',
  kind: 'Event',
  ...coreEventStrategy,
  table: eventPrinter,
  plainFinalizers: true,
  names: 'segment',
  metadataLast: true,
  updateSteps: ['object'],
  default(object) {
    object['reportingComponent'] ??= ''
    object['reportingInstance'] ??= ''
  },
  validate: (object) => commonErrors(object, 'reportingComponent'),
}

/** The core group's names of fields: error messages use these in both groups. */
const CORE: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    regarding: 'involvedObject',
    note: 'message',
    deprecatedSource: 'source',
    deprecatedFirstTimestamp: 'firstTimestamp',
    deprecatedLastTimestamp: 'lastTimestamp',
    deprecatedCount: 'count',
  }),
)

/** Events of `events.k8s.io`. */
export const event: NativeKind = {
  group: 'events.k8s.io',
  kind: 'Event',
  ...eventStrategy,
  table: eventPrinter,
  updateSteps: ['object', 'metadata change', 'change'],
  validate(object, old) {
    const errors = commonErrors(inCoreWords(object), 'reportingController')
    if (old) return errors
    addAll(errors, seriesErrors(object))
    if (!object['eventTime']) errors.push(requiredValue('eventTime'))
    if (object['type'] !== 'Normal' && object['type'] !== 'Warning') {
      errors.push(invalidValue('type', '', `has invalid value: ${textOf(object['type'] ?? '')}`))
    }
    for (const name of ['deprecatedFirstTimestamp', 'deprecatedLastTimestamp', 'deprecatedCount']) {
      if (object[name]) errors.push(invalidValue(CORE.get(name) ?? '', '', 'needs to be unset'))
    }
    const { component, host } = objectOf(object['deprecatedSource'])
    return component || host ? [...errors, invalidValue('source', '', 'needs to be unset')] : errors
  },
  validateUpdate(object, old) {
    const errors = equalJson(object['series'], old['series']) ? [] : seriesErrors(object)
    for (const name of FIXED) {
      if (equalJson(object[name] ?? null, old[name] ?? null)) continue
      const shown = isObject(object[name]) ? { Kind: object[name]['kind'] } : (object[name] ?? '')
      errors.push(invalidValue(CORE.get(name) ?? name, shown, 'field is immutable'))
    }
    return errors
  },
}

const FIXED = [
  'regarding',
  'reason',
  'note',
  'deprecatedSource',
  'deprecatedFirstTimestamp',
  'deprecatedLastTimestamp',
  'deprecatedCount',
  'reason',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingController',
  'reportingInstance',
]

function inCoreWords(object: JsonObject): JsonObject {
  const { regarding, note, reportingController } = object
  return { ...object, involvedObject: regarding, message: note, reportingComponent: reportingController }
}

function seriesErrors(object: JsonObject): FieldError[] {
  const { series } = object
  if (!isObject(series)) return []
  const errors: FieldError[] = []
  if (Number(series['count'] ?? 0) < 2) errors.push(invalidValue('series.count', '', 'should be at least 2'))
  if (!series['lastObservedTime']) errors.push(requiredValue('series.lastObservedTime'))
  return errors
}

function commonErrors(object: JsonObject, reporter: string): FieldError[] {
  const namespace = textOf(objectOf(object['metadata'])['namespace'] ?? '')
  const about = textOf(objectOf(object['involvedObject'])['namespace'] ?? '')
  const isNew = Boolean(object['eventTime'])
  // An event about a cluster-scoped object may be in these namespaces only.
  const allowed = isNew ? ['default', 'kube-system'] : ['default', '']
  const wrong = about === '' ? !allowed.includes(namespace) : !isNew && about !== namespace
  const errors = wrong
    ? [invalidValue('involvedObject.namespace', about, 'does not match event.namespace')]
    : []
  if (!isNew) return errors
  if (!object['reportingComponent']) errors.push(requiredValue(reporter))
  addAll(errors, named(object['reportingComponent'], reporter, labelKeyProblems))
  for (const name of ['reportingInstance', 'action', 'reason']) {
    const text = textOf(object[name] ?? '')
    if (text === '') errors.push(requiredValue(name))
    if (byteLength(text) > 128) errors.push(invalidValue(name, '', 'can have at most 128 characters'))
  }
  if (byteLength(textOf(object['message'] ?? '')) > 1_024) {
    errors.push(invalidValue('message', '', 'can have at most 1024 characters'))
  }
  return errors
}
