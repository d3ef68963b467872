/** The VcapServicesConverter operator: its kind, and its controller in two variants. */
export { vcap, vcapByName } from './controller.ts'
export { VcapServicesConverter } from './vcap-services-converter.ts'
