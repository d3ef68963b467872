import type { NativeKind } from '../kind/native-kind.ts'
import { dropFromTemplate } from '../pod-spec/disabled-fields.ts'
import { templateWarnings } from '../pod-spec/template-warnings.ts'
import { defaultJob } from './job-defaults.ts'
import { validateJobStatus } from './job-status.ts'
import { jobStrategy } from './job-strategy.ts'
import { jobPrinter } from './table.ts'
import { validateJob } from './job-validation.ts'
import { validateJobUpdate } from './job-update.ts'

/** Jobs. */
export const job: NativeKind = {
  group: 'batch',
  kind: 'Job',
  ...jobStrategy,
  warnings: templateWarnings('spec.template', true),
  table: jobPrinter,
  default: defaultJob,
  dropDisabled: dropFromTemplate,
  updateSteps: ['metadata', 'object', 'metadata change', 'change'],
  validate: validateJob,
  validateUpdate: validateJobUpdate,
  validateStatus: validateJobStatus,
}
