import {
  BOOL,
  DYN,
  INT,
  listType,
  mapType,
  STRING,
  structType,
  TIMESTAMP,
  type ExpressionScope,
  type Type,
} from '@homeostat/cel'
import { AUTHORIZER_TYPE, REQUEST_RESOURCE_TYPE } from './authorizer-in-cel.ts'

type Fields = Readonly<Record<string, Type>>

const REQUEST = structType('kubernetes.AdmissionRequest')
const GROUP_VERSION_KIND = structType('kubernetes.GroupVersionKind')
const GROUP_VERSION_RESOURCE = structType('kubernetes.GroupVersionResource')
const USER_INFO = structType('kubernetes.UserInfo')
const NAMESPACE = structType('kubernetes.Namespace')
const NAMESPACE_METADATA = structType('kubernetes.NamespaceMetadata')
const NAMESPACE_SPEC = structType('kubernetes.NamespaceSpec')
const NAMESPACE_STATUS = structType('kubernetes.NamespaceStatus')
const NAMESPACE_CONDITION = structType('kubernetes.NamespaceCondition')

const TEXTS = mapType(STRING, STRING)

/** The fields of each type, as kube-apiserver declares them. The objects of a request are variables of their own. */
const STRUCTS: readonly (readonly [Type, Fields])[] = [
  [GROUP_VERSION_KIND, { group: STRING, version: STRING, kind: STRING }],
  [GROUP_VERSION_RESOURCE, { group: STRING, version: STRING, resource: STRING }],
  [
    USER_INFO,
    {
      username: STRING,
      uid: STRING,
      groups: listType(STRING),
      extra: mapType(STRING, listType(STRING)),
    },
  ],
  [
    REQUEST,
    {
      kind: GROUP_VERSION_KIND,
      resource: GROUP_VERSION_RESOURCE,
      subResource: STRING,
      requestKind: GROUP_VERSION_KIND,
      requestResource: GROUP_VERSION_RESOURCE,
      requestSubResource: STRING,
      name: STRING,
      namespace: STRING,
      operation: STRING,
      userInfo: USER_INFO,
      dryRun: BOOL,
      options: DYN,
    },
  ],
  [
    NAMESPACE_METADATA,
    {
      name: STRING,
      generateName: STRING,
      namespace: STRING,
      labels: TEXTS,
      annotations: TEXTS,
      UID: STRING,
      creationTimestamp: TIMESTAMP,
      deletionGracePeriodSeconds: INT,
      deletionTimestamp: TIMESTAMP,
      generation: INT,
      resourceVersion: STRING,
      finalizers: listType(STRING),
    },
  ],
  [
    NAMESPACE_CONDITION,
    { status: STRING, type: STRING, lastTransitionTime: TIMESTAMP, message: STRING, reason: STRING },
  ],
  [NAMESPACE_SPEC, { finalizers: listType(STRING) }],
  [NAMESPACE_STATUS, { conditions: listType(NAMESPACE_CONDITION), phase: STRING }],
  [NAMESPACE, { metadata: NAMESPACE_METADATA, spec: NAMESPACE_SPEC, status: NAMESPACE_STATUS }],
]

const FIELDS: ReadonlyMap<string, ReadonlyMap<string, Type>> = new Map(
  STRUCTS.map(([{ name }, fields]) => [name, new Map(Object.entries(fields))]),
)

/** The variables that all expressions of admission may use; `more` are those of some. */
export function admissionScope(more: Readonly<Record<string, Type>> = {}): ExpressionScope {
  return {
    variables: new Map(
      Object.entries({
        object: DYN,
        oldObject: DYN,
        request: REQUEST,
        namespaceObject: NAMESPACE,
        authorizer: AUTHORIZER_TYPE,
        'authorizer.requestResource': REQUEST_RESOURCE_TYPE,
        ...more,
      }),
    ),
    field: (struct, field) => FIELDS.get(struct)?.get(field),
  }
}
