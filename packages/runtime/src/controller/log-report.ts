import { describeCauses, messageOf } from '../reconcile/index.ts'
import type { Logger } from '../telemetry/index.ts'
import type { ReconcileReport } from './environment.ts'

/** Logs the result of a reconcile and its causes in one line. */
export function logReport(log: Logger, report: ReconcileReport): void {
  const { result, error, causes, duration, next } = report
  const fields = { causes: describeCauses(causes), duration: Math.round(duration * 1000) / 1000 }
  switch (result) {
    case 'error':
      log.error({ ...fields, error, retryIn: next }, 'reconcile failed')
      break
    case 'terminal':
      log.error(
        { ...fields, error },
        'reconcile failed permanently: it is not retried until something changes',
      )
      break
    case 'abandoned':
      log.error({ ...fields, error }, 'reconcile was given up')
      break
    case 'conflict':
      log.info({ ...fields, error: messageOf(error), retryIn: next }, 'reconcile lost a race; retrying')
      break
    default:
      log.info(next === undefined ? fields : { ...fields, next }, 'successfully reconciled')
  }
}
