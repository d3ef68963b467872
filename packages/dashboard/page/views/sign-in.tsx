import { useState } from 'preact/hooks'
import { signIn, type LiveRecording } from '../model/connect.ts'
import { texts } from '../language/index.ts'
import { Logo } from './logo.tsx'

/** Asks for a token, where the page is for users whom the API server knows. */
export function SignIn({ live }: { live: LiveRecording }) {
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [token, setToken] = useState('')
  const submit = async (): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      await signIn(token)
      live.open()
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
    setBusy(false)
  }
  return (
    <main class="sign-in">
      <Logo size={40} />
      <h1>{texts().signIn}</h1>
      <p>{texts().signInLead}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void submit()
        }}
      >
        <label for="token">{texts().token}</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          required
          value={token}
          onInput={(event) => setToken(event.currentTarget.value)}
        />
        <p class="hint">
          {texts().tokenHint} <code>kubectl create token my-account</code>
        </p>
        {problem !== undefined && (
          <p class="notice is-bad" role="alert">
            {problem}
          </p>
        )}
        <button type="submit" class="primary" disabled={isBusy}>
          {texts().signIn}
        </button>
      </form>
    </main>
  )
}
