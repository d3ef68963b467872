import { useEffect, useRef, useState } from 'preact/hooks'
import type { RecordedObject } from '../../src/recording/entry.ts'
import { keyOf } from '../model/run.ts'
import { texts } from '../language/index.ts'
import { Diff } from './diff.tsx'

/** An object as it is, and as the server would store it. */
export interface PlannedChange {
  /** Absent where the object does not exist yet. */
  readonly before?: RecordedObject | undefined
  readonly after: RecordedObject
}

const MOST_ROWS = 22

/** Edits YAML. The server first shows the result of a dry run, then the user decides. */
export function YamlEditor({
  label,
  initial,
  saveText,
  send,
  onSaved,
  onClose,
}: {
  label: string
  initial: string
  saveText: string
  /** Asks the server for the changes, and without `dryRun` for carrying them out. */
  send: (yaml: string, dryRun: boolean) => Promise<readonly PlannedChange[]>
  onSaved: (changes: readonly PlannedChange[]) => void
  onClose: () => void
}) {
  const [text, setText] = useState(initial)
  const [preview, setPreview] = useState<readonly PlannedChange[]>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  // The text and the preview below it are both in view.
  const [rows] = useState(() => Math.min(MOST_ROWS, initial.split('\n').length + 2))
  const actions = useRef<HTMLDivElement>(null)
  // The preview moves them down.
  useEffect(() => actions.current?.scrollIntoView({ block: 'nearest' }), [preview])
  const ask = async (dryRun: boolean): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      const changes = await send(text, dryRun)
      if (dryRun) setPreview(changes)
      else onSaved(changes)
    } catch (error) {
      setPreview(undefined)
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }
  return (
    <div class="editor">
      <label for="editor-text">{label}</label>
      <textarea
        id="editor-text"
        spellcheck={false}
        rows={rows}
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
      {preview && <Preview changes={preview} />}
      <div class="actions" ref={actions}>
        <button
          type="button"
          class="primary"
          disabled={isBusy}
          onClick={() => void ask(preview === undefined)}
        >
          {preview ? saveText : texts().showChange}
        </button>
        <button type="button" onClick={onClose}>
          {texts().cancel}
        </button>
      </div>
    </div>
  )
}

/** What the server would store. */
function Preview({ changes }: { changes: readonly PlannedChange[] }) {
  return (
    <div role="status">
      <p class="hint">{texts().wouldStore}</p>
      {changes.map(({ before, after }) => (
        <div key={`${after.kind} ${keyOf(after.metadata)}`}>
          {changes.length > 1 && (
            <h3>
              {after.kind} {keyOf(after.metadata)}
            </h3>
          )}
          <Diff before={before} after={after} />
        </div>
      ))}
    </div>
  )
}
