/** The MarkdownView operator: the operator itself, its kind, its controller and its webhooks. */
export { markdownViewAdmission } from './admission.ts'
export { markdownView } from './controller.ts'
export { MarkdownView } from './markdown-view.ts'
export { default } from './operator.ts'
