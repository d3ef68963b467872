import {
  configMapPrinter,
  eventPrinter,
  leasePrinter,
  namespacePrinter,
  nodePrinter,
  roleBindingPrinter,
  secretPrinter,
  serviceAccountPrinter,
} from './core.ts'
import {
  endpointSlicePrinter,
  endpointsPrinter,
  ingressPrinter,
  networkPolicyPrinter,
  servicePrinter,
} from './networking.ts'
import { podPrinter } from './pod.ts'
import { column, NAME, nameOf, type Printer } from './printer.ts'
import { persistentVolumeClaimPrinter, persistentVolumePrinter, storageClassPrinter } from './volumes.ts'
import {
  controllerRevisionPrinter,
  cronJobPrinter,
  daemonSetPrinter,
  deploymentPrinter,
  jobPrinter,
  replicaSetPrinter,
  statefulSetPrinter,
} from './workloads.ts'

/** The printers of native kinds, by plural and group as in `deployments.apps`. */
const PRINTERS: Readonly<Record<string, Printer>> = {
  configmaps: configMapPrinter,
  endpoints: endpointsPrinter,
  events: eventPrinter,
  namespaces: namespacePrinter,
  nodes: nodePrinter,
  persistentvolumeclaims: persistentVolumeClaimPrinter,
  persistentvolumes: persistentVolumePrinter,
  pods: podPrinter,
  secrets: secretPrinter,
  serviceaccounts: serviceAccountPrinter,
  services: servicePrinter,
  'controllerrevisions.apps': controllerRevisionPrinter,
  'daemonsets.apps': daemonSetPrinter,
  'deployments.apps': deploymentPrinter,
  'replicasets.apps': replicaSetPrinter,
  'statefulsets.apps': statefulSetPrinter,
  'cronjobs.batch': cronJobPrinter,
  'jobs.batch': jobPrinter,
  'leases.coordination.k8s.io': leasePrinter,
  'endpointslices.discovery.k8s.io': endpointSlicePrinter,
  'events.events.k8s.io': eventPrinter,
  'ingresses.networking.k8s.io': ingressPrinter,
  'networkpolicies.networking.k8s.io': networkPolicyPrinter,
  'clusterrolebindings.rbac.authorization.k8s.io': roleBindingPrinter,
  'rolebindings.rbac.authorization.k8s.io': roleBindingPrinter,
  'storageclasses.storage.k8s.io': storageClassPrinter,
}

/** Kinds that no one has made a table for, Roles and CustomResourceDefinitions among them. */
const CREATED_AT: Printer = {
  columns: [NAME, column('Created At', 'date')],
  cells: (object) => [nameOf(object), object.metadata?.creationTimestamp ?? null],
}

/** The printer of a native kind. */
export function nativePrinter(resource: { group: string; plural: string }): Printer {
  const { group, plural } = resource
  return PRINTERS[group === '' ? plural : `${plural}.${group}`] ?? CREATED_AT
}
