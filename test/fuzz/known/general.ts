import type { KnownDifference } from './known-difference.ts'
import { namesMistake } from './names-mistake.ts'

/** Differences of any kind: refusals in other words, and values that JavaScript and Go read or show in different ways. */
export const GENERAL: readonly KnownDifference[] = [
  {
    whole: /^(\d: )?code: 4\d\d, not 500$/m,
    where: namesMistake,
    reason:
      'a 500 of kube-apiserver is its own fault: ours names the field, the object or the kind that is wrong',
  },
  {
    verb: /subresource/,
    whole: /^code: 200, not 500$[^]*object has no apiVersion field/m,
    reason:
      'a patch of a status that takes the apiVersion away changes the status, since the apiVersion is known',
  },
  {
    line: /^(\d: )?message: .* cannot be handled as an? .*: strict decoding error: .*, not .* cannot be handled as an? .*: strict decoding error: /s,
    reason: 'unknown fields are told before repeated ones, not in the order of the body',
  },
  {
    line: /^(\d: )?message: .* cannot be handled as an? .*: (converting .*: unknown conversion|no kind ".*), not .* cannot be handled as an? /s,
    reason: 'an object of another kind is refused before its fields are read',
  },
  {
    line: /^(\d: )?message: .*(typed patch object|unable to convert unstructured object|unmarshal errors|couldn't get version\/kind|list element types|invalid continue token|API version in the data).*, not .*\2/s,
    reason:
      'both refuse it with the same code and reason; the message shows values as Go does, or another of several problems',
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
    line: /^(\d: )?message: Operation cannot be fulfilled on .*: Precondition failed: UID in precondition: .*, not Operation cannot be fulfilled on .*StorageError: invalid object/s,
    reason: 'both refuse another uid as a conflict; only the real server names the key of its store',
  },
  {
    whole:
      /^(\d: )?only ours: FieldValueInvalid patch: .*\n(\d: )?only real: FieldValueInvalid patch: [^\n]*$/s,
    reason:
      'both refuse what a patch leaves; the message shows values as Go does, or another of several problems',
  },
  {
    verb: /strategic|stored|subresource/,
    sent: /"\$deleteFromPrimitiveList\/[^"]*":\[null/,
    whole: /a list that is merged cannot begin with null/,
    reason:
      'a list that is merged cannot begin with null; Kubernetes goes through a patch in no certain order, and panics in one',
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
    line: /^(\d: )?details\.(name|group|kind): /,
    reason: 'what a refusal is about is named by another of its parts',
  },
  {
    verb: /strategic|stored|subresource/,
    whole: /cannot unmarshal number -?(\d{10,}|[\d.]+e\+\d+)/,
    reason:
      'a number that its field cannot hold is refused; a strategic merge of the real server keeps what is left of its bits',
  },
  {
    verb: /stored|apply/,
    line: /^(\d: )?metadata\.deletion(Timestamp|GracePeriodSeconds): nothing, not /,
    reason: 'a new object is not being deleted: what is applied to say so is dropped, as on create',
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
    line: /^(\d: )?(\S+: ("-?\d+k", not "-?\d+"|"\d+n", not "1m"|"-?\d+[kMGTPE]?", not "-?\d+e\d+")$|only (ours|real): FieldValueInvalid \S+\.requests: Invalid value: VALUE: must be less than or equal to \S+ limit of -?\d{16,}k?$)/,
    reason:
      'a quantity that was sent as a number beyond 64 bits, or in a patch as 1e3, is what JavaScript reads',
  },
  {
    whole: /code: 200, not 4\d\d\n[^]*cannot unmarshal number \d(e\d|\.0)/,
    reason: 'whole numbers may be written as 1.0 or 1e3',
  },
  {
    line: /^(\d: )?only (ours|real): FieldValue(Invalid|NotSupported) (reclaimPolicy|spec\.accessModes|spec\.limits\S*): /,
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
    verb: /list/,
    whole: /^(\d: )?(message: |code: 410, not 200)/,
    reason: 'of several wrong parameters another one is told; history is kept for fewer revisions',
  },
  {
    verb: /strategic|stored|subresource/,
    line: /^(\d: )?message: unknown patch type: .*%!s\(int64=(-?\d+)\).*, not unknown patch type: .*%!s\(float64=\2\)/s,
    reason: 'a number such as 1.0 is shown as the 1 that JavaScript reads',
  },
  {
    sent: /"managedFields":\[\{"time":"0001-01-01T00:00:00Z"\}\]/,
    line: /^(\d: )?metadata\.managedFields: nothing, not \[/,
    reason: 'an entry of managed fields with the time that is none is an empty entry, which resets them',
  },
]
