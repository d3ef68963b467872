import type { WithoutEffect } from '@homeostat/apiserver'
import type { Controller, KindFinder } from 'homeostat'
import { autoscalerController } from './autoscaler/autoscaler-controller.ts'
import { certificateApprover } from './certificates/certificate-approver.ts'
import { certificateCleaner } from './certificates/certificate-cleaner.ts'
import { certificateSigner, type SignCertificate } from './certificates/certificate-signer.ts'
import { cronJobController } from './cron-job/cron-job-controller.ts'
import { daemonSetController } from './daemon-set/daemon-set-controller.ts'
import { deploymentController } from './deployment/deployment-controller.ts'
import { disruptionController } from './disruption/disruption-controller.ts'
import { endpointsController } from './endpoints/endpoints-controller.ts'
import { endpointsMirror } from './endpoints/endpoints-mirror.ts'
import { garbageCollector } from '../garbage-collector/index.ts'
import { jobController } from './job/job-controller.ts'
import { jobPodTracking } from './job/job-pod-tracking.ts'
import { jobTtlController } from './job/job-ttl-controller.ts'
import { namespaceController } from './namespace/namespace-controller.ts'
import { persistentVolumeControllers } from './persistent-volumes/controllers.ts'
import type { VolumeFolders } from './persistent-volumes/folder-provisioner.ts'
import {
  replicaSetController,
  replicationControllerController,
} from './replica-set/replica-set-controller.ts'
import type { FindSchema } from './policy-types/openapi-schemas.ts'
import { policyTypesController } from './policy-types/policy-types-controller.ts'
import { quotaController } from './resource-quota/quota-controller.ts'
import { accountTokensController, type MakeToken } from './service-accounts/account-tokens-controller.ts'
import { rootCertificatePublisher } from './service-accounts/root-certificate-publisher.ts'
import { serviceAccountsController } from './service-accounts/service-accounts-controller.ts'
import { statefulSetController } from './stateful-set/stateful-set-controller.ts'
import { taintEviction } from './taint-eviction/taint-eviction.ts'
import { effectReporters } from './without-effect/effect-reporters.ts'

/** The facts about the cluster that its controllers need. */
export interface ControllerManagerOptions {
  readonly kinds: KindFinder
  readonly findSchema: FindSchema
  /** The certificate authority of the API for Pods, in PEM; empty where the API has no port. */
  readonly certificateAuthority: string
  /** Signs certificates by the authority of the API server. Default: no certificates are signed. */
  readonly signCertificate?: SignCertificate | undefined
  /** Makes the tokens in Secrets of ServiceAccounts. Default: no such Secrets are filled. */
  readonly makeToken?: MakeToken | undefined
  /** Where the volumes of the class `standard` are. Default: none, and no volumes are made for claims. */
  readonly volumeFolders?: VolumeFolders | undefined
  /** The objects on which nothing in the cluster acts, which get an event. Default: none. */
  readonly withoutEffect?: readonly WithoutEffect[] | undefined
}

/**
 * All controllers of a cluster except the scheduler and those of its nodes, each with its own state. The API server
 * must not empty namespaces itself.
 */
export function controllerManager(options: ControllerManagerOptions): Controller[] {
  const { kinds, findSchema, certificateAuthority, signCertificate, makeToken, volumeFolders } = options
  return [
    deploymentController,
    replicaSetController,
    replicationControllerController,
    statefulSetController,
    daemonSetController,
    jobController(),
    jobPodTracking,
    jobTtlController,
    cronJobController,
    endpointsController(),
    endpointsMirror,
    ...persistentVolumeControllers(volumeFolders),
    namespaceController(kinds),
    serviceAccountsController,
    rootCertificatePublisher(certificateAuthority),
    ...(makeToken ? [accountTokensController(makeToken, certificateAuthority)] : []),
    certificateApprover,
    ...(signCertificate ? [certificateSigner(signCertificate)] : []),
    certificateCleaner,
    garbageCollector(kinds),
    taintEviction(),
    disruptionController,
    quotaController(kinds),
    policyTypesController(kinds, findSchema),
    autoscalerController,
    ...effectReporters(options.withoutEffect ?? []),
  ]
}
