import { describe, expect, test } from 'vitest'
import {
  fieldSelectorFrom,
  formatFieldSelector,
  matchesFields,
  parseFieldSelector,
} from './field-selector.ts'
import { SelectorError } from './selector-error.ts'

const pod = {
  metadata: { name: 'web', namespace: 'default' },
  spec: { nodeName: 'one', hostNetwork: true },
  status: { phase: 'Running', restarts: 3 },
}

describe('A field selector', () => {
  test.each([
    ['', true],
    [',', true],
    ['=', true],
    ['!=,metadata.name=web', true],
    ['metadata.name=web', true],
    ['metadata.name==web', true],
    ['metadata.name=other', false],
    ['metadata.name!=other,status.phase=Running', true],
    ['metadata.name=web,status.phase!=Running', false],
    ['spec.hostNetwork=true,status.restarts=3', true],
    ['spec.schedulerName=', true],
    ['spec.schedulerName!=', false],
    ['spec=', true],
    ['metadata.constructor=', true],
  ])('%j against a running Pod is %j', (text, expected) => {
    expect(matchesFields(parseFieldSelector(text), pod)).toBe(expected)
  })

  test('reads fields as the kind defines them', () => {
    const read = (_: object, field: string) => (field === 'spec.unschedulable' ? 'false' : '')
    expect(matchesFields(parseFieldSelector('spec.unschedulable=false'), {}, read)).toBe(true)
  })

  test.each([
    [String.raw`a=b\,c`, 'b,c'],
    [String.raw`a=b\=c`, 'b=c'],
    [String.raw`a=b\\`, String.raw`b\ `.trim()],
  ])('reads %j as the value %j, and writes it again', (text, value) => {
    const selector = parseFieldSelector(text)
    expect(selector.requirements).toEqual([{ field: 'a', operator: '=', value }])
    expect(formatFieldSelector(selector)).toBe(text)
  })

  test('refuses a field without a value, which would select more than was asked for', () => {
    expect(() => fieldSelectorFrom({ 'metadata.name': undefined })).toThrow(
      'the field metadata.name has no value to select by: give a string, or leave the field out',
    )
  })

  test('is made from values, whatever they hold', () => {
    const selector = fieldSelectorFrom({ 'metadata.name': 'a,b', 'involvedObject.kind': 'Pod' })
    expect(formatFieldSelector(selector)).toBe(String.raw`involvedObject.kind=Pod,metadata.name=a\,b`)
    expect(parseFieldSelector(formatFieldSelector(selector))).toEqual(selector)
  })

  // The answers of kube-apiserver 1.36 to these, word for word.
  test.each([
    ['metadata.name', "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    ['a=b,c', "invalid selector: 'a=b,c'; can't understand 'c'"],
    ['metadata.name=a=b', 'invalid field selector: unescaped character in value: 61'],
    [String.raw`metadata.name=a\x`, String.raw`invalid field selector: invalid escape sequence: \x`],
    ['metadata.name=a\\', 'invalid field selector: invalid escape sequence: \\'],
  ])('%j is refused in the words of Kubernetes', (text, message) => {
    expect(() => parseFieldSelector(text)).toThrow(new SelectorError('FIELD_SELECTOR_INVALID', message))
  })
})
