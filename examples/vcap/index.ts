/** The VcapServicesConverter operator: the operator itself, its kind, and its controller in two variants. */
export { vcap, vcapByName } from './controller.ts'
export { VcapServicesConverter } from './vcap-services-converter.ts'
export { default } from './operator.ts'
