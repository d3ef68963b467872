import { HomeostatError } from '@homeostat/api'
import { isOptionalFeature, OPTIONAL_FEATURES, type OptionalFeature } from '../version/index.ts'

// The feature gates of kube-apiserver 1.36.3, from its `--help` and its answer to each name.
/** Gates that are on and cannot be turned off. */
const LOCKED = `
  APIServerTracing AggregatedDiscoveryRemoveBetaType AnonymousAuthConfigurableEndpoints AnyVolumeDataSource
  AuthorizeNodeWithSelectors AuthorizeWithSelectors BtreeWatchCache CPUManagerPolicyOptions
  CRDValidationRatcheting CSIServiceAccountTokenSecrets ConsistentListFromCache CustomResourceFieldSelectors
  DRAAdminAccess DeclarativeValidation DisableAllocatorDualWrite DisableNodeKubeProxyVersion
  DynamicResourceAllocation ExecProbeTimeout ExternalServiceAccountTokenSigner ImageMaximumGCAge ImageVolume
  InPlacePodVerticalScaling JobBackoffLimitPerIndex JobManagedBy JobPodReplacementPolicy JobSuccessPolicy
  KubeletCgroupDriverFromCRI KubeletFineGrainedAuthz KubeletPSI KubeletPodResourcesDynamicResources
  KubeletPodResourcesGet KubeletTracing LogarithmicScaleDown MatchLabelKeysInPodAffinity
  MultiCIDRServiceAllocator MutableCSINodeAllocatableCount NFTablesProxyMode
  NodeInclusionPolicyInPodTopologySpread NodeLogQuery NodeSwap OrderedNamespaceDeletion
  PodLifecycleSleepAction PodLifecycleSleepActionAllowZero PodObservedGenerationTracking
  PodSchedulingReadiness PreferSameTrafficDistribution ProcMountType RecoverVolumeExpansionFailure
  RecursiveReadOnlyMounts RelaxedDNSSearchValidation RelaxedEnvironmentVariableValidation
  ResilientWatchCacheInitialization RetryGenerateName SELinuxChangePolicy SELinuxMountReadWriteOncePod
  SchedulerQueueingHints SeparateTaintEvictionController ServiceAccountTokenJTI
  ServiceAccountTokenNodeBinding ServiceAccountTokenNodeBindingValidation ServiceAccountTokenPodNodeInfo
  SidecarContainers StreamingCollectionEncodingToJSON StreamingCollectionEncodingToProtobuf
  StructuredAuthenticationConfiguration SupplementalGroupsPolicy TopologyManagerPolicyOptions
  UserNamespacesSupport VolumeAttributesClass WinDSR WinOverlay
`
/** Gates that are on by default. */
const ON = `
  APIResponseCompression APIServerIdentity AllowOverwriteTerminationGracePeriodSeconds
  AllowParsingUserUIDFromCertAuth AllowServiceExternalIPs AtomicFIFO
  AuthorizePodWebsocketUpgradeCreatePermission CPUManagerPolicyBetaOptions CRDObservedGenerationTracking
  ClearingNominatedNodeNameAfterBinding ClientsAllowCARotation ClientsAllowTLSCacheGC ComponentFlagz
  ComponentStatusz ConstrainedImpersonation ContainerCheckpoint ContainerRestartRules ContextualLogging
  DRAConsumableCapacity DRADeviceBindingConditions DRADeviceTaints DRAExtendedResource
  DRAPartitionableDevices DRAPrioritizedList DRAResourceClaimDeviceStatus
  DRAResourceClaimGranularStatusAuthorization DRASchedulerFilterTimeout DeclarativeValidationBeta
  DeploymentReplicaSetTerminatingReplicas DetectCacheInconsistency DisableCPUQuotaWithExclusiveCPUs EnvFiles
  ExtendWebSocketsToKubelet GitRepoVolumeDriver GracefulNodeShutdown GracefulNodeShutdownBasedOnPodPriority
  HPAConfigurableTolerance HostnameOverride InOrderInformersBatchProcess
  InPlacePodLevelResourcesVerticalScaling InPlacePodVerticalScalingInitContainers KubeletCrashLoopBackOffMax
  KubeletEnsureSecretPulledImages KubeletPodResourcesListUseActivePods KubeletSeparateDiskGC
  KubeletServiceAccountTokenForCredentialProviders ListFromCacheSnapshot LoggingBetaOptions
  MatchLabelKeysInPodTopologySpread MatchLabelKeysInPodTopologySpreadSelectorMerge
  MutablePodResourcesForSuspendedJobs MutableSchedulingDirectivesForSuspendedJobs MutatingAdmissionPolicy
  NodeDeclaredFeatures NominatedNodeNameForExpectation OpenAPIEnums OpportunisticBatching PLEGOnDemandRelist
  PodDeletionCost PodLevelResources PodReadyToStartContainersCondition PodTopologyLabelsAdmission
  PortForwardWebsockets PreventStaticPodAPIReferences RelaxedServiceNameValidation ReloadKubeletClientCAFile
  ReloadKubeletServerCertificateFile RemoteRequestHeaderUID ResourceHealthStatus ResourceHealthStatusMessage
  RestartAllContainersOnContainerExits RotateKubeletServerCertificate SchedulerAsyncPreemption
  SchedulerPopFromBackoffQ SeparateCacheWatchRPC ServiceAccountNodeAudienceRestriction
  ServiceCIDRStatusFieldWiping SizeBasedListCostEstimate StaleControllerConsistencyDaemonSet
  StaleControllerConsistencyJob StaleControllerConsistencyReplicaSet StaleControllerConsistencyStatefulSet
  StatefulSetSemanticRevisionComparison StorageNamespaceIndex StorageVersionHash StrictIPCIDRValidation
  StructuredAuthenticationConfigurationEgressSelector StructuredAuthenticationConfigurationJWKSMetrics
  TokenRequestServiceAccountUIDValidation TopologyManagerPolicyBetaOptions
  TranslateStreamCloseWebsocketRequests UnauthenticatedHTTP2DOSMitigation
  UnknownVersionInteroperabilityProxy UnlockWhileProcessingFIFO WatchCacheInitializationPostStartHook
  WatchList WatchListClient WindowsGracefulNodeShutdown
`
/** Gates that are off by default. */
const OFF = `
  APIServingWithRoutine AllAlpha AllBeta AllowDNSOnlyNodeCSR AllowInsecureKubeletCertificateSigningRequests
  AllowUnsafeMalformedObjectDeletion CBORServingAndStorage CPUManagerPolicyAlphaOptions CRIListStreaming
  CSIVolumeHealth ChangeContainerStatusOnKubeletRestart ClientsAllowCBOR ClientsPreferCBOR
  CloudControllerManagerWatchBasedRoutesReconciliation CloudControllerManagerWebhook ClusterTrustBundle
  ClusterTrustBundleProjection ConcurrentWatchObjectDecode ContainerStopSignals
  ControllerManagerReleaseLeaderElectionLockOnExit CoordinatedLeaderElection CrossNamespaceVolumeDataSource
  CustomCPUCFSQuotaPeriod DRADeviceTaintRules DRAListTypeAttributes DRANodeAllocatableResources
  DRAResourcePoolStatus DRAWorkloadResourceClaims DeclarativeValidationTakeover EventedPLEG GangScheduling
  GenericWorkload HPAScaleToZero ImageVolumeWithDigest InPlacePodVerticalScalingExclusiveCPUs
  InPlacePodVerticalScalingExclusiveMemory KMSv1 KubeletInUserNamespace KubeletRegistrationGetOnExistsOnly
  LocalStorageCapacityIsolationFSQuotaMonitoring LoggingAlphaOptions ManifestBasedAdmissionControlConfig
  MaxUnavailableStatefulSet MemoryQoS MutablePVNodeAffinity NativeHistograms
  PersistentVolumeClaimUnusedSinceTime PodAndContainerStatsFromCRI PodCertificateRequest
  PodLevelResourceManagers PodLogsQuerySplitStreams PodsAPI QOSReserved ReduceDefaultCrashLoopBackOffDecay
  RuntimeClassInImageCriApi SELinuxMount SchedulerAsyncAPICalls ShardedListAndWatch StorageCapacityScoring
  StorageVersionAPI StorageVersionMigrator TaintTolerationComparisonOperators
  TopologyAwareWorkloadScheduling TopologyManagerPolicyAlphaOptions UserNamespacesHostNetworkSupport
  VolumeLimitScaling WindowsCPUAndMemoryAffinity WindowsHostNetwork WorkloadAwarePreemption WorkloadWithJob
`

const GATES = new Map<string, { readonly isOn: boolean; readonly isLocked: boolean }>([
  ...names(LOCKED).map((name) => [name, { isOn: true, isLocked: true }] as const),
  ...names(ON).map((name) => [name, { isOn: true, isLocked: false }] as const),
  ...names(OFF).map((name) => [name, { isOn: false, isLocked: false }] as const),
])

/** Stands for all gates of the stage beta, to which those that can be turned off belong. */
const ALL_BETA = 'AllBeta'

/** The texts that Go reads as booleans. */
const TRUTH: ReadonlyMap<string, boolean> = new Map([
  ...['1', 't', 'T', 'true', 'TRUE', 'True'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'FALSE', 'False'].map((text) => [text, false] as const),
])

/** The result of reading `--feature-gates`. */
export interface FeatureGates {
  /** Features that are on by default and that the flag turns off. */
  readonly disabledFeatures: readonly OptionalFeature[]
  readonly warnings: readonly string[]
}

/**
 * Reads entries of `--feature-gates`, and fails with kube-apiserver's message where that would fail. Some features
 * can be turned off. All others keep their default, so that the warnings name each entry that differs from it.
 */
export function readFeatureGates(entries: readonly string[]): FeatureGates {
  const wanted = new Map<string, boolean>()
  const warnings: string[] = []
  for (const entry of entries) {
    const [name = '', value] = entry.replace(/^kube:/, '').split('=', 2)
    if (value === undefined) throw usage(`missing bool value for ${name}`)
    const isWanted = TRUTH.get(value)
    if (isWanted === undefined) {
      throw usage(
        `invalid value of ${name}=${value}, err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`,
      )
    }
    const gate = GATES.get(name)
    if (!gate) throw usage(`unrecognized feature gate: ${name}`)
    if (gate.isLocked && gate.isOn !== isWanted) {
      throw usage(`cannot set feature gate ${name} to ${isWanted}, feature is locked to ${gate.isOn}`)
    }
    wanted.set(name, isWanted)
    if (name === ALL_BETA && !isWanted) {
      warnings.push(`--feature-gates: ${entry} turns off only ${OPTIONAL_FEATURES.join(', ')} here`)
      continue
    }
    if (gate.isOn === isWanted || isOptionalFeature(name)) continue
    warnings.push(`--feature-gates: ${entry} has no effect: ${name} stays ${gate.isOn ? 'on' : 'off'} here`)
  }
  // A gate takes precedence over the name of its whole stage, whichever comes first.
  const others = wanted.get(ALL_BETA) ?? true
  const disabledFeatures = OPTIONAL_FEATURES.filter((name) => !(wanted.get(name) ?? others))
  return { disabledFeatures, warnings }
}

function names(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}

function usage(message: string): HomeostatError {
  return new HomeostatError('USAGE', message)
}
