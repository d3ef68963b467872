import type { WantedKind } from './kubernetes-source.ts'

/**
 * The fields that a field selector may name besides the object's name and namespace, by kind, for the types of clients. OpenAPI
 * does not say it. The server reads its own list, the `fieldLabels` of each kind, which also has old names such as `spec.host` of
 * a Pod. `test/selectable-fields.both.test.ts` asks the servers.
 */
export const SELECTABLE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  'v1/Event': [
    'involvedObject.apiVersion',
    'involvedObject.fieldPath',
    'involvedObject.kind',
    'involvedObject.name',
    'involvedObject.namespace',
    'involvedObject.resourceVersion',
    'involvedObject.uid',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  'v1/Namespace': ['status.phase'],
  'v1/Node': ['spec.unschedulable'],
  'v1/Pod': [
    'spec.hostNetwork',
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'status.nominatedNodeName',
    'status.phase',
    'status.podIP',
  ],
  'v1/ReplicationController': ['status.replicas'],
  'v1/Secret': ['type'],
  'v1/Service': ['spec.clusterIP', 'spec.type'],
  'batch/v1/Job': ['status.successful'],
  'certificates.k8s.io/v1/CertificateSigningRequest': ['spec.signerName'],
  'events.k8s.io/v1/Event': [
    'reason',
    'regarding.apiVersion',
    'regarding.fieldPath',
    'regarding.kind',
    'regarding.name',
    'regarding.namespace',
    'regarding.resourceVersion',
    'regarding.uid',
    'reportingController',
    'type',
  ],
  'resource.k8s.io/v1/ResourceSlice': ['spec.driver', 'spec.nodeName'],
}

/** The fields that the server selects objects of a kind by, besides their name and namespace. */
export function selectableFields({ group, version, kind }: WantedKind): readonly string[] {
  return SELECTABLE_FIELDS[`${group === '' ? '' : `${group}/`}${version}/${kind}`] ?? []
}
