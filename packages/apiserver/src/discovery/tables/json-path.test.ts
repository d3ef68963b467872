import { describe, expect, test } from 'vitest'
import { parseJsonPath } from './json-path.ts'

const object = {
  metadata: { labels: { 'example.com/part': 'knob', plain: 'x' } },
  spec: {
    replicas: 2,
    off: false,
    nothing: null,
    list: [
      { name: 'a', port: 80, on: true },
      { name: 'b', port: 443 },
      { name: 'c', port: 8080 },
    ],
  },
}

describe('a JSON path', () => {
  test.for<[string, unknown[]]>([
    ['.spec.replicas', [2]],
    ['$.spec.replicas', [2]],
    ['.spec.off', [false]],
    ['.spec.nothing', [null]],
    ['.spec.missing.deeper', []],
    ['.metadata.labels.example\\.com/part', ['knob']],
    [".metadata.labels['example\\.com/part']", ['knob']],
    [".metadata.labels['plain']", ['x']],
    ['.spec.list[0].name', ['a']],
    ['.spec.list[-1].name', ['c']],
    ['.spec.list[9].name', []],
    ['.spec.list[].name', ['a']],
    ['.spec.list[]', [{ name: 'a', port: 80, on: true }]],
    ['.spec.list[*].port', [80, 443, 8080]],
    ['.spec.list[0:2].name', ['a', 'b']],
    ['.spec.list[?(@.name=="b")].port', [443]],
    [".spec.list[?(@.name == 'b')].port", [443]],
    ['.spec.list[?(@.name!="b")].port', [80, 8080]],
    ['.spec.list[?(@.port>=443)].name', ['b', 'c']],
    ['.spec.list[?(@.on==true)].name', ['a']],
    ['.spec.list[?(@.on)].name', ['a']],
    ['.spec.replicas[?(@.name=="b")]', []],
  ])('%s leads to %j', ([path, values]) => {
    expect(parseJsonPath(path)(object)).toEqual(values)
  })

  test.for([
    '..replicas',
    '.spec[',
    '.spec[?(@.a==)]',
    '.spec.list[0',
    '.spec.[0]x',
    'spec.replicas',
    '.a b',
  ])('%s is refused with the position of the mistake', (path) => {
    expect(() => parseJsonPath(path)).toThrow(/JSON path .*at character \d+/)
  })
})
