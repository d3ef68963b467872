import { describe, expect, test } from 'vitest'
import { formatLabelSelector, labelSelectorFrom, matchesLabels } from './label-selector.ts'
import { parseLabelSelector } from './parse-label-selector.ts'
import { SelectorError } from './selector-error.ts'

const nameRule =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const valueRule =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const long = 'a'.repeat(64)

describe('A label selector in the API’s syntax', () => {
  test.each<[string, Record<string, string>, boolean]>([
    ['', {}, true],
    ['  ', { a: '1' }, true],
    ['a=b', { a: 'b' }, true],
    ['a==b', { a: 'b' }, true],
    ['a=b', { a: 'c' }, false],
    ['a=b', {}, false],
    ['a!=b', { a: 'b' }, false],
    ['a!=b', { a: 'c' }, true],
    ['a!=b', {}, true],
    ['a', { a: '' }, true],
    ['a', {}, false],
    ['!a', {}, true],
    ['!a', { a: '' }, false],
    ['a in (b, c)', { a: 'c' }, true],
    ['a in (b, c)', { a: 'd' }, false],
    ['a in (b, c)', {}, false],
    ['a notin (b, c)', { a: 'c' }, false],
    ['a notin (b, c)', {}, true],
    ['a in ()', { a: '' }, true],
    ['a in (b,)', { a: '' }, true],
    ['a in (,b)', { a: 'b' }, true],
    ['a=', { a: '' }, true],
    ['a=,b', { a: '', b: '1' }, true],
    ['a>1', { a: '2' }, true],
    ['a>1', { a: '1' }, false],
    ['a<9223372036854775807', { a: '9223372036854775806' }, true],
    ['a>1', { a: 'many' }, false],
    ['a>1', {}, false],
    ['in in (in)', { in: 'in' }, true],
    ['app.kubernetes.io/name=web,!canary,tier notin (db)', { 'app.kubernetes.io/name': 'web' }, true],
    ['toString', {}, false],
    ['!constructor', {}, true],
  ])('%j against %j is %j', (text, labels, expected) => {
    expect(matchesLabels(parseLabelSelector(text), labels)).toBe(expected)
  })

  // The answers of kube-apiserver 1.36 to these, word for word.
  test.each([
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a in', "unable to parse requirement: found '' expected: '('"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a in (b c)', "unable to parse requirement: found 'c', expected: ',' or ')'"],
    ['a in (=)', "unable to parse requirement: found '=', expected: ',', ')' or identifier"],
    [',a', "found ',', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a,,b', "found ',', expected: identifier after ','"],
    ['a=b,=', "found '=', expected: identifier after ','"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['!', "unable to parse requirement: found '', expected: identifier"],
    ['!a,!!b', "unable to parse requirement: found '!', expected: identifier"],
    ['=', "found '=', expected: !, identifier, or 'end of string'"],
    ['((', "found '(', expected: !, identifier, or 'end of string'"],
    ['a===b', "unable to parse requirement: found '=', expected: identifier"],
    ['a!b', "unable to parse requirement: found '!', expected: in, notin, =, ==, !=, gt, lt"],
    ['a=(b)', "unable to parse requirement: found '(', expected: identifier"],
    ['a()', "unable to parse requirement: found '(', expected: in, notin, =, ==, !=, gt, lt"],
    ['a in (b))', "found ')', expected: ',' or 'end of string'"],
    ['-a=b', `unable to parse requirement: <nil>: Invalid value: "-a": name part ${nameRule}`],
    [
      'a/b/c=d',
      `unable to parse requirement: <nil>: Invalid value: "a/b/c": a valid label key ${nameRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ],
    ['/a', 'unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty'],
    [
      'X_/a',
      String.raw`unable to parse requirement: <nil>: Invalid value: "X_/a": prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
    ],
    [
      long,
      `unable to parse requirement: <nil>: Invalid value: "${long}": name part must be no more than 63 bytes`,
    ],
    ['a=-b', `unable to parse requirement: values[0][a]: Invalid value: "-b": ${valueRule}`],
    ['a in (-b,c)', `unable to parse requirement: values[0][a]: Invalid value: "-b": ${valueRule}`],
    [
      `a=${long}`,
      `unable to parse requirement: values[0][a]: Invalid value: "${long}": must be no more than 63 bytes`,
    ],
    [
      'a>b',
      `unable to parse requirement: values[0]: Invalid value: "b": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
    [
      'a in (-b,-c)',
      `unable to parse requirement: [values[0][a]: Invalid value: "-b": ${valueRule}, values[1][a]: Invalid value: "-c": ${valueRule}]`,
    ],
  ])('%j is refused in the words of Kubernetes', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(new SelectorError('LABEL_SELECTOR_INVALID', message))
  })

  test.each([
    ['b=2 , a = 1', 'a=1,b=2'],
    ['a in (c,b,b)', 'a in (b,c)'],
    ['a==b,!c,d,e notin (f),g>1', 'a==b,!c,d,e notin (f),g>1'],
    ['', ''],
  ])('%j is written as %j', (text, expected) => {
    const written = formatLabelSelector(parseLabelSelector(text))
    expect(written).toBe(expected)
    expect(parseLabelSelector(written)).toEqual(parseLabelSelector(text))
  })
})

describe('A label selector that an object holds', () => {
  test('joins its labels and expressions', () => {
    const selector = labelSelectorFrom({
      matchLabels: { app: 'web' },
      matchExpressions: [
        { key: 'tier', operator: 'In', values: ['b', 'a'] },
        { key: 'zone', operator: 'NotIn', values: ['x'] },
        { key: 'canary', operator: 'DoesNotExist' },
        { key: 'team', operator: 'Exists', values: [] },
      ],
    })
    expect(formatLabelSelector(selector)).toBe('app=web,!canary,team,tier in (a,b),zone notin (x)')
    expect(matchesLabels(selector, { app: 'web', tier: 'a', team: 'x' })).toBe(true)
    expect(matchesLabels(selector, { app: 'web', tier: 'a' })).toBe(false)
  })

  test('selects everything when empty, and nothing when absent', () => {
    expect(matchesLabels(labelSelectorFrom({}), undefined)).toBe(true)
    expect(matchesLabels(labelSelectorFrom(undefined), undefined)).toBe(false)
  })

  test.each([
    [{ key: 'a', operator: 'Like', values: ['b'] }, '"Like" is not a valid label selector operator'],
    [
      { key: 'a', operator: 'In' },
      `values: Invalid value: []: for 'in', 'notin' operators, values set can't be empty`,
    ],
    [
      { key: 'a', operator: 'Exists', values: ['b'] },
      'values: Invalid value: ["b"]: values set must be empty for exists and does not exist',
    ],
    [{ key: '', operator: 'Exists' }, `[key: Invalid value: "": name part must be non-empty, `],
  ])('%j is refused', (expression, message) => {
    expect(() => labelSelectorFrom({ matchExpressions: [expression] })).toThrow(message)
  })
})
