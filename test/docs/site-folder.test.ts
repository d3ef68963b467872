import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkSite } from '../../scripts/docs/check-site.ts'
import { serveFolder } from '../../scripts/docs/serve-folder.ts'

let parent: string
let folder: string
beforeAll(() => {
  parent = mkdtempSync(join(tmpdir(), 'homeostat-site-'))
  folder = join(parent, 'site')
  mkdirSync(join(folder, 'guide'), { recursive: true })
  writeFileSync(join(parent, 'secret.html'), 'secret')
  writeFileSync(join(folder, '404.html'), 'absent')
  writeFileSync(join(folder, 'style.css'), '')
  writeFileSync(join(folder, 'guide', 'index.html'), '<a href="/">x</a><a href="./one#the-end">x</a>')
  writeFileSync(
    join(folder, 'guide', 'one.html'),
    '<h2 id="the-end">x</h2><a href="#the-end">x</a><a href="../guide/">x</a><a href="/style.css">x</a>',
  )
})
afterAll(() => rmSync(parent, { recursive: true, force: true }))

describe('the check of a built site', () => {
  it.each([
    [
      '<a href="/guide/one">x</a> <a class="x" href="https://example.com/">x</a> <link href="/style.css">',
      [],
    ],
    ['<a href="/guide/two">x</a>', ['index.html: there is no /guide/two']],
    [
      '<a href="/guide/one#the-start">x</a>',
      ['index.html: there is no /guide/one#the-start: no such heading'],
    ],
    ['<a href="#none">x</a>', ['index.html: there is no #none: no such heading']],
    ['<img alt="x" src="https://example.com/x.png">', ['index.html: <img> loads https://example.com/x.png']],
    ['<script src="//example.com/x.js"></script>', ['index.html: <script> loads //example.com/x.js']],
  ])('says of %s: %j', (html, expected) => {
    writeFileSync(join(folder, 'index.html'), html)
    expect(checkSite(folder)).toEqual(expected)
  })
})

describe('the server of the site', () => {
  it('sends pages by their addresses, and nothing from outside of its folder', async () => {
    writeFileSync(join(folder, 'index.html'), 'home')
    await using served = await serveFolder(folder, 0)
    const get = async (path: string) => {
      const response = await fetch(new URL(path, served.url))
      return [response.status, (await response.text()).slice(0, 10)]
    }
    expect(new URL(served.url).hostname).toBe('127.0.0.1')
    expect(await get('/')).toEqual([200, 'home'])
    expect(await get('/guide/one')).toEqual([200, '<h2 id="th'])
    expect(await get('/guide/')).toEqual([200, '<a href="/'])
    expect(await get('/none')).toEqual([404, 'absent'])
    expect(await get('/%2e%2e%2fsecret.html')).toEqual([404, 'absent'])
    expect(await get('/..%2fsecret')).toEqual([404, 'absent'])
    expect(await get('/%E0%A4%A')).toEqual([404, 'absent'])
  })
})
