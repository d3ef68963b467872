import type { KnownDifference } from './known-difference.ts'

/** Differences that follow from parts of Kubernetes that do not run here, and in who owns which fields. */
export const UNSUPPORTED: readonly KnownDifference[] = [
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
    verb: /patch|stored/,
    sent: /ownerReferences/,
    whole:
      /^(?=[^]*only our warning: 299 - "\.metadata\.ownerReferences contains duplicate entries)((\d: )?(metadata\.managedFields\.\d+(\.|: )|only (our|real) warning: 299 - "\.metadata\.ownerReferences contains duplicate entries)[^\n]*(\n|$))+$/,
    reason:
      'an owner that stands twice in a patch is dropped before the fields are recorded, so that nothing changes; Kubernetes records it first',
  },
  {
    line: /^(\d: )?only (our|real) warning: 299 - "\.metadata\.ownerReferences contains duplicate entries/,
    reason: 'an owner that stands twice is told once, before admission, also where nothing is stored',
  },
  {
    kind: /CustomResourceDefinition$/,
    line: /InstanceDeletion|deletion is in progress|storedVersions|metadata\.finalizers|metadata\.generateName/,
    reason: 'a definition that goes says so at once, and the versions stored are recorded, not sent',
  },
  {
    whole: /already allocated/,
    reason: 'ports and addresses of a Service that is gone come free later in the real server',
  },
  {
    kind: /Webhook/,
    sent: /"caBundle":""/,
    line: /^(\d: )?metadata\.generation: \d+, not \d+$/,
    reason:
      'an empty bundle of authorities is not stored; Kubernetes stores it, and counts its loss as a change',
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
    whole:
      /^(?=[^]*(\.|: \{")(v:-?\d{16,}|k:\{\\?"[^"]+":-?\d{16,}\}))((\d: )?metadata\.managedFields[^\n]*(\n|$))+$/,
    reason:
      'numbers beyond 2^53 in the keys of lists are exact; Kubernetes rounds them, and then does not find who owns them',
  },
  {
    kind: /^random custom kind$/,
    verb: /apply/,
    sent: /-?\d{16,}/,
    whole:
      /^(\d: )?code: 20[01], not 409\n(\d: )?only the real server refuses it: Conflict Apply failed with \d+ conflicts?: [^;]*(; FieldManagerConflict \.\S+\[=-?[\d.]+e\+\d+\]: [^;\n]*)+(\n(\d: )?only our warning: [^\n]*)?$/,
    reason:
      'numbers beyond 2^53 in the keys of lists are exact; Kubernetes rounds them, and then does not find who owns them',
  },
  {
    kind: /^random custom kind$/,
    verb: /apply/,
    sent: /[:[,]-?\d{16,}[,\]}]/,
    line: /^(\d: )?(message: Apply failed with \d+ conflicts?: .*, not Apply failed with \d+ conflicts?: |only ours: FieldManagerConflict \.)/s,
    whole:
      /^(\d: )?code: 409, not 20[01]\n(\d: )?only we refuse it: Conflict Apply failed with [^\n]*(\n- [^\n]*)*(\n(\d: )?only real warning: [^\n]*)?$/,
    reason:
      'a number beyond 2^53 that another manager would change is a conflict; Kubernetes takes two that the same double holds for equal',
  },
  {
    kind: /ResourceSlice$/,
    verb: /stored/,
    sent: /"capacity":\{/,
    whole:
      /^((\d: )metadata\.managedFields\.\d+(: |\.(manager|operation|time|fieldsV1\.f:spec\S*): )[^\n]*(\n|$))+$/,
    reason:
      'an update with 1000m leaves a list with its owner where 1 is stored; Kubernetes compares the fields of Go’s quantities',
  },
  {
    kind: /^random custom kind$/,
    sent: /[:[,]-?\d{16,}[,\]}]/,
    whole: /^((\d: )?metadata\.managedFields\.\d+\.(manager|operation|time): [^\n]*(\n|$))+$/,
    reason:
      'a number beyond 2^53 that is changed has a new owner; Kubernetes takes two that the same double holds for equal',
  },
]
