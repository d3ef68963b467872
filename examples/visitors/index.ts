/** The VisitorsApp operator: the operator itself, its kind and its controller. */
export { visitors } from './controller.ts'
export { VisitorsApp } from './visitors-app.ts'
export { default } from './operator.ts'
