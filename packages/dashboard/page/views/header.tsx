import { useState } from 'preact/hooks'
import { FORMAT, type OperatorAction, type Recording } from '../../src/recording/entry.ts'
import { ask, signOut, type LiveConnection } from '../model/connect.ts'
import type { Store } from '../model/store.ts'
import { exactTimeOf } from '../model/words.ts'

const ACTIONS: Readonly<Record<OperatorAction, { readonly text: string; readonly title: string }>> = {
  crash: { text: 'Crash', title: 'End the operator without warning, and start it again' },
  restart: { text: 'Restart', title: 'Stop the operator in good order, and start it again' },
}

/** Who is shown, whether it runs, and what can be done with all of it. */
export function Header({ store, live }: { store: Store; live: LiveConnection }) {
  const [problem, setProblem] = useState<string>()
  const { operator } = store.state
  const act = async (action: OperatorAction): Promise<void> => {
    setProblem(undefined)
    await ask('operator', { action }).catch((error: Error) => setProblem(error.message))
  }
  const openFile = async (file: File | undefined): Promise<void> => {
    if (!file) return
    const recording = await readRecording(file)
    if (!recording) {
      setProblem(`${file.name} is not a recording of this page.`)
      return
    }
    setProblem(undefined)
    live.close()
    store.select(undefined)
    store.open(recording, file.name)
  }
  const { canChange, viewer } = store
  return (
    <header class="header">
      <div class="brand">
        <img src="/icon.svg" alt="" width="22" height="22" />
        <h1>{operator?.name ?? 'Homeostat'}</h1>
        <Status store={store} />
      </div>
      <div class="actions">
        {canChange &&
          operator?.actions.map((action) => (
            <button key={action} type="button" title={ACTIONS[action].title} onClick={() => void act(action)}>
              {ACTIONS[action].text}
            </button>
          ))}
        <span class="divider" />
        <button
          type="button"
          title="Save everything that is shown here as one file"
          onClick={() => save(store)}
        >
          Save recording
        </button>
        <label class="button" title="Show a recording that was saved before">
          Open recording
          <input
            type="file"
            accept=".json,application/json"
            class="visually-hidden"
            onChange={(event) => {
              void openFile(event.currentTarget.files?.[0])
              event.currentTarget.value = ''
            }}
          />
        </label>
        {viewer.name !== undefined && (
          <button
            type="button"
            title={`You are ${viewer.name}`}
            onClick={() => void signOut().then(() => live.open())}
          >
            Sign out
          </button>
        )}
      </div>
      {problem !== undefined && (
        <p class="notice is-bad" role="alert">
          {problem}
        </p>
      )}
      {store.file !== undefined && (
        <p class="notice" role="status">
          This is the recording {store.file}. Nothing in it can be changed.
          <button
            type="button"
            onClick={() => {
              store.file = undefined
              store.moment = undefined
              store.select(undefined)
              live.open()
            }}
          >
            Back to live
          </button>
        </p>
      )}
      {store.file === undefined && store.moment !== undefined && (
        <p class="notice" role="status">
          Everything is shown as it was at {exactTimeOf(store.moment)}.
          <button type="button" onClick={() => store.travel(undefined)}>
            Back to now
          </button>
        </p>
      )}
    </header>
  )
}

function Status({ store }: { store: Store }) {
  const [text, tone] = statusOf(store)
  return (
    <span class={`status is-${tone}`} role="status">
      <span class="dot" aria-hidden="true" />
      {text}
    </span>
  )
}

function statusOf(store: Store): [string, 'good' | 'bad' | 'quiet'] {
  if (store.file !== undefined) return ['Recording', 'quiet']
  if (store.connection === 'refused')
    return ['Not allowed: open the address that the terminal shows now', 'bad']
  if (store.connection === 'lost') return ['Connection lost, trying again', 'bad']
  if (store.connection === 'connecting') return ['Connecting', 'quiet']
  const { operator } = store.state
  if (!operator) return ['Waiting for an operator', 'quiet']
  return operator.isRunning ? ['Running', 'good'] : ['Stopped', 'bad']
}

function save(store: Store): void {
  const blob = new Blob([JSON.stringify(store.recording())], { type: 'application/json' })
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  const day = new Date(store.latest.at).toISOString().slice(0, 19).replaceAll(':', '-')
  link.download = `${store.latest.operator?.name ?? 'homeostat'}-${day}.json`
  link.click()
  URL.revokeObjectURL(link.href)
}

async function readRecording(file: File): Promise<Recording | undefined> {
  try {
    const value = JSON.parse(await file.text()) as Partial<Recording> | null
    const isRecording =
      value?.format === FORMAT && Array.isArray(value.entries) && Array.isArray(value.start?.objects)
    return isRecording ? (value as Recording) : undefined
  } catch {
    return undefined
  }
}
