import type { KindStrategy } from '../../registry/index.ts'
import { label1035Problems } from '../../schema/index.ts'
import { changedDrivers } from '../csi-node/csi-node.ts'
import { ingressErrors } from '../ingress/ingress.ts'
import { validateJobUpdate } from '../job/job-update.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { changeErrors } from './change-errors.ts'
import { IMAGE_VOLUMES, inPodSpecs, RESTART_POLICIES } from './drop-from-pod-specs.ts'
import { withoutInitResize, withoutPodLevelResize } from './without-resize.ts'

/** A strategy in a release in which one feature gate is off. */
type Without = (strategy: KindStrategy, native: NativeKind) => KindStrategy

/** Kinds whose addresses were strict before the feature gate. */
const ALWAYS_STRICT: ReadonlySet<string> = new Set(['IPAddress', 'ServiceCIDR', 'ResourceClaim'])
const STRICT = [
  'must not have leading 0s',
  'must not have leading 0s in IP or prefix length',
  'must not be an IPv4-mapped IPv6 address',
  'must not have an IPv4-mapped IPv6 address',
  'must not have bits set beyond the prefix length',
]

/** The change of the kinds without each feature gate, besides the fields that the schema of the release marks as disabled. */
const WITHOUT: Readonly<Record<string, Without>> = {
  ContainerRestartRules: (strategy, native) => inPodSpecs(strategy, native, RESTART_POLICIES),
  EnvFiles: (strategy) =>
    changeErrors(strategy, (error) => [
      {
        ...error,
        message: error.message.replace(', `secretKeyRef` or `fileKeyRef`', ' or `secretKeyRef`'),
      },
    ]),
  ImageVolume: (strategy, native) => inPodSpecs(strategy, native, IMAGE_VOLUMES),
  InPlacePodVerticalScalingInitContainers: withoutInitResize,
  // After the gate of init containers: it wraps the same subresource.
  InPlacePodLevelResourcesVerticalScaling: withoutPodLevelResize,
  MutableCSINodeAllocatableCount: (strategy, { kind }) =>
    kind === 'CSINode'
      ? {
          ...strategy,
          validateUpdate: (object, old) => changedDrivers(object, old, (driver) => driver),
        }
      : strategy,
  // Releases without this gate lack MutableSchedulingDirectivesForSuspendedJobs too.
  MutablePodResourcesForSuspendedJobs: (strategy, { kind }) =>
    kind === 'Job'
      ? { ...strategy, validateUpdate: (object, old) => validateJobUpdate(object, old, false) }
      : strategy,
  RelaxedServiceNameValidation(strategy, { kind }) {
    if (kind === 'Service') return { ...strategy, names: 'label1035' }
    if (kind !== 'Ingress') return strategy
    return { ...strategy, validate: (object, old) => ingressErrors(object, old, label1035Problems) }
  },
  StrictIPCIDRValidation: (strategy, { kind }) =>
    ALWAYS_STRICT.has(kind)
      ? strategy
      : changeErrors(strategy, (error) =>
          STRICT.some((detail) => error.message.endsWith(`: ${detail}`)) ? [] : [error],
        ),
  TaintTolerationComparisonOperators: (strategy) =>
    changeErrors(strategy, (error) => [
      { ...error, message: error.message.replace('"Equal", "Exists", "Lt", "Gt"', '"Equal", "Exists"') },
    ]),
}

/** The strategy of a native kind in a release in which these feature gates are off. */
export function withoutFeatures(native: NativeKind, gates: readonly string[]): KindStrategy {
  return Object.entries(WITHOUT)
    .filter(([gate]) => gates.includes(gate))
    .reduce<KindStrategy>((strategy, [, without]) => without(strategy, native), native)
}
