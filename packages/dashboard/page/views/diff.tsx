import { useMemo } from 'preact/hooks'
import type { RecordedObject } from '../../src/recording/entry.ts'
import { diffLines, shortened } from '../model/diff.ts'
import { yamlLines } from '../model/yaml.ts'
import { texts } from '../language/index.ts'

const SIGNS = { same: ' ', added: '+', removed: '−' }

/** What differs between two versions of an object. */
export function Diff({
  before,
  after,
}: {
  before: RecordedObject | undefined
  after: RecordedObject | undefined
}) {
  const lines = useMemo(() => shortened(diffLines(textsOf(before), textsOf(after))), [before, after])
  const isSame = lines.every((line) => line === undefined || line.type === 'same')
  if (isSame) return <p class="hint">{texts().noDifference}</p>
  return (
    <pre class="diff" tabIndex={0} aria-label={texts().changedLines}>
      {lines.map((line, index) =>
        line ? (
          <span key={index} class={`line is-${line.type}`}>
            <span class="sign" aria-hidden="true">
              {SIGNS[line.type]}
            </span>
            {line.type !== 'same' && <span class="visually-hidden">{texts()[line.type]}: </span>}
            {`${line.text}\n`}
          </span>
        ) : (
          <span key={index} class="line is-gap">
            {'…\n'}
          </span>
        ),
      )}
    </pre>
  )
}

function textsOf(object: RecordedObject | undefined): string[] {
  return object ? yamlLines(withoutBookkeeping(object)).map(({ text }) => text) : []
}

/** Without what changes with every write. */
function withoutBookkeeping(object: RecordedObject): object {
  const { managedFields: _, resourceVersion: __, ...metadata } = object.metadata
  const { apiVersion, kind, metadata: ___, ...rest } = object
  return { apiVersion, kind, metadata, ...rest }
}
