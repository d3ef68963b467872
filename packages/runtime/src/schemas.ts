/** Types of Kubernetes' own API with their structural schemas, for `s.native(…)`. */
export * from '@homeostat/api/schemas'
