import { useState } from 'preact/hooks'
import { FORMAT, type OperatorAction, type Recording } from '../../src/recording/entry.ts'
import type { RecordedStory } from '../../src/recording/story.ts'
import { signOut, type LiveRecording } from '../model/connect.ts'
import type { Store } from '../model/store.ts'
import { texts } from '../language/index.ts'
import { useDroppedFile } from './dropped-file.ts'
import { LanguageChoice } from './language-choice.tsx'
import { Logo } from './logo.tsx'
import { Disturbances, OperatorActions } from './operator-actions.tsx'
import { StoryBar } from './story.tsx'

/** The name of the operator, whether it runs, and the actions on the operator and on the recording. */
export function Header({ store, live, isPart }: { store: Store; live: LiveRecording; isPart: boolean }) {
  const [problem, setProblem] = useState<string>()
  const { operator } = store.state
  const act = async (action: OperatorAction): Promise<void> => {
    setProblem(undefined)
    await store.ask('operator', { action }).catch((error: Error) => setProblem(error.message))
  }
  const openFile = async (file: File | undefined): Promise<void> => {
    if (!file) return
    const recording = await readRecording(file)
    if (!recording) {
      setProblem(texts().notARecording(file.name))
      return
    }
    setProblem(undefined)
    live.close()
    store.select(undefined)
    try {
      store.open(recording, file.name)
    } catch {
      // Only its outermost fields were looked at before.
      backToLive()
      setProblem(texts().notARecording(file.name))
    }
  }
  const isOver = useDroppedFile((file) => void openFile(file))
  const backToLive = (): void => {
    store.file = undefined
    store.story = undefined
    store.moment = undefined
    store.select(undefined)
    live.open()
  }
  const { canChange } = store
  const Frame = isPart ? 'section' : 'header'
  return (
    <Frame class="header" aria-label={isPart ? texts().operator : undefined}>
      <div class="brand">
        {isPart ? (
          <h2>{operator?.name ?? texts().operator}</h2>
        ) : (
          <>
            <Logo size={22} />
            <h1>{operator?.name ?? 'Homeostat'}</h1>
          </>
        )}
        <Status store={store} />
      </div>
      <div class="actions">
        {canChange && operator && (
          <OperatorActions
            offered={operator.actions}
            disturbance={store.state.disturbance}
            onAction={(action) => void act(action)}
          />
        )}
        <RecordingActions store={store} live={live} isPart={isPart} onOpen={(file) => void openFile(file)} />
      </div>
      {isOver && <p class="notice">{texts().dropRecording}</p>}
      <Disturbances disturbance={store.state.disturbance} />
      {problem !== undefined && (
        <p class="notice is-bad" role="alert">
          {problem}
        </p>
      )}
      {store.story && <StoryBar store={store} story={store.story} onClose={backToLive} />}
      {store.file !== undefined && !store.story && (
        <p class="notice" role="status">
          {texts().thisIsRecording(store.file)}
          <button type="button" onClick={backToLive}>
            {texts().backToLive}
          </button>
        </p>
      )}
    </Frame>
  )
}

/** Saves and opens recordings; beside them the language, and the end of the session. */
function RecordingActions({
  store,
  live,
  isPart,
  onOpen,
}: {
  store: Store
  live: LiveRecording
  isPart: boolean
  onOpen: (file: File | undefined) => void
}) {
  const { viewer } = store
  return (
    <>
      <span class="divider" />
      <button type="button" title={texts().saveRecordingTitle} onClick={() => save(store)}>
        {texts().saveRecording}
      </button>
      <label class="button" title={texts().openRecordingTitle}>
        {texts().openRecording}
        <input
          type="file"
          accept=".json,application/json"
          class="visually-hidden"
          onChange={(event) => {
            onOpen(event.currentTarget.files?.[0])
            event.currentTarget.value = ''
          }}
        />
      </label>
      {!isPart && <LanguageChoice onChoose={() => store.changed()} />}
      {viewer.name !== undefined && (
        <button
          type="button"
          title={texts().youAre(viewer.name)}
          onClick={() => void signOut().then(() => live.open())}
        >
          {texts().signOut}
        </button>
      )}
    </>
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
  if (store.file !== undefined) return [texts().recording, 'quiet']
  if (store.connection === 'refused') return [texts().notAllowed, 'bad']
  if (store.connection === 'lost') return [texts().connectionLost, 'bad']
  if (store.connection === 'connecting') return [texts().connecting, 'quiet']
  const { operator } = store.state
  if (!operator) return [texts().waitingForOperator, 'quiet']
  if (!operator.isRunning) return [texts().stopped, 'bad']
  return store.state.disturbance.isPaused ? [texts().paused, 'quiet'] : [texts().running, 'good']
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
      value?.format === FORMAT &&
      Array.isArray(value.entries) &&
      Array.isArray(value.start?.objects) &&
      (value.story === undefined || isStory(value.story))
    return isRecording ? (value as Recording) : undefined
  } catch {
    return undefined
  }
}

function isStory({ steps, differences }: Partial<RecordedStory>): boolean {
  return Array.isArray(steps) && Array.isArray(differences)
}
