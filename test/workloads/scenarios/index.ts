import type { Scenario } from '../scenario.ts'
import { cronJobs } from './cron-job.ts'
import { daemonSets } from './daemon-set.ts'
import { deployments } from './deployment.ts'
import { endpoints } from './endpoints.ts'
import { garbage } from './garbage.ts'
import { jobs } from './job.ts'
import { namespaces } from './namespace.ts'
import { replicaSets } from './replica-set.ts'
import { statefulSets } from './stateful-set.ts'
import { volumes } from './volumes.ts'

/** All scenarios. */
export const scenarios: readonly Scenario[] = [
  ...deployments,
  ...replicaSets,
  ...statefulSets,
  ...daemonSets,
  ...jobs,
  ...cronJobs,
  ...garbage,
  ...namespaces,
  ...volumes,
  ...endpoints,
]
