import type { FuzzCase } from './fuzz-case.ts'

/** A difference between the servers that is there on purpose, or that is not worth removing. */
interface KnownDifference {
  /** A line of a difference, as {@link answerDifferences} writes it. */
  readonly line?: RegExp
  /** All lines of a difference together, one to a line: none of them needs to be listed by itself. */
  readonly whole?: RegExp
  /** Only in answers about these kinds: `apps/v1 Deployment`. Default: all. */
  readonly kind?: RegExp
  /** Only of these verbs. Default: all. */
  readonly verb?: RegExp
  /** Only where the requests hold this, as JSON; a key that stands a second time begins with `again:fuzz:`. Default: all. */
  readonly sent?: RegExp
  readonly reason: string
}

/** What may differ, each with its reason. A difference is listed when it is as a whole, or when each of its lines is. */
const KNOWN_DIFFERENCES: readonly KnownDifference[] = [
  // What the real server fails at.
  {
    whole: /^(\d: )?code: 4\d\d, not 500$/m,
    reason: 'a 500 of kube-apiserver is its own fault: ours tells the client of its mistake',
  },
  {
    verb: /subresource/,
    whole: /^code: 200, not 500$[^]*object has no apiVersion field/m,
    reason:
      'a patch of a status that takes the apiVersion away changes the status, since the apiVersion is known',
  },
  // Refusals in other words, with the same code and reason.
  {
    line: /^(\d: )?message: .* cannot be handled as an? .*: strict decoding error: .*, not .* cannot be handled as an? .*: strict decoding error: /s,
    reason: 'unknown fields are told before repeated ones, not in the order of the body',
  },
  {
    line: /^(\d: )?message: .* cannot be handled as an? .*: (converting .*: unknown conversion|no kind ".*), not .* cannot be handled as an? /s,
    reason: 'an object of another kind is refused before its fields are read',
  },
  {
    kind: /^batch\/v1 Job$/,
    sent: /"deletionTimestamp":"0001-01-01T00:00:00Z"/,
    whole: /^code: 200, not 422\nonly the real server refuses it: Invalid FieldValueInvalid spec\.template: /,
    reason: 'the first second of the year 1 is the absence of a time, also in a template',
  },
  {
    kind: /ControllerRevision$/,
    sent: /"data":[^]*\d(\.0|e\d)/,
    whole:
      /^(\d: )?code: 200, not 422\n(\d: )?only the real server refuses it: Invalid FieldValueInvalid data: Invalid value: VALUE: field is immutable$/,
    reason: 'the data of a revision are compared as JSON, in which 1 and 1.0 are the same, and not as bytes',
  },
  {
    line: /^(\d: )?message: .*(typed patch object|unmarshal errors|couldn't get version\/kind|list element types|invalid continue token|API version in the data).*, not .*\2/s,
    reason:
      'both refuse it with the same code and reason; the message shows values as Go does, or another of several problems',
  },
  {
    kind: /^random custom kind$/,
    line: /^(\d: )?only (ours|real): FieldValueInvalid (patch: .*strict decoding error: |(kind|apiVersion): Invalid value: VALUE: must be )/s,
    reason: 'both refuse what a patch leaves; of unknown fields and a wrong kind each server tells of one',
  },
  {
    kind: /^random custom kind$/,
    verb: /apply/,
    line: /^(\d: )?only real: FieldValueTooMany \S+: Too many: \d+: must have at most \d+ items?$/,
    reason: 'an apply drops fields that the schema does not have before it counts the fields of an object',
  },
  {
    line: /^(\d: )?message: error decoding patch: .*, not (error decoding patch: |Invalid JSON Patch$|json: cannot unmarshal \w+ into Go value of type jsonpatch\.(Patch|Operation)$)/s,
    reason:
      'both refuse a patch that is none; the real server has other words where unknown fields are ignored',
  },
  {
    verb: /apply/,
    line: /^(\d: )?message: .*unmarshal errors.*, not (invalid object type|the namespace of the provided object|the name of the object|metadata\.managedFields must be nil|.*typed patch object)/s,
    reason: 'both refuse an apply in which a key stands twice; ours tells of the key before anything else',
  },
  {
    kind: /^random custom kind$/,
    line: /^(\d: )?message: the API version in the data .*, not (Object 'apiVersion' is missing|.*" cannot be handled as an? )/s,
    reason: 'both refuse an object of another version; ours tells of the version before anything else',
  },
  {
    line: /^(\d: )?message: Operation cannot be fulfilled on .*: Precondition failed: UID in precondition: .*, not Operation cannot be fulfilled on .*StorageError: invalid object/s,
    reason: 'both refuse another uid as a conflict; only the real server names the key of its store',
  },
  {
    kind: /^v1 Namespace$|CustomResourceDefinition$/,
    verb: /delete/,
    line: /^(\d: )?(message: Operation cannot be fulfilled on [A-Z].* the ResourceVersion in the precondition .*, not Operation cannot be fulfilled on [a-z]|details\.kind: "(Namespace|CustomResourceDefinition)", not "\w+s"$)/s,
    reason: 'both refuse it as a conflict; what goes in steps is called by its kind',
  },
  {
    whole:
      /^(\d: )?only ours: FieldValueInvalid patch: .*\n(\d: )?only real: FieldValueInvalid patch: [^\n]*$/s,
    reason:
      'both refuse what a patch leaves; the message shows values as Go does, or another of several problems',
  },
  {
    whole: /^(\d: )?code: \d+, not 0$/m,
    reason: 'the real server hangs up',
  },
  {
    whole:
      /^(\d: )?code: (400|409|422), not (400|409|422)$[^]*(namespace of the provided object|strict decoding YAML|managedFields must be nil|name must be provided|does not match the name on the URL|couldn't get version\/kind|no kind "|" cannot be handled as an? |metadata\.resourceVersion: Invalid value: 0|metadata\.generateName)/m,
    reason: 'both refuse it; of several mistakes in one request another one is reported',
  },
  {
    verb: /apply/,
    whole: /^(\d: )?code: 400, not [24]\d\d$[^]*cannot unmarshal number/m,
    reason:
      'what is applied with a value that its field cannot hold is refused; the real server keeps what is left of its bits',
  },
  {
    line: /^(\d: )?message: .*(strconv\.ParseUint|invalid object type|the name of the object|the namespace of the provided object|field label|rejected our request).*, not /s,
    reason: 'both refuse it with the same code and reason; of several mistakes another one is reported',
  },
  {
    whole: /rejected our request due to an error in our request/,
    reason: 'a path of a JSON patch that does not begin with a slash is refused rather than read as another',
  },
  {
    kind: /^random custom kind$/,
    line: /^(\d: )?(message: the object provided is unrecognized|only (ours|real): FieldValue(Invalid|NotSupported|TypeInvalid) [^:]+: .*(in body should be|Unsupported value: -?[\d.]+|must be of type |Checked value must be|Boundary|boundary|rules were not checked|fails ))/s,
    reason: 'numbers that JavaScript reads alike, such as 5 and 5.0, Go shows and compares in different ways',
  },
  {
    line: /^(\d: )?details\.(name|group|kind): /,
    reason: 'what a refusal is about is named by another of its parts',
  },
  {
    kind: /Review$/,
    line: /^(\d: )?(status\.|metadata\.|only (ours|real): FieldValueInvalid (metadata|spec\.resourceAttributes)|code: 422, not 201|only we refuse it: Invalid FieldValueInvalid metadata)/,
    reason: 'a review is answered by what was asked alone: status and metadata that were sent are dropped',
  },
  {
    verb: /strategic|stored|subresource/,
    whole: /cannot unmarshal number -?(\d{10,}|[\d.]+e\+\d+)/,
    reason:
      'a number that its field cannot hold is refused; a strategic merge of the real server keeps what is left of its bits',
  },
  {
    kind: /Event$/,
    line: /^(\d: )?only ours: FieldValue(Invalid|Required) (metadata|lastTimestamp|firstTimestamp)/,
    reason: 'the metadata and times of events are checked like those of all objects',
  },
  {
    kind: /^(batch\/v1 (Job|CronJob)|v1 ReplicationController)$/,
    line: /^(\d: )?(only ours: FieldValueInvalid (metadata|spec\.template\.metadata)\.(labels|generateName)|metadata\.labels: nothing)/,
    reason:
      'labels that follow from the name are checked although the name is wrong; a status write gives none',
  },
  {
    kind: /APIService$/,
    whole: /metadata\.generateName/,
    reason:
      'the name of an APIService says what it is: a generated one is refused by the name that it becomes',
  },
  {
    kind: /CustomResourceDefinition$/,
    line: /^(\d: )?only (ours|real): FieldValue\w+ (spec\.versions|spec\.validation|spec\.preserveUnknownFields|metadata\.name|spec\.conversion)/,
    reason: 'a definition with several mistakes is refused by both; not all of them are reported',
  },
  {
    kind: /Webhook|AdmissionPolicy/,
    line: /^(\d: )?only (ours|real): FieldValue\w+ (\S*(operations|clientConfig\.url|matchPolicy|auditAnnotations\S*|expression|message|ownerReferences\S*|messageExpression|reinvocationPolicy))/,
    reason: 'hooks and policies with several mistakes are refused by both; not all of them are reported',
  },
  {
    verb: /stored|apply/,
    line: /^(\d: )?metadata\.deletion(Timestamp|GracePeriodSeconds): nothing, not /,
    reason: 'a new object is not being deleted: what is applied to say so is dropped, as on create',
  },
  {
    kind: /ClusterRole$/,
    verb: /stored/,
    sent: /"aggregationRule":\{/,
    whole: /^[2-5]: /,
    reason:
      'roles are aggregated by the server itself, not by a controller beside it: what follows finds other rules',
  },
  {
    line: /^(\d: )?(\S+: "\d+", not "\+?\d+\.?"|only (ours|real): FieldValueNotSupported spec\.capacity: )/,
    reason: 'a quantity is written without a plus and without a dot at its end',
  },
  {
    whole:
      /deletionTimestamp: Invalid value: VALUE: field is immutable|Timestamp: Invalid value: "": needs to be unset/,
    reason: 'the first second of the year 1 is a time like any other, not the absence of one',
  },
  {
    verb: /list/,
    whole: /unable to parse requirement|selector/,
    reason: 'a selector with characters that no label has is refused, although nothing could match it',
  },
  {
    line: /^(\d: )?only (ours|real): FieldValueDuplicate spec\.ports\[\d\]\.nodePort: /,
    reason: 'both refuse two ports of one number; which number it is was chance',
  },
  {
    kind: /^storage\.k8s\.io\/v1 (VolumeAttachment|StorageClass|CSINode)$/,
    whole: /inlineVolumeSpec|allowedTopologies|spec\.source|spec\.drivers/,
    reason: 'parts that only drivers of volumes read are not checked in every detail, since none runs here',
  },
  {
    kind: /CertificateSigningRequest$/,
    line: /only (ours|real): FieldValueInvalid (metadata\.name: .*may not|spec\.request: )/,
    reason: 'a name that could never be asked for again is refused',
  },
  {
    verb: /strategic|stored|subresource/,
    line: /^(\d: )?(only (ours|real): FieldValueRequired \S*\[\d\]\S*|\S+\.\d\.\S+: nothing, not ".*"|\S+\.\d\.\S+: ".*", not nothing)/,
    reason: 'an item whose merge key a patch takes away stands last, not first',
  },
  {
    kind: /^random custom kind$/,
    whole: /factor MultipleOf declared|multiple of/,
    reason: 'factors below 1 are none for whole numbers',
  },
  {
    kind: /^v1 PersistentVolume(Claim)?$/,
    whole: /spec\.capacity|spec\.resources\.limits|dataSourceRef/,
    reason: 'amounts beyond 64 bits are amounts; limits of claims, which nothing reads, are not rounded',
  },
  {
    kind: /^v1 (LimitRange|Node)$/,
    whole: /FieldValueInvalid spec\.limits|InternalError spec\.podCIDRs|status\.declaredFeatures/,
    reason: 'of several mistakes in one part not all are reported',
  },
  {
    kind: /Event$/,
    line: /^(\d: )?message: Operation cannot be fulfilled on Event/s,
    reason: 'both refuse it; the group of an event is that which was asked for',
  },
  {
    kind: /Review$/,
    whole: /(label|field)Selector/,
    reason: 'selectors in reviews are not looked at, since roles do not know them',
  },
  {
    line: /^(\d: )?only (ours|real): FieldValueInvalid \S+: Invalid value: (null|0|VALUE|OBJECT): (must be positive|either `defaultBackend`)/,
    reason: 'a value of a type of Go is shown as Go holds it',
  },
  {
    kind: /(StatefulSet|ReplicaSet|Deployment|ReplicationController)$/,
    line: /^(\d: )?spec\.replicas: 0, not nothing$/,
    reason: 'a scale of none says so',
  },
  {
    line: /^(\d: )?(\S+: ("-?\d+k", not "-?\d+"|"\d+n", not "1m"|"-?\d+[kMGTPE]?", not "-?\d+e\d+")$|only (ours|real): FieldValueInvalid \S+\.requests: Invalid value: VALUE: must be less than or equal to \S+ limit of -?\d{16,}k?$)/,
    reason:
      'a quantity that was sent as a number beyond 64 bits, or in a patch as 1e3, is what JavaScript reads',
  },
  {
    whole: /code: 200, not 4\d\d\n[^]*cannot unmarshal number \d(e\d|\.0)/,
    reason: 'whole numbers may be written as 1.0 or 1e3',
  },
  {
    kind: /Lease$|LimitRange$|HorizontalPodAutoscaler$|CSINode$/,
    whole: /Apply failed with \d+ conflict/,
    reason: 'what the server drops or fills in by itself has no owner, so that no apply conflicts with it',
  },
  {
    kind: /AdmissionPolicy$|Webhook/,
    line: /^(\d: )?only (ours|real): FieldValue\w+ \S*(variables|paramKind|resourceRules|matchConditions|mutations|patch)/,
    reason: 'hooks and policies with several mistakes are refused by both; not all of them are reported',
  },
  {
    kind: /CustomResourceDefinition$/,
    line: /^(\d: )?(only (ours|real): FieldValue\w+ (spec\.selectableFields|spec\.names)|metadata\.generation|spec\.versions\.\d+\.schema)/,
    reason: 'a definition with several mistakes is refused by both; empty parts of its schema are parts',
  },
  {
    kind: /^random custom kind$/,
    line: /^(\d: )?(metadata\.generation: |spec\.\S+: .*, not nothing|only real: FieldValueDuplicate|code: 20[01], not 422|only the real server refuses it: .*got float64)/,
    reason: 'numbers that JavaScript reads alike, such as 5 and 5.0, are the same number',
  },
  {
    kind: /^(apps|batch)\//,
    line: /^(\d: )?only (ours|real): FieldValue\w+ \S*(initContainers|ephemeralContainers)/,
    reason: 'containers with several mistakes are refused by both; not all of them are reported',
  },
  {
    line: /^(\d: )?only (ours|real): FieldValue(Invalid|NotSupported) (metadata\.(name|generateName|ownerReferences\S*)|reclaimPolicy|spec\.accessModes|spec\.limits\S*): /,
    reason: 'of several mistakes in one object not all are reported',
  },
  {
    whole: /cannot unmarshal array into Go [^\n]* of type \[\]uint8/,
    reason: 'bytes are base64, not lists of numbers',
  },
  {
    whole: /cannot unmarshal number -?\d+(e\d|\.0)/,
    reason: 'whole numbers may be written as 1.0 or 1e3',
  },
  {
    whole: /^metadata\.name: "again/,
    reason: 'both make a name of their own',
  },
  {
    kind: /ControllerRevision$/,
    whole: /data\.a|data: (Required|Invalid value: VALUE: field is immutable)/,
    sent: /"again:fuzz:/,
    reason: 'what stands twice in the data of a revision stands twice',
  },
  {
    kind: /ControllerRevision$/,
    sent: /-0\b|"rawJSON":"-0/,
    line: /^(\d: )?data(\.\S+)?: 0, not 0$/,
    reason: 'a negative zero in the data of a revision is stored as zero',
  },
  {
    kind: /^batch\/v1 Job$/,
    line: /^(\d: )?(metadata\.labels|spec\.(selector|template\.metadata\.labels))/,
    reason: 'a Job is marked by the uid that it gets, not by one that was sent',
  },
  {
    kind: /^v1 Service$/,
    line: /^(\d: )?spec\.ports\.\d+\.nodePort: "PORT", not nothing$/,
    reason: 'a Service keeps the ports that it has, although it would not get any now',
  },
  {
    kind: /ReplicationController$/,
    whole: /metadata\.generateName|spec\.selector/,
    reason:
      'how names are generated is checked alike for all kinds; a selector follows the labels of the template on create alone',
  },
  {
    kind: /^v1 Pod$|PodTemplate$|ReplicationController$|^apps\/|^batch\//,
    line: /volumeClaimTemplate\.spec\.resources|[tT]emplate\.metadata\.(deletionTimestamp|managedFields)|^(\d: )?metadata\.generation: |windows pods|updateStrategy\.rollingUpdate\.maxUnavailable/,
    reason: 'parts of a template that mean nothing there are not brought into another form',
  },
  {
    whole: /windows pods cannot be resized/,
    reason: 'the operating system that a Pod asks for is not looked at by a resize that changes nothing',
  },
  {
    kind: /StatefulSet$/,
    whole: /Apply failed with \d+ conflict/,
    reason: 'what the server drops or fills in by itself has no owner, so that no apply conflicts with it',
  },
  {
    verb: /list/,
    whole: /^(\d: )?(message: |code: 410, not 200)/,
    reason: 'of several wrong parameters another one is told; history is kept for fewer revisions',
  },
  {
    kind: /CustomResourceDefinition$/,
    line: /^(\d: )?only (ours|real): FieldValue\w+ (spec\.(version|schema|additionalPrinterColumns)|patch)/,
    reason: 'a definition with several mistakes is refused by both; not all of them are reported',
  },
  {
    kind: /CustomResourceDefinition$/,
    verb: /subresource/,
    whole: /code: 200, not 422/,
    reason: 'a status write of a definition does not look at its spec',
  },
  {
    kind: /^random custom kind$/,
    whole: /FieldValue(NotSupported|Duplicate) [^:]+: (Unsupported|Duplicate) value: -?[\d.e+-]+/,
    reason: 'numbers that JavaScript reads alike are the same number',
  },
  {
    kind: /ControllerRevision$/,
    line: /^(\d: )?only (ours|real): FieldValueInvalid data: Invalid value: -?[\d.e+]+: field is immutable$/,
    reason: 'a number beyond 64 bits is shown as JavaScript reads it',
  },
  {
    whole: /only (we refuse it|the real server refuses it): AlreadyExists .* "again/,
    reason: 'both make a name of their own',
  },
  {
    kind: /^v1 Service$/,
    line: /^(\d: )?only real: FieldValueInvalid spec\.healthCheckNodePort: Invalid value: 6553\d: /,
    reason: 'the port for health checks is chosen from the range of nodes, never beyond the last port',
  },
  {
    kind: /^resource\.k8s\.io\//,
    whole: /only we refuse it: Invalid FieldValueInvalid metadata\.generateName/,
    reason: 'how names are generated is checked alike for all kinds',
  },
  {
    verb: /strategic|stored|subresource/,
    line: /^(\d: )?message: unknown patch type: .*%!s\(int64=(-?\d+)\).*, not unknown patch type: .*%!s\(float64=\2\)/s,
    reason: 'a number such as 1.0 is shown as the 1 that JavaScript reads',
  },
  {
    kind: /StatefulSet$/,
    line: /^(\d: )?only (ours|real): FieldValueRequired spec\.template\.spec\.volumes\[\d+\]\.(name|persistentVolumeClaim\.claimName): /,
    reason: 'Kubernetes goes through the volumes of claims in no certain order',
  },
  {
    kind: /^v1 Service$/,
    line: /^(\d: )?spec\.healthCheckNodePort: "PORT", not \d+$/,
    reason:
      'a dry run of Kubernetes numbers ports after the one that was asked for, also outside the range of nodes',
  },
  {
    sent: /"managedFields":\[\{"time":"0001-01-01T00:00:00Z"\}\]/,
    line: /^(\d: )?metadata\.managedFields: nothing, not \[/,
    reason: 'an entry of managed fields with the time that is none is an empty entry, which resets them',
  },
  // What is not supported here.
  {
    kind: /^resource\.k8s\.io\//,
    line: /^(\d: )?(code: 20[01], not 422$|only the real server refuses it: Invalid |only (ours|real): FieldValue\w+ (spec|status|patch|metadata)|(spec|status|metadata\.(managedFields|generation|finalizers))\b|details\.|message: |only (real|our) warning: )/s,
    reason:
      'claims, classes and slices of devices are stored, but no driver runs here: their own rules are not checked',
  },
  {
    kind: /^v1 Node$/,
    verb: /apply/,
    whole: /node\.kubernetes\.io\/not-ready/,
    reason: 'nodes are made ready by their kubelet here, and are not tainted until then',
  },
  {
    kind: /^v1 Node$/,
    verb: /apply/,
    whole: /^only real: FieldManagerConflict \.spec\.taints: conflict with "before-first-apply" using v1$/m,
    reason: 'nodes are made ready by their kubelet here, and are not tainted until then',
  },
  {
    kind: /^v1 Node$/,
    line: /node\.kubernetes\.io\/not-ready|f:taints/,
    reason: 'nodes are made ready by their kubelet here, and are not tainted until then',
  },
  {
    kind: /FlowSchema$/,
    verb: /strategic|subresource/,
    sent: /"conditions":/,
    whole:
      /^code: \d+, not 500$[^]*(does not contain declared merge key: type|list element types are not identical: )/m,
    reason: 'flow schemas are stored, but not enforced: nothing comments on new ones',
  },
  {
    kind: /FlowSchema$/,
    line: /Dangling|managedFields|status\.conditions/,
    reason: 'flow schemas are stored, but not enforced: nothing comments on new ones',
  },
  {
    kind: /^v1 (Secret|Pod|Service|Node|PersistentVolume)$|EndpointSlice$|NetworkPolicy$|StorageClass$|CSIStorageCapacity$|RuntimeClass$|ResourceSlice$|Ingress$/,
    line: /^(\d: )?only real warning: 299 - "(x509: |metadata\.annotations\[container\.apparmor|.*(deprecated|non-standard|RFC 5952|lowercase|non-functional|should not be used|ignored))/,
    reason: 'addresses and labels of these kinds, and certificates that are malformed, are not commented on',
  },
  {
    verb: /apply/,
    line: /^(\d: )?only real warning: 299 - "line \d+: key /,
    reason: 'what stands twice in an apply is not told where the apply is refused for something else',
  },
  {
    line: /^(\d: )?only (real|our) warning: 299 - "(unknown|duplicate) field /,
    reason:
      'unknown and repeated fields are told once, also where nothing changes; characters that no header can hold are escaped',
  },
  {
    line: /^(\d: )?only (our|real) warning: 299 - "\.metadata\.ownerReferences contains duplicate entries/,
    reason: 'an owner that stands twice is told once, before admission, also where nothing is stored',
  },
  {
    verb: /subresource/,
    kind: /(StatefulSet|Deployment|ReplicaSet|ReplicationController)$/,
    line: /^(\d: )?only real warning: 299 - "spec\./,
    reason: 'a new scale is not commented on by what the object holds besides',
  },
  {
    kind: /CustomResourceDefinition$/,
    line: /InstanceDeletion|deletion is in progress|storedVersions|metadata\.finalizers|metadata\.generateName/,
    reason: 'a definition that goes says so at once, and the versions stored are recorded, not sent',
  },
  {
    kind: /Event$/,
    whole: /^code: (201, not 200|200, not 201|404, not 200|200, not 404)$/m,
    reason: 'events are kept for an hour, and each server drops those of a long run at a moment of its own',
  },
  {
    whole: /already allocated/,
    reason: 'ports and addresses of a Service that is gone come free later in the real server',
  },
  {
    kind: /Webhook|Admission|EndpointSlice|NetworkPolicy|Ingress/,
    line: /^(\d: )?metadata\.generation: \d+, not \d+$/,
    reason: 'a list that becomes empty instead of absent is no change',
  },
  {
    kind: /^v1 Node$/,
    whole: /spec\.externalID/,
    reason: 'an outside id of a node, which nothing reads any more, can be changed',
  },
  {
    kind: /^v1 Namespace$/,
    line: /foregroundDeletion/,
    reason: 'a namespace is emptied before it goes, in whatever way it is deleted',
  },
  {
    verb: /JSON patch/,
    sent: /"from":"\/metadata\/(resourceVersion|uid|creationTimestamp)"/,
    whole: /./,
    reason: 'a patch that copies what each server counts for itself copies something else',
  },
  {
    kind: /CustomResourceDefinition$/,
    verb: /subresource|stored/,
    line: /^(\d: )?status\.conditions: nothing, not null$/,
    reason: 'a definition whose status was taken away has no conditions, rather than null',
  },
  // Who owns what.
  {
    sent: /"deletionTimestamp":"0001-01-01T00:00:00Z"/,
    whole: /managedFields/,
    reason: 'the first second of the year 1 is the absence of a time, which has no owner',
  },
  {
    line: /^(\d: )?metadata\.managedFields.*f:deletion(Timestamp|GracePeriodSeconds)/,
    reason: 'metadata of a deletion, which a new object cannot have, have no owner',
  },
  {
    line: /^(\d: )?metadata\.managedFields: \[.*, not nothing$/s,
    reason:
      'managed fields that were sent in another version than the object’s are kept; Kubernetes then forgets all of them',
  },
  {
    kind: /^random custom kind$/,
    line: /^(\d: )?metadata\.managedFields.*(\.|: \{")(v:-?\d{16,}|k:\{\\?"[^"]+":-?\d{16,}\})/,
    reason: 'numbers beyond 2^53 in the keys of lists are exact, where Kubernetes rounds them',
  },
]

/** The reasons for a difference; undefined when it is not listed. */
export function knownReasons(
  { kind, verb, requests }: FuzzCase,
  lines: readonly string[],
): string[] | undefined {
  const sent = JSON.stringify(requests)
  const possible = KNOWN_DIFFERENCES.filter(
    (one) =>
      (one.kind?.test(kind) ?? true) && (one.verb?.test(verb) ?? true) && (one.sent?.test(sent) ?? true),
  )
  const whole = possible.find((one) => one.whole?.test(lines.join('\n')))
  if (whole) return [whole.reason]
  const reasons = new Set<string>()
  for (const line of lines) {
    const known = possible.find((one) => one.line?.test(line))
    if (!known) return undefined
    reasons.add(known.reason)
  }
  return [...reasons]
}
