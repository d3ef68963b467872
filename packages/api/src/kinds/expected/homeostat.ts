/** The imports of a printed kind from the package, for the golden file beside this one. */
export { schema } from '../../schema/index.ts'
export { customResourceDefinition } from '../crd.ts'
export { defineKind } from '../define-kind.ts'
