/** The At operator: its kind and its controller. */
export { At } from './at.ts'
export { at } from './controller.ts'
