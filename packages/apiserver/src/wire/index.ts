/** How objects look on the wire: reading the bodies of requests as JSON and YAML, and what JSON.parse keeps to itself. */
export {
  BODY_LIMIT,
  decodeBody,
  decodeJson,
  decodeYaml,
  encodeYaml,
  mediaType,
  type DecodedBody,
} from './decode-body.ts'
