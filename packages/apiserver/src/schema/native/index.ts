/**
 * What Kubernetes does with its own kinds beyond their schemas: what it fills in, and what it refuses. The answers of a
 * real kube-apiserver are in `goldens/`. A kind that is not here has nothing filled in and is only held to its metadata.
 */
import {
  defaultCustomResourceDefinition,
  validateCustomResourceDefinition,
  validateCustomResourceDefinitionUpdate,
} from '../custom-resource-definition.ts'
import { role, roleBinding } from './access-control.ts'
import { configMap, secret } from './configuration.ts'
import { endpoints, endpointSlice } from './endpoints.ts'
import { event } from './event.ts'
import { validateJob, validateJobUpdate } from './job-validation.ts'
import { lease } from './lease.ts'
import { namespace } from './namespace.ts'
import type { NativeBehaviour } from './native-behaviour.ts'
import { node } from './node.ts'
import { defaultPod } from './pod-defaults.ts'
import { validatePod, validatePodUpdate } from './pod-validation.ts'
import { defaultService } from './service-defaults.ts'
import { validateService, validateServiceUpdate } from './service-validation.ts'
import { persistentVolumeClaim } from './storage-claim.ts'
import { defaultDeployment, defaultJob, defaultReplicaSet } from './workload-defaults.ts'
import { validateDeployment, validateReplicaSet, validateSelectorUpdate } from './workload-validation.ts'

const BEHAVIOURS: ReadonlyMap<string, NativeBehaviour> = new Map<string, NativeBehaviour>([
  ['/ConfigMap', configMap],
  ['/Endpoints', endpoints],
  ['/Event', event],
  ['/Namespace', namespace],
  ['/Node', node],
  ['/PersistentVolumeClaim', persistentVolumeClaim],
  ['/Pod', { default: defaultPod, validate: validatePod, validateUpdate: validatePodUpdate }],
  ['/Secret', secret],
  ['/Service', { default: defaultService, validate: validateService, validateUpdate: validateServiceUpdate }],
  [
    'apiextensions.k8s.io/CustomResourceDefinition',
    {
      default: defaultCustomResourceDefinition,
      validate: validateCustomResourceDefinition,
      validateUpdate: validateCustomResourceDefinitionUpdate,
    },
  ],
  [
    'apps/Deployment',
    { default: defaultDeployment, validate: validateDeployment, validateUpdate: validateSelectorUpdate },
  ],
  [
    'apps/ReplicaSet',
    { default: defaultReplicaSet, validate: validateReplicaSet, validateUpdate: validateSelectorUpdate },
  ],
  ['batch/Job', { default: defaultJob, validate: validateJob, validateUpdate: validateJobUpdate }],
  ['coordination.k8s.io/Lease', lease],
  ['discovery.k8s.io/EndpointSlice', endpointSlice],
  ['rbac.authorization.k8s.io/ClusterRole', role(false)],
  ['rbac.authorization.k8s.io/ClusterRoleBinding', roleBinding(false)],
  ['rbac.authorization.k8s.io/Role', role(true)],
  ['rbac.authorization.k8s.io/RoleBinding', roleBinding(true)],
])

/** What is special about objects of a native kind; `undefined` for nothing. */
export function nativeBehaviour(group: string, kind: string): NativeBehaviour | undefined {
  return BEHAVIOURS.get(`${group}/${kind}`)
}

export type { NativeBehaviour } from './native-behaviour.ts'
