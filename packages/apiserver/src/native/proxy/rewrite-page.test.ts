import { expect, it } from 'vitest'
import { rewritePage } from './rewrite-page.ts'

const mark = (url: string): string => `<${url}>`

it.each([
  ['<a href=/x>', '<a href="&lt;/x&gt;">'],
  ['<A HREF=\'/x\' Title="a&quot;b">', '<a href="&lt;/x&gt;" title="a&#34;b">'],
  ['<a title=it\'s href="/x">y</a>', '<a title="it&#39;s" href="&lt;/x&gt;">y</a>'],
  ['<br/><br /><img src="/x"/>', '<br/><br/><img src="&lt;/x&gt;"/>'],
  ['<p>1 < 2 <3 & <>', '<p>1 < 2 <3 & <>'],
  ['<p title="&copy;&amp;copy;&#65;">', '<p title="&copy;&amp;copy;A">'],
  ['<script>"<a href=/x>"</SCRIPT><a href=y>', '<script>"<a href=/x>"</SCRIPT><a href="&lt;y&gt;">'],
  ['<script>endless <a href="/x">', '<script>endless <a href="/x">'],
  ['<!-- <a href="/x"> --><!doctype html><?x <a ?>', '<!-- <a href="/x"> --><!doctype html><?x <a ?>'],
  ['text<a href="/x', 'text'],
])('writes %s', (page, written) => {
  expect(rewritePage(page, mark)).toBe(written)
})

it('reads hostile pages in time that grows with their length', () => {
  for (const part of ['<a ', '<a x="', '<!--', '</a', '<a href=', '= ', '<script>', "<a b='c' "]) {
    const page = part.repeat(300_000)
    expect(rewritePage(page, mark).length).toBeLessThan(10 * page.length)
  }
})
