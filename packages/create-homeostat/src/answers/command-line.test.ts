import { expect, it } from 'vitest'
import { readCommandLine } from './command-line.ts'

it('takes paths of Windows on Windows', () => {
  expect(readCommandLine(['C:\\work\\my shop'], 'win32')).toMatchObject({ folder: 'C:\\work\\my shop' })
  expect(() => readCommandLine(['C:\\work\\my shop'], 'linux')).toThrow('write /work/my shop')
})
