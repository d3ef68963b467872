/**
 * Bodies of requests and answers in JSON, YAML and protobuf, with exact numbers. Bodies that cannot be read are
 * refused with a Kubernetes API server's messages.
 */
export { BodyError, summarizeBody } from './body-error.ts'
export { decodeBody, decodeBodyInParts, notRegistered, versionOf } from './decode-body.ts'
export { decodeJson, plainNumbers, type DecodedJson } from './decode-json.ts'
export { decodeYaml } from './decode-yaml.ts'
export { encodeYaml, jsonToYaml } from './encode-yaml.ts'
export { BODY_LIMIT, BODY_TYPES, mediaType, PROTOBUF } from './media-type.ts'
export { needsYaml, yamlLibrary } from './yaml-library.ts'
export { MessageWriter } from './protobuf/write-message.ts'
export { protobuf } from './protobuf/lazy-protobuf.ts'
export { checkTypeMeta, jsonKind, readTypeMeta } from './type-meta.ts'
export { nativePackage, type KindName } from './protobuf/decode-protobuf.ts'
export { jsonSyntaxProblem } from './json/json-syntax.ts'
