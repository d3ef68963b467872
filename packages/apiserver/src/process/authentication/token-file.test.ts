import { expect, test } from 'vitest'
import { readTokenFile } from './token-file.ts'

test('each line is a user with a token, and perhaps groups', () => {
  const users = readTokenFile(
    't1,jane,7\r\n\n# a remark\nt2,"joe, the second",8,"ops,system:masters"\nt3,ann,,dev\n',
  )
  expect([...users]).toEqual([
    ['t1', { name: 'jane', uid: '7', groups: [] }],
    ['t2', { name: 'joe, the second', uid: '8', groups: ['ops', 'system:masters'] }],
    ['t3', { name: 'ann', uid: undefined, groups: ['dev'] }],
  ])
})

test.each(['secret', 'secret,jane', ',jane,7', 'secret,"jane,7'])(
  '%j is refused without showing it',
  (line) => {
    const read = (): unknown => readTokenFile(`t,a,1\n${line}`)
    expect(read).toThrow('line 2 of the token file cannot be read')
    expect(read).not.toThrow('secret')
  },
)
