/** The MarkdownView operator: its kind and its controller. */
export { markdownView } from './controller.ts'
export { MarkdownView } from './markdown-view.ts'
