import { operator, sample } from 'homeostat'
import { markdownView } from './controller.ts'
import { MarkdownView } from './markdown-view.ts'

const hello = sample(MarkdownView, {
  metadata: { namespace: 'default', name: 'hello' },
  spec: { markdowns: { 'SUMMARY.md': '- [Hello](hello.md)', 'hello.md': '# Hello from the loop' } },
})

export default operator('markdownview', { controllers: [markdownView], samples: [hello] })
