import { operator, sample } from 'homeostat'
import { markdownViewAdmission } from './admission.ts'
import { markdownView } from './controller.ts'
import { MarkdownView } from './markdown-view.ts'

const SUMMARY = `# Summary

- [Page One](page1.md)
`
const PAGE = `# Page One

A controller wrote this page into a ConfigMap, started a viewer for it, and keeps both as they should be.
`

/** The MarkdownView operator: all that it consists of, and a sample to try it with. */
export default operator('markdownview', {
  controllers: [markdownView],
  webhooks: [markdownViewAdmission],
  samples: [
    sample(MarkdownView, {
      metadata: { namespace: 'default', name: 'markdownview-sample' },
      spec: { markdowns: { 'SUMMARY.md': SUMMARY, 'page1.md': PAGE }, replicas: 1 },
    }),
  ],
})
