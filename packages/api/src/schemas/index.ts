/**
 * Types of Kubernetes' own API with their structural schemas, for `s.native(…)`. This module is `@homeostat/api/schemas`:
 * a program that does not import it contains none of it, and a bundler keeps only the types that a program names.
 */
export * from './generated/index.ts'
