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
import { madeField, patchMaker } from './made-objects.ts'

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

const VARIABLES = structType('kubernetes.variables')

const TEXTS = mapType(STRING, STRING)

/** The fields of each type, as kube-apiserver declares them. The objects of a request are separate variables. */
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

/** The optional variables and types of an expression. */
export interface ExpressionOptions {
  readonly params: boolean
  readonly authorizer: boolean
  /** Whether `authorizer.requestResource` is declared. Default: true. */
  readonly requestResource?: boolean | undefined
  /** Whether it may construct objects and JSON patches, as mutations do. Default: false. */
  readonly patches?: boolean | undefined
}

/** The types of the objects in expressions; an unknown one is `dyn`. */
export interface ObjectTypes {
  readonly object: Type | undefined
  readonly params: Type | undefined
  readonly field: ExpressionScope['field']
}

/** The environment of admission expressions. It has the variables of the policy that were declared before it. */
export function admissionScope(
  { params, authorizer, requestResource = true, patches }: ExpressionOptions,
  policyVariables: ReadonlyMap<string, Type> | undefined,
  types?: ObjectTypes,
): ExpressionScope {
  return {
    variables: new Map<string, Type>(
      Object.entries({
        object: types?.object ?? DYN,
        oldObject: types?.object ?? DYN,
        request: REQUEST,
        namespaceObject: NAMESPACE,
        ...(params && { params: types?.params ?? DYN }),
        ...(authorizer && { authorizer: AUTHORIZER_TYPE }),
        ...(authorizer && requestResource && { 'authorizer.requestResource': REQUEST_RESOURCE_TYPE }),
        ...(policyVariables && { variables: VARIABLES }),
      }),
    ),
    field: (struct, field) => {
      if (struct === VARIABLES.name) return policyVariables?.get(field)
      const known = FIELDS.get(struct)?.get(field) ?? types?.field(struct, field)
      return known ?? (patches ? madeField(struct, field) : undefined)
    },
    ...(patches && { maker: patchMaker }),
  }
}
