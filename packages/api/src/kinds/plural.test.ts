import { expect, test } from 'vitest'
import { pluralOf } from './plural.ts'

test.each([
  ['At', 'ats'],
  ['MarkdownView', 'markdownviews'],
  ['MariaDB', 'mariadbs'],
  ['Gateway', 'gateways'],
  ['Proxy', 'proxies'],
  ['Ingress', 'ingresses'],
  ['Mailbox', 'mailboxes'],
  ['Batch', 'batches'],
  ['Mesh', 'meshes'],
])('The plural of %s is %s', (kind, plural) => {
  expect(pluralOf(kind)).toBe(plural)
})
