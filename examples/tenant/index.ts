/** The Tenant operator: the operator itself, its kind and its controller. */
export { tenant } from './controller.ts'
export { Tenant } from './tenant.ts'
export { default } from './operator.ts'
