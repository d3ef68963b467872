import { describe, expect, test } from 'vitest'
import { describeStory, storyInWords } from './describe-step.ts'
import { pathText, type PlainObject, type Step, type Story } from './story.ts'

const note = (text: string, name = 'a'): PlainObject => ({
  apiVersion: 'x.example/v1',
  kind: 'Note',
  metadata: { name, namespace: 'default' },
  spec: { text },
})
const reference = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'a' }
const create: Step = { step: 'create', object: note('one') }

describe('a story in words', () => {
  test('ST19: has a line for each step, which names the actor', () => {
    const story: Story = [
      create,
      { step: 'create', object: note('one', 'b'), controlledBy: reference },
      { step: 'delete', object: reference },
      { step: 'remove', object: reference },
      { step: 'edit', object: reference, path: ['data', 'x'], value: 'y' },
      { step: 'edit', object: reference, path: ['data', 'x'] },
      { step: 'repeat', times: 3, steps: [{ step: 'remove', object: reference }, { step: 'rest' }] },
      { step: 'wait', duration: '1h' },
      { step: 'stop' },
      { step: 'start' },
      { step: 'crash', request: 2, moment: 'before' },
      { step: 'crash', request: 1, moment: 'after', staysDown: true },
      { step: 'fail', request: 3, failure: 'answer lost' },
      { step: 'slow', request: 4 },
      { step: 'hold', kind: 'ConfigMap' },
      { step: 'stale', kind: 'ConfigMap' },
      { step: 'release', kind: 'ConfigMap' },
      { step: 'note' },
      { step: 'pods', behaviour: 'late' },
    ]
    expect(describeStory(story)).toEqual([
      'the user creates the Note default/a',
      'another controller creates the Note default/b, which belongs to its ConfigMap default/a',
      'the user deletes the ConfigMap default/a',
      'another client deletes the ConfigMap default/a',
      'another client sets data.x of the ConfigMap default/a to "y"',
      'another client removes data.x of the ConfigMap default/a',
      '3 times: another client deletes the ConfigMap default/a, then the operator runs until it has nothing left to do',
      '1h pass',
      'the operator is stopped',
      'the operator is started',
      'the operator is killed at request 2 from here, before it is sent, and starts again',
      'the operator is killed at request 1 from here, after the server carried it out, and stays down',
      'request 3 of the operator from here fails: the server carries it out, and the answer is lost',
      'request 4 of the operator from here takes half a minute to reach the server',
      'the operator’s cache stops hearing of ConfigMap objects',
      'the next process of the operator first sees ConfigMap objects as they are now',
      'the operator’s cache hears what it missed of ConfigMap objects',
      'the state is noted',
      'Pods become ready after two minutes',
    ])
  })

  test('ST20: shows the content of an object that is not always the same', () => {
    const change: Step = { step: 'change', object: note('two') }
    const shown = 'the user creates the Note default/a as {"spec":{"text":"one"}}'
    expect(describeStory([create, { step: 'create', object: note('one', 'b') }, change])).toEqual([
      shown,
      'the user creates the Note default/b',
      'the user changes the Note default/a to {"spec":{"text":"two"}}',
    ])
    expect(describeStory([create], [{ step: 'create', object: note('two') }])).toEqual([shown])
    expect(describeStory([create], [create])).toEqual(['the user creates the Note default/a'])
  })

  test('ST21: writes fields as in code', () => {
    expect(pathText(['spec', 'ports', 0, 'name'])).toBe('spec.ports[0].name')
    expect(pathText(['metadata', 'labels', 'example.com/a'])).toBe('metadata.labels["example.com/a"]')
  })

  test('ST22: says the same as data, in plain JSON', () => {
    const change: Step = { step: 'change', object: note('two') }
    const edit: Step = { step: 'edit', object: reference, path: ['data', 'x'] }
    const repeat: Step = { step: 'repeat', times: 2, steps: [edit, { step: 'rest' }] }
    const crash: Step = { step: 'crash', request: 2, moment: 'before' }
    const words = storyInWords([create, change, repeat, crash])
    expect(words.map(({ text }) => text)).toEqual(describeStory([create, change, repeat, crash]))
    const edited = { step: 'edit', object: 'ConfigMap default/a', path: 'data.x' }
    expect(JSON.parse(JSON.stringify(words.map(({ told }) => told)))).toEqual([
      { step: 'create', object: 'Note default/a', content: { spec: { text: 'one' } } },
      { step: 'change', object: 'Note default/a', content: { spec: { text: 'two' } } },
      { step: 'repeat', times: 2, steps: [edited, { step: 'rest' }] },
      { step: 'crash', request: 2, moment: 'before', staysDown: false },
    ])
  })
})
