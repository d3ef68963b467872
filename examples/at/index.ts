/** The At operator: the operator itself, its kind and its controller. */
export { At } from './at.ts'
export { at } from './controller.ts'
export { default } from './operator.ts'
