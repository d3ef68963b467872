import type { FieldEnum } from './go-enums.ts'

const METRIC_TYPES = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']

/** Values that a server's validation names although Go's types do not mark them as an enumeration. */
export const VALIDATED: Readonly<Record<string, readonly string[]>> = {
  'admissionregistration_v1_ParamRef.parameterNotFoundAction': ['Allow', 'Deny'],
  'apps_v1_StatefulSetPersistentVolumeClaimRetentionPolicy.whenDeleted': ['Delete', 'Retain'],
  'apps_v1_StatefulSetPersistentVolumeClaimRetentionPolicy.whenScaled': ['Delete', 'Retain'],
  'autoscaling_v2_HPAScalingPolicy.type': ['Percent', 'Pods'],
  'autoscaling_v2_HPAScalingRules.selectPolicy': ['Disabled', 'Max', 'Min'],
  'autoscaling_v2_MetricSpec.type': METRIC_TYPES,
  'autoscaling_v2_MetricStatus.type': METRIC_TYPES,
  'autoscaling_v2_MetricTarget.type': ['AverageValue', 'Utilization', 'Value'],
  'core_v1_Container.restartPolicy': ['Always', 'Never', 'OnFailure'],
  'core_v1_ContainerResizePolicy.resourceName': ['cpu', 'memory'],
  'core_v1_ContainerResizePolicy.restartPolicy': ['NotRequired', 'RestartContainer'],
  'core_v1_ContainerRestartRule.action': ['Restart', 'RestartAllContainers'],
  'core_v1_ContainerRestartRuleOnExitCodes.operator': ['In', 'NotIn'],
  'core_v1_EphemeralContainer.restartPolicy': ['Always', 'Never', 'OnFailure'],
  'core_v1_LoadBalancerIngress.ipMode': ['Proxy', 'VIP'],
  'core_v1_PodOS.name': ['linux', 'windows'],
  'core_v1_VolumeMount.recursiveReadOnly': ['Disabled', 'Enabled', 'IfPossible'],
  'core_v1_VolumeMountStatus.recursiveReadOnly': ['Disabled', 'Enabled', 'IfPossible'],
  'flowcontrol_v1_FlowDistinguisherMethod.type': ['ByNamespace', 'ByUser'],
  'flowcontrol_v1_LimitResponse.type': ['Queue', 'Reject'],
  'flowcontrol_v1_PriorityLevelConfigurationSpec.type': ['Exempt', 'Limited'],
  'flowcontrol_v1_Subject.kind': ['Group', 'ServiceAccount', 'User'],
  'storage_v1_CSIDriverSpec.fsGroupPolicy': ['File', 'None', 'ReadWriteOnceWithFSType'],
  'storage_v1_CSIDriverSpec.volumeLifecycleModes': ['Ephemeral', 'Persistent'],
  'meta_v1_LabelSelectorRequirement.operator': ['DoesNotExist', 'Exists', 'In', 'NotIn'],
  'meta_v1_FieldSelectorRequirement.operator': ['DoesNotExist', 'Exists', 'In', 'NotIn'],
  'meta_v1_DeleteOptions.propagationPolicy': ['Background', 'Foreground', 'Orphan'],
  'rbac_v1_RoleRef.kind': ['ClusterRole', 'Role'],
  'rbac_v1_Subject.kind': ['Group', 'ServiceAccount', 'User'],
}

const CONDITION_STATUS = ['False', 'True', 'Unknown']

/** Which values the fields of the definitions take, where they are known. */
export class FieldEnums {
  readonly #enums: ReadonlyMap<string, ReadonlyMap<string, FieldEnum>>

  constructor(enums: ReadonlyMap<string, ReadonlyMap<string, FieldEnum>>) {
    this.#enums = enums
  }

  /** The values of a field, or of the items of its list; undefined where any text is taken. */
  valuesOf(definition: string, field: string): readonly string[] | undefined {
    const type = definition.split('.').slice(-3).join('_')
    if (field === 'status' && type.endsWith('Condition')) return CONDITION_STATUS
    return VALIDATED[`${type}.${field}`] ?? this.#enums.get(type)?.get(field)?.values
  }
}
