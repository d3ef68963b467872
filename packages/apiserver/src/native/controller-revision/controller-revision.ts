import { notNegative, unchanged } from '../../checks/index.ts'
import { type FieldError, isObject, RawJson, requiredValue } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { controllerRevisionPrinter } from './table.ts'

/** ControllerRevisions: former states of a workload, for rollbacks. */
export const controllerRevision: NativeKind = {
  group: 'apps',
  kind: 'ControllerRevision',
  table: controllerRevisionPrinter,
  updateSteps: ['metadata', 'metadata change', 'change'],
  validate: ({ data, revision }) => [...dataErrors(data), ...notNegative(revision, 'revision')],
  validateUpdate: (object, old) => [
    ...unchanged(object['data'], old['data'], 'data', shownData(object['data'])),
    ...notNegative(object['revision'], 'revision'),
  ],
}

/** Data as a message shows them: a number as in JSON. */
function shownData(data: unknown): unknown {
  return typeof data === 'number' ? new RawJson(JSON.stringify(data)) : (data ?? null)
}

function dataErrors(data: unknown): FieldError[] {
  if (data === undefined || data === null) return [requiredValue('data', 'data is mandatory')]
  return isObject(data) ? [] : [requiredValue('data', 'data must be a valid JSON object')]
}
