/**
 * Conversion between the versions of a kind. One version is stored; each of the others has a converter to it and back.
 * A conversion never changes the identity of an object: it keeps all metadata except labels and annotations.
 */
export { conversion, type Conversion, type VersionWithoutConverter } from './conversion.ts'
export type { ConversionEndpoint } from './conversion-endpoint.ts'
export type { ConvertedMetadata, ConvertedOf, Converter, KeptFields } from './converter.ts'
export type { KeyPath } from './kept-fields.ts'
