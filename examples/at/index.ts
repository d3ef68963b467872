/** The At operator: the operator itself, its kind in both versions, and its controller. */
export { At } from './at.ts'
export { at } from './controller.ts'
export { default } from './operator.ts'
export { atVersions, AtV1 } from './versions.ts'
