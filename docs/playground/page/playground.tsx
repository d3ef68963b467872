import { useEffect, useRef, useState } from 'preact/hooks'
import { language } from '../../../packages/dashboard/page/language/index.ts'
import type { Store } from '../../../packages/dashboard/page/model/store.ts'
import { App } from '../../../packages/dashboard/page/views/app.tsx'
import { LanguageChoice } from '../../../packages/dashboard/page/views/language-choice.tsx'
import { Logo } from '../../../packages/dashboard/page/views/logo.tsx'
import type { Files } from '../worker/messages.ts'
import type { Catalogue, Example } from '../build/catalogue.ts'
import { CheckPanel } from './check-panel.tsx'
import type { CheckSession } from './check-session.ts'
import { Editor, type Mark } from './editor.ts'
import { texts } from './language/index.ts'
import type { Session } from './session.ts'
import { fragmentOf } from './shared-code.ts'
import { TimeBar } from './time-bar.tsx'
import type { TypesSession } from './types-session.ts'

/** How long after the last key the code runs again, in milliseconds. */
const CALM = 700
const OWN = 'own'

export interface PlaygroundProps {
  readonly store: Store
  readonly session: Session
  readonly check: CheckSession
  readonly types: TypesSession
  readonly catalogue: Catalogue
  /** The example to begin with. */
  readonly first: Example
  /** Code from a link, which a person starts by hand. */
  readonly given: Files | undefined
  /** Whether it stands in a chapter of the guide, which names the example already. */
  readonly isEmbedded: boolean
  readonly onChange: () => void
}

/** The whole playground: the code on one side, the operator at work on the other. */
export function Playground(props: PlaygroundProps) {
  const { store, session, check, types, catalogue, first, given, isEmbedded, onChange } = props
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [names, setNames] = useState<readonly string[]>(Object.keys(given ?? first.files))
  const [file, setFile] = useState(shownFirst(names))
  const [chosen, setChosen] = useState(given ? OWN : first.id)
  const [said, setSaid] = useState<string>()
  const [isUntrusted, setUntrusted] = useState(given !== undefined)

  const run = (): void => {
    clearTimeout(timer.current)
    setUntrusted(false)
    if (session.speed === 0) session.speed = 1
    if (!editor.current) return
    session.run(editor.current.files)
    void types.check(editor.current.files)
  }
  const edited = (): void => {
    setChosen(OWN)
    setSaid(undefined)
    clearTimeout(timer.current)
    timer.current = setTimeout(run, CALM)
  }
  useEffect(() => {
    if (!place.current || editor.current) return
    editor.current = new Editor(place.current, { label: texts().code, types, onChange: edited })
    editor.current.open(given ?? first.files, file)
    if (given) types.start()
    if (given) void types.check(given)
    else run()
  }, [])
  const show = (name: string): void => {
    setFile(name)
    editor.current?.show(name)
  }
  const choose = (id: string): void => {
    const example = catalogue.examples.find((each) => each.id === id)
    if (!example) return
    const all = Object.keys(example.files)
    history.replaceState(undefined, '', `?example=${id}`)
    setChosen(id)
    setNames(all)
    setFile(shownFirst(all))
    setSaid(undefined)
    check.stop()
    editor.current?.open(example.files, shownFirst(all))
    run()
  }
  const share = async (): Promise<void> => {
    if (!editor.current) return
    history.replaceState(undefined, '', `./${await fragmentOf(editor.current.files)}`)
    const isCopied = await navigator.clipboard.writeText(location.href).then(
      () => true,
      () => false,
    )
    setSaid(isCopied ? texts().shared : texts().notShared)
  }
  const { problem } = session
  const { mistakes } = types
  useEffect(() => editor.current?.mark(marksOf(problem, mistakes)), [problem, mistakes, file])
  const t = texts()
  return (
    <div class={`playground ${isEmbedded ? 'is-embedded' : ''}`}>
      <header class="top">
        <div class={isEmbedded ? 'visually-hidden' : 'brand'}>
          <Logo size={24} />
          <h1>
            Homeostat <span class="what">{t.playground}</span>
          </h1>
        </div>
        {!isEmbedded && <Examples catalogue={catalogue} chosen={chosen} onChoose={choose} />}
        <div class="actions">
          <button type="button" class="primary" title={t.runTitle} onClick={run}>
            {t.run}
          </button>
          <button
            type="button"
            title={t.checkTitle}
            onClick={() => editor.current && check.start(editor.current.files)}
          >
            {t.check}
          </button>
          <button type="button" title={t.shareTitle} onClick={() => void share()}>
            {t.share}
          </button>
          {!isEmbedded && (
            <>
              <span class="divider" />
              <a class="button" href={documentationAddress()}>
                {t.documentation}
              </a>
              <LanguageChoice onChoose={onChange} />
            </>
          )}
        </div>
        {said !== undefined && (
          <p class="notice" role="status">
            {said}
          </p>
        )}
      </header>
      <section class="code" aria-label={t.code}>
        <div class="tabs" role="group" aria-label={t.files}>
          {names.map((name) => (
            <button key={name} type="button" aria-pressed={name === file} onClick={() => show(name)}>
              {name}
              <MistakeCount count={mistakes.filter((each) => each.file === name).length} />
            </button>
          ))}
        </div>
        <div class="editor" ref={place} />
        {isUntrusted && (
          <p class="notice" role="status">
            {t.fromLink}
          </p>
        )}
        {problem !== undefined && <ProblemNotice problem={problem} onShow={show} />}
        <CheckPanel check={check} />
      </section>
      <div class={`shown is-${session.state}`}>
        <TimeBar session={session} />
        <App store={store} live={session} now={session.now} isPart />
      </div>
    </div>
  )
}

/** The number of type errors of a file. */
function MistakeCount({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span class="mistakes">
      <span aria-hidden="true">{count}</span>
      <span class="visually-hidden">{texts().mistakes(count)}</span>
    </span>
  )
}

function marksOf(problem: Session['problem'], mistakes: TypesSession['mistakes']): Mark[] {
  const marks: Mark[] = mistakes.map(({ file, from, to, message, severity }) => ({
    file,
    place: { from, to },
    message,
    severity,
  }))
  if (problem && problem !== 'blocked' && problem.place) {
    const { file, line } = problem.place
    marks.push({ file, place: { line }, message: problem.message, severity: 'error' })
  }
  return marks
}

function Examples({
  catalogue,
  chosen,
  onChoose,
}: {
  catalogue: Catalogue
  chosen: string
  onChoose: (id: string) => void
}) {
  const t = texts()
  const group = (label: string, examples: readonly Example[]) => (
    <optgroup label={label}>
      {examples.map(({ id, titles }) => (
        <option key={id} value={id}>
          {titles[language()] ?? titles['en']}
        </option>
      ))}
    </optgroup>
  )
  return (
    <label class="select example">
      {t.example}
      <select value={chosen} onChange={(event) => onChoose(event.currentTarget.value)}>
        {chosen === OWN && <option value={OWN}>{t.ownCode}</option>}
        {group(
          t.guide,
          catalogue.examples.filter(({ chapter }) => chapter !== undefined),
        )}
        {group(
          t.operators,
          catalogue.examples.filter(({ chapter }) => chapter === undefined),
        )}
      </select>
    </label>
  )
}

function ProblemNotice({
  problem,
  onShow,
}: {
  problem: NonNullable<Session['problem']>
  onShow: (file: string) => void
}) {
  const t = texts()
  const place = problem === 'blocked' ? undefined : problem.place
  return (
    <div class="notice is-bad problem" role="alert">
      {place && (
        <button type="button" onClick={() => onShow(place.file)}>
          {t.problemIn(place.file, place.line)}
        </button>
      )}
      <span>{problem === 'blocked' ? t.blocked : problem.message}</span>
    </div>
  )
}

/** The controller says what an operator does, so it is what a reader begins with. */
function shownFirst(names: readonly string[]): string {
  return names.find((name) => name === 'controller.ts') ?? names[0] ?? ''
}

function documentationAddress(): string {
  return language() === 'en' ? '../' : `../${language()}/`
}
