import {
  mutatingAdmissionPolicyPrinter,
  policyBindingPrinter,
  validatingAdmissionPolicyPrinter,
  webhookConfigurationPrinter,
} from './admission.ts'
import { horizontalPodAutoscalerPrinter, podDisruptionBudgetPrinter } from './autoscaling.ts'
import {
  apiServicePrinter,
  certificateSigningRequestPrinter,
  componentStatusPrinter,
  flowSchemaPrinter,
  priorityClassPrinter,
  priorityLevelConfigurationPrinter,
  resourceQuotaPrinter,
  runtimeClassPrinter,
} from './cluster.ts'
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
  csiDriverPrinter,
  csiNodePrinter,
  volumeAttachmentPrinter,
  volumeAttributesClassPrinter,
} from './csi.ts'
import { columnDescriptions } from './generated/column-descriptions.ts'
import { plainPrinter, resourceClaimPrinter, resourceSlicePrinter } from './devices.ts'
import {
  endpointSlicePrinter,
  endpointsPrinter,
  ingressClassPrinter,
  ingressPrinter,
  ipAddressPrinter,
  networkPolicyPrinter,
  serviceCidrPrinter,
  servicePrinter,
} from './networking.ts'
import { podPrinter } from './pod.ts'
import { column, NAME, nameOf, type Printer } from './printer.ts'
import { scalePrinter } from './scale.ts'
import { persistentVolumeClaimPrinter, persistentVolumePrinter, storageClassPrinter } from './volumes.ts'
import {
  controllerRevisionPrinter,
  cronJobPrinter,
  daemonSetPrinter,
  deploymentPrinter,
  jobPrinter,
  podTemplatePrinter,
  replicaSetPrinter,
  replicationControllerPrinter,
  statefulSetPrinter,
} from './workloads.ts'

/** The printers of native kinds, by plural and group as in `deployments.apps`. */
const PRINTERS: ReadonlyMap<string, Printer> = new Map(
  Object.entries<Printer>({
    componentstatuses: componentStatusPrinter,
    configmaps: configMapPrinter,
    endpoints: endpointsPrinter,
    events: eventPrinter,
    namespaces: namespacePrinter,
    nodes: nodePrinter,
    persistentvolumeclaims: persistentVolumeClaimPrinter,
    persistentvolumes: persistentVolumePrinter,
    pods: podPrinter,
    podtemplates: podTemplatePrinter,
    replicationcontrollers: replicationControllerPrinter,
    resourcequotas: resourceQuotaPrinter,
    secrets: secretPrinter,
    serviceaccounts: serviceAccountPrinter,
    services: servicePrinter,
    'mutatingadmissionpolicies.admissionregistration.k8s.io': mutatingAdmissionPolicyPrinter,
    'mutatingadmissionpolicybindings.admissionregistration.k8s.io': policyBindingPrinter,
    'mutatingwebhookconfigurations.admissionregistration.k8s.io': webhookConfigurationPrinter,
    'validatingadmissionpolicies.admissionregistration.k8s.io': validatingAdmissionPolicyPrinter,
    'validatingadmissionpolicybindings.admissionregistration.k8s.io': policyBindingPrinter,
    'validatingwebhookconfigurations.admissionregistration.k8s.io': webhookConfigurationPrinter,
    'apiservices.apiregistration.k8s.io': apiServicePrinter,
    'controllerrevisions.apps': controllerRevisionPrinter,
    'daemonsets.apps': daemonSetPrinter,
    'deployments.apps': deploymentPrinter,
    'replicasets.apps': replicaSetPrinter,
    'statefulsets.apps': statefulSetPrinter,
    'horizontalpodautoscalers.autoscaling': horizontalPodAutoscalerPrinter,
    'scales.autoscaling': scalePrinter,
    'cronjobs.batch': cronJobPrinter,
    'jobs.batch': jobPrinter,
    'certificatesigningrequests.certificates.k8s.io': certificateSigningRequestPrinter,
    'leases.coordination.k8s.io': leasePrinter,
    'endpointslices.discovery.k8s.io': endpointSlicePrinter,
    'events.events.k8s.io': eventPrinter,
    'flowschemas.flowcontrol.apiserver.k8s.io': flowSchemaPrinter,
    'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io': priorityLevelConfigurationPrinter,
    'ingressclasses.networking.k8s.io': ingressClassPrinter,
    'ingresses.networking.k8s.io': ingressPrinter,
    'ipaddresses.networking.k8s.io': ipAddressPrinter,
    'networkpolicies.networking.k8s.io': networkPolicyPrinter,
    'servicecidrs.networking.k8s.io': serviceCidrPrinter,
    'runtimeclasses.node.k8s.io': runtimeClassPrinter,
    'poddisruptionbudgets.policy': podDisruptionBudgetPrinter,
    'clusterrolebindings.rbac.authorization.k8s.io': roleBindingPrinter,
    'rolebindings.rbac.authorization.k8s.io': roleBindingPrinter,
    'deviceclasses.resource.k8s.io': plainPrinter,
    'resourceclaims.resource.k8s.io': resourceClaimPrinter,
    'resourceclaimtemplates.resource.k8s.io': plainPrinter,
    'resourceslices.resource.k8s.io': resourceSlicePrinter,
    'priorityclasses.scheduling.k8s.io': priorityClassPrinter,
    'csidrivers.storage.k8s.io': csiDriverPrinter,
    'csinodes.storage.k8s.io': csiNodePrinter,
    'storageclasses.storage.k8s.io': storageClassPrinter,
    'volumeattachments.storage.k8s.io': volumeAttachmentPrinter,
    'volumeattributesclasses.storage.k8s.io': volumeAttributesClassPrinter,
  }),
)

/** Kinds that no one has made a table for, Roles and CustomResourceDefinitions among them. */
const CREATED_AT: Printer = {
  columns: [NAME, column('Created At', 'date')],
  cells: (object) => [nameOf(object), object.metadata?.creationTimestamp ?? null],
}

const described = new Map<string, Printer>()
let descriptions: ColumnDescriptions | undefined

interface ColumnDescriptions {
  readonly texts: readonly string[]
  /** By kind and column the place of its text. */
  readonly kinds: Readonly<Record<string, Readonly<Record<string, number>>>>
}

/** The printer of a native kind, whose columns say what they are about. */
export function nativePrinter(resource: { group: string; plural: string }): Printer {
  const { group, plural } = resource
  const key = group === '' ? plural : `${plural}.${group}`
  let printer = described.get(key)
  if (!printer) described.set(key, (printer = describe(key, PRINTERS.get(key) ?? CREATED_AT)))
  return printer
}

/** What the columns `Name` and `Age` are about, which kinds of all sorts have. */
export function commonDescriptions(): { readonly name: string; readonly age: string } {
  const { texts, kinds } = readDescriptions()
  const { Name = -1, Age = -1 } = kinds['configmaps'] ?? {}
  return { name: texts[Name] ?? '', age: texts[Age] ?? '' }
}

function readDescriptions(): ColumnDescriptions {
  return (descriptions ??= JSON.parse(columnDescriptions) as ColumnDescriptions)
}

function describe(key: string, printer: Printer): Printer {
  const { texts, kinds } = readDescriptions()
  const places = kinds[key] ?? {}
  const columns = printer.columns.map((one) => ({ ...one, description: texts[places[one.name] ?? -1] ?? '' }))
  return { ...printer, columns }
}
