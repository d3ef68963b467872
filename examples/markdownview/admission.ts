import { admission, required } from 'homeostat'
import { MarkdownView } from './markdown-view.ts'

/** Refuses views that no viewer can show, before they are stored. */
export const markdownViewAdmission = admission(MarkdownView)
  .defaults(({ spec }) => ({ spec: { viewerImage: withTag(spec.viewerImage) } }))
  .validates({
    create: (view, { warn }) => problemsOf(view, warn),
    update: (view, _old, { warn }) => problemsOf(view, warn),
  })

/** The viewer makes the table of contents of SUMMARY.md, and shows no other page. */
function problemsOf({ spec: { markdowns } }: Pick<MarkdownView, 'spec'>, warn: (message: string) => void) {
  const summary = markdowns['SUMMARY.md']
  if (summary === undefined) return [required('spec.markdowns[SUMMARY.md]', 'it is the table of contents')]
  for (const file of Object.keys(markdowns)) {
    if (file !== 'SUMMARY.md' && !summary.includes(`(${file})`)) {
      warn(`spec.markdowns[${file}]: no link in SUMMARY.md leads to it`)
    }
  }
  return []
}

/** Writes out what an image without a tag or a digest means. */
function withTag(image: string): string {
  return /[:@]/.test(image.slice(image.lastIndexOf('/') + 1)) ? image : `${image}:latest`
}
