/** The VisitorsApp operator: its kind and its controller. */
export { visitors } from './controller.ts'
export { VisitorsApp } from './visitors-app.ts'
