/** The Tenant operator: its kind and its controller. */
export { tenant } from './controller.ts'
export { Tenant } from './tenant.ts'
