import type { KnownDifference } from './known-difference.ts'

/** Differences of some kinds. */
export const OF_KINDS: readonly KnownDifference[] = [
  {
    kind: /^batch\/v1 Job$/,
    sent: /"deletionTimestamp":"0001-01-01T00:00:00Z"/,
    whole:
      /^(\d: )?code: 200, not 422\n(\d: )?only the real server refuses it: Invalid FieldValueInvalid spec\.template: /,
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
    kind: /^random custom kind$/,
    sent: /"apiVersion":"[^"]*",[^]*"again:fuzz:apiVersion":null/,
    line: /^(\d: )?message: (\S+) in version "[^"]*" (cannot be handled as an? \S+: Object 'Kind' is missing in OBJECT), not \2 in version "[^"]*" \3$/,
    reason:
      'both refuse an object without a kind; of an apiVersion that stands twice, Kubernetes names the first where the last is null',
  },
  {
    kind: /^random custom kind$/,
    line: /^(\d: )?message: the API version in the data .*, not (Object 'apiVersion' is missing|.*" cannot be handled as an? )/s,
    reason: 'both refuse an object of another version; ours tells of the version before anything else',
  },
  {
    kind: /^v1 Namespace$|CustomResourceDefinition$/,
    verb: /delete/,
    line: /^(\d: )?(message: Operation cannot be fulfilled on [A-Z].* the ResourceVersion in the precondition .*, not Operation cannot be fulfilled on [a-z]|details\.kind: "(Namespace|CustomResourceDefinition)", not "\w+s"$)/s,
    reason: 'both refuse it as a conflict; what goes in steps is called by its kind',
  },
  {
    kind: /^random custom kind$/,
    line: /^(\d: )?(message: the object provided is unrecognized|only (ours|real): FieldValue(Invalid|NotSupported|TypeInvalid) [^:]+: .*(in body should be|Unsupported value: -?[\d.]+|must be of type |Checked value must be|Boundary|boundary|rules were not checked|fails ))/s,
    reason: 'numbers that JavaScript reads alike, such as 5 and 5.0, Go shows and compares in different ways',
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
    kind: /ClusterRole$/,
    verb: /stored/,
    sent: /"aggregationRule":\{/,
    whole: /^[2-5]: /,
    reason:
      'roles are aggregated by the server itself, not by a controller beside it: what follows finds other rules',
  },
  {
    kind: /^v1 PersistentVolume(Claim)?$/,
    whole: /spec\.capacity|spec\.resources\.limits|dataSourceRef/,
    reason: 'amounts beyond 64 bits are amounts; limits of claims, which nothing reads, are not rounded',
  },
  {
    kind: /^v1 PersistentVolumeClaim$/,
    sent: /"status":\{[^]*-?\d{19,}/,
    line: /^(\d: )?only (ours|real): FieldValueInvalid status\.(capacity|allocatedResources)\[.*\]: Invalid value: -\d+: must be a valid resource quantity$/,
    whole:
      /^(\d: )?code: (200|422), not (200|422)\n(\d: )?only (we refuse it|the real server refuses it): Invalid FieldValueInvalid status\.(capacity|allocatedResources)\[[^\n]*\]: Invalid value: -[^\n]*: must be a valid resource quantity$/,
    reason:
      'an amount beyond 64 bits in the status of a claim is an amount; Kubernetes keeps what is left of its bits',
  },
  {
    kind: /^v1 LimitRange$/,
    sent: /"\+|\d\."|\d{16,}|\de\+?\d/,
    line: /^(\d: )?only (ours|real): FieldValueInvalid spec\.limits\[/,
    reason: 'an amount is shown without a plus and without a dot at its end, and beyond 64 bits as it is',
  },
  {
    kind: /^v1 Node$/,
    whole: /status\.declaredFeatures/,
    reason: 'of several mistakes in one part not all are reported',
  },
  {
    kind: /Event$/,
    line: /^(\d: )?message: Operation cannot be fulfilled on Event/s,
    reason: 'both refuse it; the group of an event is that which was asked for',
  },
  {
    kind: /Lease$|LimitRange$|HorizontalPodAutoscaler$|CSINode$/,
    whole: /Apply failed with \d+ conflict/,
    reason: 'what the server drops or fills in by itself has no owner, so that no apply conflicts with it',
  },
  {
    kind: /^random custom kind$/,
    line: /^(\d: )?(metadata\.generation: |spec\.\S+: .*, not nothing|only real: FieldValueDuplicate|code: 20[01], not 422|only the real server refuses it: .*got float64)/,
    reason: 'numbers that JavaScript reads alike, such as 5 and 5.0, are the same number',
  },
  {
    kind: /^random custom kind$/,
    sent: /\d(\.0+|e\+?\d+)[,\]]/,
    line: /^(\d: )?only ours: FieldValueDuplicate \S+: Duplicate value: -?\d+$/,
    reason: 'numbers that JavaScript reads alike, such as 5 and 5.0, are the same number',
  },
  {
    kind: /^resource\.k8s\.io\/|CustomResourceDefinition$|Webhook|AdmissionPolicy/,
    line: /^(\d: )?only (ours|real): FieldValueInvalid \S+\.(expression|rule|\w+Expression|default): Invalid value: .*: (rule compile error: )?compilation failed: ERROR: <input>:\d+:\d+: Syntax error: /s,
    where: (_, lines) => reportsMore(lines),
    reason:
      'the parser of CEL stops at the first syntax error; that of Kubernetes goes on and may report more',
  },
  {
    kind: /ResourceClaimTemplate$/,
    sent: /"(creation|deletion)Timestamp":"0001-01-01T00:00:00Z"|"managedFields":\[\]/,
    whole:
      /FieldValueForbidden spec\.metadata\.((creation|deletion)Timestamp|managedFields): Forbidden: cannot be set/,
    reason: 'a time of the year 1 and empty managed fields are absent, also in the metadata of a template',
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
    kind: /^v1 Service$/,
    sent: /"type":"ExternalName"/,
    line: /^(\d: )?spec\.clusterIPs: nothing, not \["[^"]+"\]$/,
    reason:
      'an ExternalName Service has no clusterIPs; Kubernetes adds the clusterIP to them after it has validated, although it refuses them where they are sent',
  },
  {
    kind: /^v1 Service$/,
    verb: /stored/,
    sent: /"type":"ExternalName"/,
    line: /^[2-5]: spec\.internalTrafficPolicy: (nothing|"Cluster"), not "(Cluster|Local)"$/,
    reason:
      'an ExternalName Service has no internalTrafficPolicy; Kubernetes stores one that was sent, hides it in reads, and shows it in the answer to a write of the status',
  },
  {
    kind: /^v1 Pod$|PodTemplate$|ReplicationController$|^apps\/|^batch\//,
    line: /volumeClaimTemplate\.spec\.resources|[tT]emplate(s\.\d+)?\.metadata\.(deletionTimestamp|managedFields)|^(\d: )?metadata\.generation: |updateStrategy\.rollingUpdate\.maxUnavailable/,
    reason: 'parts of a template that mean nothing there are not brought into another form',
  },
  {
    kind: /StatefulSet$/,
    whole: /Apply failed with \d+ conflict/,
    reason: 'what the server drops or fills in by itself has no owner, so that no apply conflicts with it',
  },
  {
    kind: /CustomResourceDefinition$/,
    line: /^(\d: )?(spec\.versions\.\d+\.schema\.\S+: (\[\]|\{\}), not nothing|spec\.conversion\.webhook: \{"conversionReviewVersions":\[\]\}, not nothing|metadata\.generation: \d+, not \d+)$/,
    reason:
      'empty parts of a schema and an empty list of versions of a webhook are stored, and count as a change; Kubernetes drops some of them',
  },
  {
    kind: /CustomResourceDefinition$/,
    sent: /"(minimum|maximum|multipleOf)":-?(\d{19,}|[\d.]+e\+?\d+)/,
    whole:
      /^((\d: )?(code: (200|201|422), not (200|201|422)|only (ours|real|we refuse it|the real server refuses it): (Invalid )?FieldValueInvalid \S+\.default: Invalid value: \S+: ( in body should be (greater than|less than|a multiple of) |factor MultipleOf declared for )[^\n;]*|only (our|real) warning: 299 - "unrecognized format [^\n]*)(\n|$))+$/,
    reason:
      'a limit beyond 64 bits is a limit; what Go makes of it for a whole number depends on the processor',
  },
  {
    kind: /CustomResourceDefinition$/,
    sent: /"(minimum|maximum|multipleOf)":-0\b/,
    line: /^(\d: )?(spec\.versions\.\d+\.schema\.\S+\.(minimum|maximum|multipleOf): 0, not 0|only (ours|real): FieldValueInvalid \S+\.default: Invalid value: \S+: ( in body should be less than (or equal to )?|factor MultipleOf declared for {2}must be positive: )-?0)$/,
    reason: 'a limit of negative zero is stored and shown as zero',
  },
  {
    kind: /CustomResourceDefinition$/,
    sent: /"default":[^]*\d(\.0+|e\+?\d+)[,}\]]/,
    line: /^(\d: )?only (ours|real): FieldValue(TypeInvalid|Invalid) \S+\.default: Invalid value: ("(integer|number|int64|float64)"|-?[\d.e+]+): /,
    reason: 'numbers that JavaScript reads alike, such as 5 and 5.0, Go shows and compares in different ways',
  },
  {
    kind: /CustomResourceDefinition$/,
    sent: /"min(Length|Items|Properties)":\d{16,}/,
    line: /^(\d: )?only (ours|real): FieldValueInvalid \S+\.default: Invalid value: .*: {2}in body should (be|have) at least \d{16,} (chars long|items|properties)$/,
    reason: 'both refuse a default that is too short; a length beyond 2^53 is shown as JavaScript reads it',
  },
  {
    kind: /CustomResourceDefinition$/,
    verb: /subresource/,
    whole: /code: 200, not 422/,
    reason: 'a status write of a definition does not look at its spec',
  },
  {
    kind: /^random custom kind$/,
    whole:
      /FieldValue(NotSupported|Duplicate) [^\n]+: (Unsupported|Duplicate) value: -?(\d{16,}|[\d.]+e\+\d+)/,
    reason: 'numbers that JavaScript reads alike are the same number',
  },
  {
    kind: /ControllerRevision$/,
    line: /^(\d: )?only (ours|real): FieldValueInvalid data: Invalid value: -?[\d.e+]+: field is immutable$/,
    reason: 'a number beyond 64 bits is shown as JavaScript reads it',
  },
  {
    kind: /StatefulSet$/,
    line: /^(\d: )?only (ours|real): FieldValueRequired spec\.template\.spec\.volumes\[\d+\]\.(name|persistentVolumeClaim\.claimName): /,
    reason: 'Kubernetes goes through the volumes of claims in no certain order',
  },
  {
    kind: /^v1 Service$/,
    sent: /"targetPort":"[^"]+",[^}]*"again:fuzz:targetPort":null/,
    whole: /spec\.ports\[\d+\]\.targetPort: Invalid value: 0: must be between 1 and 65535, inclusive$/m,
    reason:
      'a port that stands twice, as a text and then as null, is absent; Kubernetes remembers the text, and refuses 0',
  },
  {
    kind: /^random custom kind$/,
    verb: /apply/,
    whole:
      /^(?=[^]*: ("exactly -?\d{16,}", not -?[\d.e+]+|-?\d{16,}, not "exactly -?\d{16,}")$)((\d: )?(metadata\.(generation: |managedFields\S*\.time: )|(spec|status)\.\S+: ("exactly -?\d{16,}"|-?\d{16,}), not )[^\n]*(\n|$))+$/m,
    reason:
      'an apply changes a number beyond 2^53 to one that the same double holds; Kubernetes takes the two for equal',
  },
  {
    kind: /^random custom kind$/,
    verb: /apply/,
    sent: /9223372036854775808/,
    whole:
      /^(\d: )?code: 422, not 200\n(\d: )?only we refuse it: Invalid FieldValueInvalid <nil>: [^\n]*; FieldValueTypeInvalid (spec|status)\.\S+: Invalid value: "number": \S+ in body must be of type integer: "number"$/,
    reason:
      'an apply of 2^63 where 2^63-1 is stored is refused, as it is elsewhere; Kubernetes takes the two for equal, and changes nothing',
  },
  {
    kind: /^batch\/v1 Job$/,
    verb: /strategic|stored/,
    sent: /"(creation|deletion)Timestamp":"[^"]*:\d\d\.\d+/,
    whole:
      /^(\d: )?code: 200, not 422\n(\d: )?only the real server refuses it: Invalid FieldValueInvalid spec\.template: Invalid value: VALUE: field is immutable$/,
    reason:
      'times are compared in seconds, as they are stored; Kubernetes also compares the fraction that was sent',
  },
]

/** Whether each of our causes is the beginning of one of the real server's. */
function reportsMore(lines: readonly string[]): boolean {
  const causes = (server: string): string[] =>
    lines.flatMap((line) => new RegExp(`^(?:\\d: )?only ${server}: (.*)$`, 's').exec(line)?.[1] ?? [])
  const real = causes('real')
  return causes('ours').every((ours) => real.some((one) => one.startsWith(ours)))
}
