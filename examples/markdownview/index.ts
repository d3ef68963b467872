/** The MarkdownView operator: the operator itself, its kind and its controller. */
export { markdownView } from './controller.ts'
export { MarkdownView } from './markdown-view.ts'
export { default } from './operator.ts'
