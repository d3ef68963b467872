import type { CreateOf, DeepReadonly } from '@homeostat/api'
import type { Job, CoreV1, Pod } from '@homeostat/api/kinds'
import { controllerReference } from 'homeostat'
import {
  COMPLETION_INDEX,
  failuresBefore,
  IGNORED_INDEX_FAILURES,
  INDEX_FAILURES,
  isIndexed,
  TRACKING_FINALIZER,
} from './job-pods.ts'
import { failureEffect } from './pod-failure-policy.ts'

const INDEX_VARIABLE = 'JOB_COMPLETION_INDEX'
/** The longest prefix of a generated name that the server keeps. */
const LONGEST_PREFIX = 58

type Containers = readonly DeepReadonly<CoreV1.Container>[]

/** A new Pod for the Job. `index` is its index in an Indexed Job, and `replaced` the failed Pod that it replaces. */
export function podOf(job: Job, index: number | undefined, replaced: Pod | undefined): CreateOf<typeof Pod> {
  const { namespace, name } = job.metadata
  const { metadata, spec } = job.spec.template
  const { finalizers = [] } = metadata ?? {}
  const annotations = { ...metadata?.annotations, ...indexAnnotations(job, index, replaced) }
  return {
    metadata: {
      namespace,
      generateName: prefixOf(name, index),
      labels: { ...metadata?.labels, ...(index === undefined ? {} : { [COMPLETION_INDEX]: `${index}` }) },
      ...(Object.keys(annotations).length > 0 ? { annotations } : {}),
      finalizers: finalizers.includes(TRACKING_FINALIZER)
        ? [...finalizers]
        : [...finalizers, TRACKING_FINALIZER],
      ownerReferences: [controllerReference(job)],
    },
    spec: {
      containers: [],
      ...spec,
      ...(isIndexed(job) && spec ? indexVariables(spec) : {}),
      ...(index === undefined ? {} : { hostname: `${name}-${index}` }),
    },
  }
}

function prefixOf(name: string, index: number | undefined): string {
  if (index === undefined) return `${name}-`
  const end = `-${index}-`
  const whole = `${name}${end}`
  return whole.length <= LONGEST_PREFIX ? whole : `${whole.slice(0, LONGEST_PREFIX - end.length)}${end}`
}

function indexAnnotations(
  job: Job,
  index: number | undefined,
  replaced: Pod | undefined,
): Record<string, string> {
  if (index === undefined) return {}
  const own = { [COMPLETION_INDEX]: `${index}` }
  if (job.spec.backoffLimitPerIndex === undefined) return own
  let { counted, ignored } = replaced ? failuresBefore(replaced) : { counted: 0, ignored: 0 }
  if (replaced && failureEffect(job, replaced).counts) counted++
  else if (replaced) ignored++
  return {
    ...own,
    [INDEX_FAILURES]: `${counted}`,
    ...(ignored > 0 ? { [IGNORED_INDEX_FAILURES]: `${ignored}` } : {}),
  }
}

/** Adds the index to the environment of each container that has no variable of that name. */
function indexVariables({
  containers,
  initContainers,
}: DeepReadonly<CoreV1.PodSpec>): Partial<CoreV1.PodSpec> {
  const fieldRef = { fieldPath: `metadata.labels['${COMPLETION_INDEX}']` }
  const withIndex = (all: Containers): CoreV1.Container[] =>
    all.map((container) => {
      const env = container.env ?? []
      const known = env.some(({ name }) => name === INDEX_VARIABLE)
      const added = known ? env : [...env, { name: INDEX_VARIABLE, valueFrom: { fieldRef } }]
      return { ...container, env: added } as CoreV1.Container
    })
  return {
    containers: withIndex(containers),
    ...(initContainers ? { initContainers: withIndex(initContainers) } : {}),
  }
}
