/** MarkdownView with so many samples that a check of it plays its threads at their full rate for a while. */
import { operator, sample } from 'homeostat'
import markdownView from '../../examples/markdownview/operator.ts'
import { MarkdownView } from '../../examples/markdownview/markdown-view.ts'

const SAMPLES = 4

const { controllers, webhooks } = markdownView

export default operator('markdownview', {
  controllers,
  webhooks,
  samples: Array.from({ length: SAMPLES }, (_, index) =>
    sample(MarkdownView, {
      metadata: { namespace: 'default', name: `view-${index}` },
      spec: {
        markdowns: { 'SUMMARY.md': '# Summary\n', 'page.md': `# Page ${index}\n` },
        replicas: 1 + index,
      },
    }),
  ),
})
