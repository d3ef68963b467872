import { expect, it } from 'vitest'
import { Cluster } from './cluster.ts'

it.each([
  ['text', 'node'],
  ['an empty object', {}],
  ['null', null],
  ['a function that is not named a module', async () => {}],
  ['a module that is not a function', { module: 'server.js' }],
  ['an empty command', { command: '' }],
  ['a list as a command', { command: ['node', 'server.js'] }],
  ['both', { module: async () => {}, command: 'node' }],
])('a cluster does not start with an image that is %s, and names it', async (_, image) => {
  await expect(Cluster.start({ port: false, images: { web: image as never } })).rejects.toMatchObject({
    code: 'IMAGE_INVALID',
    message: expect.stringContaining('the image "web" cannot run: map it to { module }'),
  })
})
