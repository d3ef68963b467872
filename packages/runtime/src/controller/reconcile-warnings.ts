import { formatKey, HomeostatError, type ObjectKey } from '@homeostat/api'
import { ApiError, isApplyConflict } from '../requests/index.ts'
import type { FieldsWritten } from '../apply/index.ts'
import type { EventObject } from '../reconcile/index.ts'
import type { Logger } from '../telemetry/index.ts'
import { type Contest, ContestedFields } from '../guards/index.ts'
import type { Controller } from './controller.ts'
import type { ControllerEnvironment } from './environment.ts'
import type { Decision } from './retry-policy.ts'

/** The event is recorded after this many failures in a row; the log has each of them. */
const FAILURES_BEFORE_EVENT = 5
const MOST_FIELDS_NAMED = 5

/** The run that a warning is about. */
export interface WarnedRun {
  readonly log: Logger
  /** Delays further reconciles of the object that events cause, by at least this many milliseconds. */
  slowDown(atLeast: number): void
}

/**
 * Warns users, with events on the reconciled object, of problems that they would otherwise not see: fields that another
 * writer changes back each time, and reconciles that fail repeatedly or permanently. Users of an operator do not see
 * its log. Events contain names and codes, and never values.
 */
export class ReconcileWarnings {
  readonly #controller: Controller
  readonly #environment: ControllerEnvironment
  readonly #contested: ContestedFields

  constructor(controller: Controller, environment: ControllerEnvironment) {
    this.#controller = controller
    this.#environment = environment
    this.#contested = new ContestedFields(environment.clock)
  }

  /** A reconcile of the request has written fields. */
  fieldsWritten(request: ObjectKey, write: FieldsWritten, run: WarnedRun): void {
    for (const contest of this.#contested.written(write)) {
      run.slowDown(contest.delay)
      if (contest.due) this.#reportContest(request, write, contest, run.log)
    }
  }

  /** A reconcile of the request has ended without causing a warning. */
  ended(request: ObjectKey, { result, error, next }: Decision): void {
    const isOver = result === 'terminal' || result === 'abandoned'
    const attempt = next?.cause.type === 'retry' ? next.cause.attempt : 0
    if (!isOver && attempt < FAILURES_BEFORE_EVENT) return
    const { name } = this.#controller
    const follows = {
      terminal: 'It is not tried again until something changes.',
      abandoned: 'It has not ended after it was aborted, and the object is not reconciled until it does.',
    }[result as string]
    const how = isOver ? 'failed' : 'fails again and again'
    const note = `The reconcile by ${name} ${how}: ${describeFailure(error)}. ${follows ?? 'It is tried again with growing delays.'} The log of ${name} says more.`
    this.#warn(request, 'ReconcileFailed', note)
  }

  #reportContest(request: ObjectKey, write: FieldsWritten, contest: Contest, log: Logger): void {
    const { before, cluster, key, kind, manager } = write
    this.#environment.metrics
      .counter('homeostat_contested_fields_total', 'Warnings of fields that another writer keeps changing.')
      .add(1, { controller: this.#controller.name, kind: kind.kind })
    const { fields, manager: other = null, times } = contest
    const note = contestNote(write, contest)
    log.warn({ kind: kind.kind, object: key, cluster, fields, manager, otherManager: other, times }, note)
    // An event is recorded in the manager's own cluster, and cannot be on an object of another one.
    this.#warn(request, 'FieldContested', note, cluster === undefined ? before : undefined)
  }

  /** Records an event on the reconciled object, or on `instead` where the cache does not have it. */
  #warn(request: ObjectKey, reason: string, note: string, instead?: EventObject): void {
    const { kind, name } = this.#controller
    const object = (kind && this.#environment.cache.informer(kind).get(request)) ?? instead
    if (object) this.#environment.events(name).warning(object, reason, note)
  }
}

function contestNote(
  { cluster, key, kind, manager }: FieldsWritten,
  { fields, manager: other }: Pick<Contest, 'fields' | 'manager'>,
): string {
  const named = fields.slice(0, MOST_FIELDS_NAMED).join(', ')
  const more =
    fields.length > MOST_FIELDS_NAMED ? ` and ${fields.length - MOST_FIELDS_NAMED} more fields` : ''
  const [it, theField] = fields.length === 1 ? ['it', 'the field'] : ['them', 'these fields']
  const where = cluster === undefined ? '' : ` in the cluster ${cluster}`
  const what = `${named}${more} of ${kind.kind} ${formatKey(key)}${where}`
  const pace = 'Until then events reconcile this object less often.'
  return other === undefined
    ? `A writer that managed fields do not name keeps changing ${what}, and ${manager} keeps changing ${it} back. The writer may be a webhook, a default of the server, or a client that removes ${theField}. Leave ${theField} out of what ${manager} writes, or stop the other writer. ${pace}`
    : `${other} keeps changing ${what}, and ${manager} keeps changing ${it} back. Leave ${theField} out of what ${manager} writes, or stop ${other} from writing ${it}. ${pace}`
}

/** Describes the failure without the message of the error: it may contain values, and more users can read events than logs. */
function describeFailure(error: unknown): string {
  // The server names fields and managers here, and nothing else.
  if (isApplyConflict(error)) return error.message.replace(/\.$/, '')
  if (error instanceof ApiError) return `${error.what} was answered with ${error.status.code} (${error.code})`
  if (error instanceof HomeostatError) return error.code
  return error instanceof Error ? error.name : 'it threw a value that is not an Error'
}
