import { TimeZone, type CreateOf } from '@homeostat/api'
import type { CronJob, Job } from '@homeostat/api/kinds'
import { controllerReference } from 'homeostat'

const SCHEDULED_AT = 'batch.kubernetes.io/cronjob-scheduled-timestamp'

/** The name of the Job for a time. It depends on the time alone, so that one time never gets two Jobs. */
export function jobName(cronJob: CronJob, time: number): string {
  return `${cronJob.metadata.name}-${Math.floor(time / 60_000)}`
}

/** The Job for a time, as it is created. */
export function jobOf(cronJob: CronJob, time: number): CreateOf<typeof Job> {
  const { metadata, spec } = cronJob.spec.jobTemplate
  const { namespace } = cronJob.metadata
  return {
    metadata: {
      namespace,
      name: jobName(cronJob, time),
      labels: { ...metadata?.labels },
      annotations: {
        ...metadata?.annotations,
        [SCHEDULED_AT]: new TimeZone(cronJob.spec.timeZone).format(time),
      },
      ownerReferences: [controllerReference(cronJob)],
    },
    spec: spec ?? { template: {} },
  }
}
