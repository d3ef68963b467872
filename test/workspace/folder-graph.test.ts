import { describe, expect, it } from 'vitest'
import { deepImports, folderCycles, type FileImport } from '../../scripts/folder-graph.ts'

function imports(...edges: string[]): FileImport[] {
  return edges.map((edge) => {
    const [from, arrow, to] = edge.split(' ')
    return { from: from!, to: to!, late: arrow === '~>' }
  })
}

describe('cycles between folders', () => {
  it('a folder and its subfolder that import each other are a cycle', () => {
    const cycles = folderCycles(imports('wire/a.ts -> wire/protobuf/b.ts', 'wire/protobuf/c.ts -> wire/d.ts'))
    expect(cycles).toEqual([['wire', 'wire/protobuf']])
  })

  it('a cycle may lead over several folders', () => {
    const cycles = folderCycles(
      imports('a/x/1.ts -> a/y/1.ts', 'a/y/2.ts -> b/1.ts', 'b/2.ts -> a/x/2.ts', 'c/1.ts -> b/1.ts'),
    )
    expect(cycles).toEqual([['a/x', 'a/y', 'b']])
  })

  it('an index.ts that exports a subfolder which imports its folder is a cycle', () => {
    const cycles = folderCycles(
      imports('a/index.ts -> a/x/1.ts', 'a/x/1.ts -> a/2.ts', 'b/1.ts -> a/index.ts'),
    )
    expect(cycles).toEqual([['a', 'a/x']])
  })

  it('an index.ts may export subfolders that import each other in one direction', () => {
    const cycles = folderCycles(
      imports(
        'a/index.ts -> a/x/1.ts',
        'a/index.ts -> a/y/1.ts',
        'a/x/1.ts -> a/y/2.ts',
        'b/1.ts -> a/index.ts',
      ),
    )
    expect(cycles).toEqual([])
  })

  it('an import of an index.ts is an import of the subfolders that it exports', () => {
    const cycles = folderCycles(
      imports('a/index.ts -> a/x/1.ts', 'a/x/1.ts -> b/2.ts', 'b/1.ts -> a/index.ts'),
    )
    expect(cycles).toEqual([['a', 'a/x', 'b']])
  })

  it('a late import counts as well', () => {
    expect(folderCycles(imports('a/1.ts ~> a/x/1.ts', 'a/x/1.ts -> a/2.ts'))).toEqual([['a', 'a/x']])
  })
})

describe('imports past an index.ts', () => {
  const files = new Set(['a/index.ts', 'a/1.ts', 'a/x/index.ts', 'b/1.ts', 'c/1.ts'])

  it('are those of another top folder that has an index.ts', () => {
    const all = imports(
      'b/1.ts -> a/1.ts',
      'b/1.ts -> a/x/index.ts',
      'b/1.ts -> a/index.ts',
      'b/1.ts -> c/1.ts',
      'a/x/1.ts -> a/1.ts',
      'index.ts -> a/1.ts',
      'b/1.ts -> version.ts',
    )
    expect(deepImports(all, files)).toEqual(
      imports('b/1.ts -> a/1.ts', 'b/1.ts -> a/x/index.ts', 'index.ts -> a/1.ts'),
    )
  })

  it('are not the late ones, which load one file of a folder', () => {
    expect(deepImports(imports('b/1.ts ~> a/1.ts'), files)).toEqual([])
  })
})
