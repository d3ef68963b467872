/** How Kubernetes names things: types, objects, their metadata, times and durations. */
export { isTimeZone, parseCron, type CronFields, type CronText, type CronValues } from './cron-schedule.ts'
export {
  isSubdomain,
  label1035Problems,
  labelProblems,
  lengthProblems,
  subdomainProblems,
} from './dns-names.ts'
export { milliseconds, type Duration } from './duration.ts'
export { formatGoDuration, isGoDuration, parseFormatDuration, parseGoDuration } from './go-duration.ts'
export {
  apiVersionOf,
  parseApiVersion,
  type GroupVersionKind,
  type GroupVersionResource,
} from './group-version-kind.ts'
export type {
  FieldsV1,
  KubernetesList,
  KubernetesObject,
  ManagedFieldsEntry,
  ObjectMeta,
  ObjectMetaInput,
  OwnerReference,
} from './object.ts'
export {
  formatKey,
  keyOf,
  parseKey,
  type KeyOfMetadata,
  type KeyOfScope,
  type ObjectKey,
} from './object-key.ts'
export {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  parseQuantity,
  type Quantity,
} from './quantity.ts'
export { parseSchedule, type Schedule } from './schedule.ts'
export { TimeZone, type LocalTime } from './time-zone.ts'
export { microTimestamp, timestamp } from './timestamp.ts'
