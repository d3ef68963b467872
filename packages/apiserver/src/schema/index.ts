/**
 * Treats an object by the schema of its type: decoding, pruning, defaults, and the fields that Go would write. Also has
 * the parts that every check of a value needs: JSON values, names, quantities, and the errors of fields in Kubernetes'
 * words. Reads load it.
 */
export { completesWireForm } from './complete-wire-form.ts'
export { decodeProblem, metadataProblem, embeddedProblem, jsonKind, RepeatedKeys } from './decode.ts'
export { applyDefaults, DefaultsTooLong } from './defaults.ts'
export { nullEmptyLists } from './empty-lists.ts'
export { embeddedErrors } from './embedded-resource.ts'
export { listed, ErrorList } from './errors/error-list.ts'
export {
  forbiddenValue,
  causesOf,
  invalidValue,
  unsupportedValue,
  requiredValue,
  duplicateValue,
  tooLong,
  valueNotFound,
  tooMany,
  invalidWhole,
  aggregate,
  ROOT,
  typeInvalid,
  type FieldError,
} from './errors/field-error.ts'
export { NATIVE_TYPES, nativeTypesOf, type NativeTypes } from './native-types.ts'
export {
  validateNativeFinalizers,
  validateAnnotations,
  validateLabels,
  validateObjectMeta,
  validateObjectMetaUpdate,
  type NameForm,
  nameFrom,
} from './object-meta-validation.ts'
export { prune } from './prune.ts'
export { restoreProblem } from './restore.ts'
export {
  isNative,
  propertiesOf,
  resolve,
  additionalOf,
  definitionName,
  OBJECT_META,
  RESOURCE_FIELDS,
} from './type-view.ts'
export type { NativeSubresource, ServedResource } from './types/native-resource.ts'
export type { SchemaNode, TypeSchema } from './types/type-schema.ts'
export {
  canonicalAddress,
  familyOf,
  isAddress,
  networkOf,
  hasLeadingZero,
  isMapped,
  bytesOf,
  bitsOf,
  isNetwork,
} from './values/addresses.ts'
export { quote, jsonText, numberText, RawJson, floatText, isPrintable } from './values/go-text.ts'
export {
  equalJson,
  listOf,
  objectOf,
  textOf,
  isObject,
  copyJson,
  getKey,
  setKey,
  isNumber,
  withNearestNumbers,
  integerOf,
  withBigInts,
  type JsonObject,
} from './values/json.ts'
export {
  subdomainProblems,
  labelProblems,
  segmentProblems,
  kindNameProblem,
  label1035Problems,
  percentProblems,
  portProblems,
  configKeyProblems,
  portNameProblems,
  wildcardProblems,
  environmentNameProblems,
  searchProblems,
  headerNameProblems,
} from './values/name-syntax.ts'
export {
  canonicalQuantity,
  isWhole,
  parseQuantity,
  addQuantities,
  compareQuantities,
  quantityProblem,
  type Quantity,
  wholeValue,
} from './values/quantity.ts'
export { afterNull, hasSentEmpty, nulledFields, toWireForm } from './wire-form.ts'
export { forgetSentEmpty, keepSentEmpty, shownAsSent, wasSentEmpty } from './values/sent-empty.ts'
export { byteLength } from './values/byte-length.ts'
