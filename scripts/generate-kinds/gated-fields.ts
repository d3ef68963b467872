import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { moduleFolder } from './kubernetes-source.ts'

type Fields = Readonly<Record<string, readonly string[]>>

const CORE = 'io.k8s.api.core.v1.'
const APPS = 'io.k8s.api.apps.v1.'
const DEVICES = 'io.k8s.api.resource.v1.'
const STORAGE = 'io.k8s.api.storage.v1.'

/**
 * The fields that a server drops while a feature gate is off, by definition: those of gates that some release has off and a later
 * one on. From the strategies of Kubernetes (`dropDisabledFields`).
 */
const GATED: Readonly<Record<string, Fields>> = {
  ContainerRestartRules: {
    [`${CORE}Container`]: ['restartPolicyRules'],
    [`${CORE}EphemeralContainer`]: ['restartPolicy', 'restartPolicyRules'],
  },
  DRAConsumableCapacity: {
    [`${DEVICES}Device`]: ['allowMultipleAllocations'],
    [`${DEVICES}DeviceCapacity`]: ['requestPolicy'],
    [`${DEVICES}DeviceConstraint`]: ['distinctAttribute'],
    [`${DEVICES}DeviceRequestAllocationResult`]: ['consumedCapacity', 'shareID'],
    [`${DEVICES}DeviceSubRequest`]: ['capacity'],
    [`${DEVICES}ExactDeviceRequest`]: ['capacity'],
  },
  DRADeviceBindingConditions: {
    [`${DEVICES}AllocationResult`]: ['allocationTimestamp'],
    [`${DEVICES}Device`]: ['bindingConditions', 'bindingFailureConditions', 'bindsToNode'],
    [`${DEVICES}DeviceRequestAllocationResult`]: ['bindingConditions', 'bindingFailureConditions'],
  },
  DRADeviceTaints: { [`${DEVICES}Device`]: ['taints'] },
  DRAExtendedResource: { [`${DEVICES}DeviceClassSpec`]: ['extendedResourceName'] },
  DRAPartitionableDevices: {
    [`${DEVICES}Device`]: ['allNodes', 'consumesCounters', 'nodeName', 'nodeSelector'],
    [`${DEVICES}ResourceSliceSpec`]: ['perDeviceNodeSelection', 'sharedCounters'],
  },
  DeploymentReplicaSetTerminatingReplicas: {
    [`${APPS}DeploymentStatus`]: ['terminatingReplicas'],
    [`${APPS}ReplicaSetStatus`]: ['terminatingReplicas'],
  },
  EnvFiles: { [`${CORE}EnvVarSource`]: ['fileKeyRef'] },
  HPAConfigurableTolerance: { 'io.k8s.api.autoscaling.v2.HPAScalingRules': ['tolerance'] },
  HostnameOverride: { [`${CORE}PodSpec`]: ['hostnameOverride'] },
  MutableCSINodeAllocatableCount: {
    [`${STORAGE}CSIDriverSpec`]: ['nodeAllocatableUpdatePeriodSeconds'],
    [`${STORAGE}VolumeError`]: ['errorCode'],
  },
  PodLevelResources: { [`${CORE}PodSpec`]: ['resources'] },
  VolumeAttributesClass: {
    [`${CORE}PersistentVolumeClaimSpec`]: ['volumeAttributesClassName'],
    [`${CORE}PersistentVolumeClaimStatus`]: ['currentVolumeAttributesClassName', 'modifyVolumeStatus'],
    [`${CORE}PersistentVolumeSpec`]: ['volumeAttributesClassName'],
  },
}

/** The fields of {@link GATED} that a release drops by default, as pairs of definition and field. */
export function disabledFields(version: string): (readonly [definition: string, field: string])[] {
  const { off } = readGates(version)
  return Object.entries(GATED)
    .filter(([gate]) => off.has(gate))
    .flatMap(([, fields]) =>
      Object.entries(fields).flatMap(([definition, names]) =>
        names.map((name) => [definition, name] as const),
      ),
    )
}

/**
 * The gates that change more than fields, in `packages/apiserver/src/native/feature-gates`. Where a release does not know a gate, it
 * behaves as with the gate off, unless the list says `off`.
 */
const BEHAVIOUR: Readonly<Record<string, 'off' | 'off or unknown' | 'unknown'>> = {
  // A release that does not know it refuses the restart policy of a container.
  ContainerRestartRules: 'off',
  EnvFiles: 'off or unknown',
  ImageVolume: 'off or unknown',
  InPlacePodLevelResourcesVerticalScaling: 'off or unknown',
  InPlacePodVerticalScalingInitContainers: 'off or unknown',
  MutableCSINodeAllocatableCount: 'off or unknown',
  MutablePodResourcesForSuspendedJobs: 'off or unknown',
  RelaxedServiceNameValidation: 'off or unknown',
  StrictIPCIDRValidation: 'off or unknown',
  // Off in the default release too, whose messages name the operators.
  TaintTolerationComparisonOperators: 'unknown',
}

/** The gates of {@link BEHAVIOUR} without which the kinds of a release behave in another way. */
export function disabledBehaviour(version: string): string[] {
  const { off, known } = readGates(version)
  return Object.entries(BEHAVIOUR).flatMap(([gate, when]) => {
    const counts = (when !== 'unknown' && off.has(gate)) || (when !== 'off' && !known.has(gate))
    return counts ? [gate] : []
  })
}

/** The gates that a release knows, and those that are off by default, as its own list of gates says. */
function readGates(version: string): Readonly<Record<'known' | 'off', ReadonlySet<string>>> {
  const file = join(moduleFolder('k8s.io/kubernetes', version), 'pkg/features/kube_features.go')
  const [, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  const known = new Set<string>()
  const off = new Set<string>()
  for (const [, gate = '', specs = ''] of readFileSync(file, 'utf8').matchAll(
    /^\t(\w+): \{\n((?:\t\t.*\n)+)\t\},/gm,
  )) {
    const defaults = [...specs.matchAll(/MustParse\("1\.(\d+)"\), Default: (true|false)/g)]
    const last = defaults.findLast(([, since]) => Number(since) <= minor)
    if (last) known.add(gate)
    if (last?.[2] === 'false') off.add(gate)
  }
  return { known, off }
}
