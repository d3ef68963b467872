import { useState } from 'preact/hooks'
import type { RecordedObject } from '../../src/recording/entry.ts'
import type { Ask } from '../model/store.ts'
import { yamlText } from '../model/yaml.ts'
import { Diff } from './diff.tsx'
import { texts } from '../language/index.ts'

/** Edits an object: the server first shows the result of a dry run, then the user decides. */
export function Editor({ object, ask, onClose }: { object: RecordedObject; ask: Ask; onClose: () => void }) {
  // The edited text does not follow changes of the object: the server refuses an outdated one.
  const [original] = useState(object)
  const [text, setText] = useState(() => yamlText(editable(object)))
  const [preview, setPreview] = useState<RecordedObject>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const send = async (dryRun: boolean): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      const { object: answer } = await ask<{ object: RecordedObject }>('replace', { yaml: text, dryRun })
      if (dryRun) setPreview(answer)
      else onClose()
    } catch (error) {
      setPreview(undefined)
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }
  return (
    <div class="editor">
      <label for="editor-text">{texts().editNamed(object.metadata.name)}</label>
      <textarea
        id="editor-text"
        spellcheck={false}
        value={text}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setPreview(undefined)
        }}
      />
      {problem !== undefined && (
        <p class="notice is-bad" role="alert">
          {problem}
        </p>
      )}
      {preview && (
        <div role="status">
          <p class="hint">{texts().wouldStore}</p>
          <Diff before={original} after={preview} />
        </div>
      )}
      <div class="actions">
        {preview ? (
          <button type="button" class="primary" disabled={isBusy} onClick={() => void send(false)}>
            {texts().save}
          </button>
        ) : (
          <button type="button" class="primary" disabled={isBusy} onClick={() => void send(true)}>
            {texts().showChange}
          </button>
        )}
        <button type="button" onClick={onClose}>
          {texts().cancel}
        </button>
      </div>
    </div>
  )
}

/** The object as a user edits it: with its version, so that a change that came first is not undone. */
function editable(object: RecordedObject): object {
  const { managedFields: _, ...metadata } = object.metadata
  const { apiVersion, kind, metadata: __, ...rest } = object
  return { apiVersion, kind, metadata, ...rest }
}
