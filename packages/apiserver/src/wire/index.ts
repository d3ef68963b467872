/**
 * How objects look on the wire: reading the bodies of requests as JSON, YAML and protobuf, with all that their numbers
 * hold, and saying what is wrong with those that cannot be read in the words of a Kubernetes API server.
 */
export { BodyError, summarizeBody } from './body-error.ts'
export {
  BODY_LIMIT,
  BODY_TYPES,
  decodeBody,
  decodeBodyInParts,
  mediaType,
  notRegistered,
  PROTOBUF,
  versionOf,
} from './decode-body.ts'
export { decodeJson, plainNumbers, type DecodedJson } from './decode-json.ts'
export { decodeYaml, encodeYaml, jsonToYaml } from './decode-yaml.ts'
export { needsYaml, yamlLibrary } from './yaml-library.ts'
export { inEnvelope, writeList, writeObject, writeWatchEvent } from './protobuf/encode-protobuf.ts'
export { MessageWriter } from './protobuf/write-message.ts'
export { protobufMessages } from './protobuf/protobuf-messages.ts'
export { checkTypeMeta, jsonKind, readTypeMeta } from './type-meta.ts'
export { nativePackage, type KindName } from './protobuf/decode-protobuf.ts'
export { jsonSyntaxProblem } from './json/json-syntax.ts'
